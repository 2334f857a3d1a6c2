internal import Records

/// Limits how often batches are sent again on a link.
///
/// A batch is sent again once on request, since a frame may be lost. Each further repeat of it, or
/// of an earlier batch of the log, requires one more answered question for digests than the last
/// repeat did, and these questions are asked at growing intervals. So a peer that stores nothing
/// does not make this side send for ever, and earlier losses do not delay the repair of a new one.
struct RepeatAllowance: Sendable {
    private var answersCount = 0
    private var logs: [LogName: Repeats] = [:]

    /// The repeats of one log.
    private struct Repeats {
        /// The highest batch number that was sent again.
        var through: UInt64
        /// The number of repeats that included earlier repeated batches, plus the first repeat.
        var count = 1
        /// The number of answered questions at the last of these repeats.
        var answersCount: Int
    }

    /// Records that a question was answered.
    mutating func recordAnswer() { answersCount += 1 }

    /// Records a repeat of a log's batches after one number and up to another, if it is permitted
    /// now.
    /// - Returns: false if it is too early.
    mutating func permitRepeat(of log: LogName, after known: UInt64, through last: UInt64) -> Bool {
        guard answersCount > 0 else { return false }
        guard var repeats = logs[log] else {
            logs[log] = Repeats(through: last, answersCount: answersCount)
            return true
        }
        if known < repeats.through {
            guard answersCount - repeats.answersCount > repeats.count else { return false }
            repeats.count += 1
            repeats.answersCount = answersCount
        }
        repeats.through = max(repeats.through, last)
        logs[log] = repeats
        return true
    }
}
