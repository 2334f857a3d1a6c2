internal import PluginKit

/// What is written down about a walk request. Its state follows from these facts and the time,
/// on every replica alike; nobody has to be running for a request to run out.
struct WalkFacts: Hashable, Sendable {
    /// Whose request it is.
    let direction: Direction
    /// When the sender made it, in milliseconds since 1970.
    let createdMs: Int64
    /// The time the walk is to be at, where the request names one.
    var atMs: Int64?
    /// Whether the receiver's node is known to have it; it means something to the sender only.
    var isDelivered = false
    /// Whether the sender took it back.
    var isCancelled = false
    /// What the receiver said.
    var answer: Answer?
    /// How old the request was when the receiver answered, as the answering node measured it.
    var answerAgeMs: Int64?
    /// Whether it reached the receiver's node only after it had run out.
    var wasMissed = false

    enum Direction: String, Sendable { case sent, received }
    enum Answer: String, Sendable { case accepted, declined }

    /// How long a request without a time stays open, in milliseconds (60 s).
    static let openMilliseconds: Int64 = 60_000
    /// How far ahead a walk may be asked for, in milliseconds (31 days).
    static let aheadMillisecondsMax: Int64 = 31 * 24 * 60 * 60 * 1000
    /// Milliseconds since 1970 that a record may hold: what a stamp can.
    static let milliseconds: ClosedRange<Int64> = 0...Int64(Stamp.max.milliseconds)

    /// When the request runs out, in milliseconds since 1970.
    var deadlineMs: Int64 { atMs ?? createdMs + Self.openMilliseconds }

    /// How old the request is at a time; a request from the future has no age yet.
    func ageMs(nowMs: Int64) -> Int64 { max(0, nowMs - createdMs) }

    /// Whether the request has run out by a time.
    func isExpired(nowMs: Int64) -> Bool { nowMs >= deadlineMs }

    /// Milliseconds until it runs out. Without a named time never more than the 60 s it has in
    /// all, whatever the sender's clock says.
    func leftMs(nowMs: Int64) -> Int64 {
        let left = max(0, deadlineMs - nowMs)
        return atMs == nil ? min(left, Self.openMilliseconds) : left
    }

    /// Whether the answer was given in time, however late it arrived.
    private var answerCounts: Bool {
        guard answer != nil, let answerAgeMs else { return false }
        return createdMs + answerAgeMs < deadlineMs
    }

    /// The state at a time. A cancellation beats an answer that was given without knowing of it.
    func state(nowMs: Int64) -> WalkState {
        if isCancelled { return .cancelled }
        if answerCounts, let answer { return answer == .accepted ? .accepted : .declined }
        let isOver = isExpired(nowMs: nowMs)
        switch direction {
        case .received:
            if wasMissed { return .missed }
            return isOver ? .expired : .pending
        case .sent:
            if isOver { return isDelivered && !wasMissed ? .expired : .notAnswered }
            return isDelivered ? .delivered : .queued
        }
    }
}

/// How a walk request stands.
enum WalkState: String, Sendable, CaseIterable {
    /// Sent, and not known to have arrived.
    case queued
    /// Sent, and on the receiver's node.
    case delivered
    /// Received, and open for an answer.
    case pending
    case accepted
    case declined
    case cancelled
    /// It was there in time and nobody answered.
    case expired
    /// Received after it had run out.
    case missed
    /// Sent, and it did not reach the receiver in time.
    case notAnswered

    /// Whether the sender may still take it back.
    var isOpen: Bool { self == .queued || self == .delivered || self == .pending }
}
