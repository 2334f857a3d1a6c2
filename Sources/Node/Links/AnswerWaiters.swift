internal import Links
internal import Sync

/// The callers that wait for a peer's answer. Each is resumed exactly once: by the answer, by the
/// end of its wait, or by the end of the link.
struct AnswerWaiters {
    /// A caller that waits for a peer's answer to one question for digests.
    private struct DigestWaiter {
        /// The id of the link.
        let link: UInt64
        /// The number of the question on that link.
        let question: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private var dialBacks: [UInt64: CheckedContinuation<DialResult, Never>] = [:]
    private var digests: [UInt64: DigestWaiter] = [:]
    private var lastNumber: UInt64 = 0

    /// Adds a caller that waits for the result of a dial.
    mutating func add(
        _ continuation: CheckedContinuation<DialResult, Never>, forDialBack nonce: UInt64
    ) {
        dialBacks[nonce] = continuation
    }

    /// Resumes the caller that waits for the result of a dial, if it waits still.
    mutating func resume(dialBack nonce: UInt64, returning result: DialResult) {
        dialBacks.removeValue(forKey: nonce)?.resume(returning: result)
    }

    /// Returns the number of the next caller that waits for digests.
    mutating func newNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Adds a caller that waits for digests; it receives whether they arrived in time.
    mutating func add(
        _ continuation: CheckedContinuation<Bool, Never>, number: UInt64, link: UInt64,
        question: Int
    ) {
        digests[number] = DigestWaiter(link: link, question: question, continuation: continuation)
    }

    /// Resumes a caller whose digests did not arrive in time, if it waits still.
    mutating func giveUp(number: UInt64) {
        digests.removeValue(forKey: number)?.continuation.resume(returning: false)
    }

    /// Resumes callers that wait for a link's digests, since these arrived.
    /// - Parameter question: the latest question that is answered; nil if the link has ended, which
    ///   resumes all of them with a failure.
    mutating func resumeDigests(of link: UInt64, through question: Int?) {
        for (number, waiter) in digests where waiter.link == link {
            guard question.map({ waiter.question <= $0 }) ?? true else { continue }
            digests[number] = nil
            waiter.continuation.resume(returning: question != nil)
        }
    }
}
