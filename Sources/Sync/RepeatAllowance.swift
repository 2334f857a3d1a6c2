internal import Records

/// How often what was sent on a link may be sent again. A batch is sent again once for the asking,
/// since one frame may be lost. From then on each repeat with that batch, or an earlier one, waits
/// for one answer to a question for digests more than the last, and these are asked at growing
/// intervals. So a peer that keeps nothing does not make this side send for ever, and what is lost
/// today does not wait for what was lost in the past.
struct RepeatAllowance: Sendable {
    private var answersCount = 0
    private var logs: [LogName: Taken] = [:]

    /// What was sent again of one log.
    private struct Taken {
        /// The last batch that was ever sent again.
        var through: UInt64
        /// Repeats with batches that were sent again before, and the very first.
        var count = 1
        /// How many questions had been answered at the last of these repeats.
        var answersCount: Int
    }

    /// A question was answered.
    mutating func noteAnswer() { answersCount += 1 }

    /// Takes a repeat of a log's batches after one number and up to another, or says that it is too
    /// early.
    mutating func take(_ log: LogName, after known: UInt64, through last: UInt64) -> Bool {
        guard answersCount > 0 else { return false }
        guard var taken = logs[log] else {
            logs[log] = Taken(through: last, answersCount: answersCount)
            return true
        }
        if known < taken.through {
            guard answersCount - taken.answersCount > taken.count else { return false }
            taken.count += 1
            taken.answersCount = answersCount
        }
        taken.through = max(taken.through, last)
        logs[log] = taken
        return true
    }
}
