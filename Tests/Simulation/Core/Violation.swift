/// A broken promise.
package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The promise.
    package let check: Check
    /// A sentence about the observation.
    package let detail: String

    init(_ check: Check, _ detail: String) {
        self.check = check
        self.detail = detail
    }

    package var description: String { "\(check.rawValue): \(detail)" }
}

/// The promises that are checked. The raw value describes the promise.
package enum Check: String, CaseIterable, Sendable {
    // Promises that hold at any time.
    case durable = "what was acknowledged is there after a crash"
    case members = "no replica holds a space that its person may not see"
    case secrecy = "nothing of a space is said to a device that may not see it"
    case numbering = "an honest device signs one batch under each number"
    case authentic = "a batch under an honest device's name is one it authored"
    case knowing = "an edit made knowing of another is stamped after it"
    case undragged = "a batch dated over 24 h ahead moves no clock"
    case inert = "a batch dated over 24 h ahead is held until due"
    case answered = "a run that is on the disk is acknowledged, and the acknowledgement believed"
    case truthful = "what a device is noted to hold, it holds"
    case onceSent = "a batch is sent once for each vector"
    case unrefused = "what an honest device sends is not refused"
    case opened = "content is sent only in a space where it was put, and held by nobody else"
    case bounded = "queues stay below their limits"
    // Promises about open spaces.
    case reaching = "a post in an open space reaches everybody who must have it"
    case shared = "a link keeps its share of an open space, whatever other links bring"
    case onceRead = "a batch in an open space is read about once"
    // Promises that hold after all faults have ended.
    case equal = "replicas are equal 60 s after the last fault"
    case complete = "every acknowledged operation is in every replica once"
    case merged = "the tables are what the merge rules say"
    case content = "content is exactly what was put, at everyone who looks at it"
    case ended = "of a removed device exactly the batches up to the cut count"
    case erased = "what was erased is in no file"
    case rebuilt = "a space rebuilt from its log is the same as before"
    // Promises about the run itself.
    case alive = "the run did something"
}
