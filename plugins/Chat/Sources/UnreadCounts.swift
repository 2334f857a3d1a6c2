internal import PluginKit

/// The number of unread messages of each log as it was last counted, so that a message that arrives
/// is added to the number instead of having all of them counted again.
///
/// For example, log 5 is read up to number 10, and 11 to 510 were counted: 500 messages. When 511
/// arrives, only the messages after 510 are looked up. Once 510 is read, the log is counted anew
/// from there. A message that is erased or hidden makes its space's counts void. If the log turns
/// out to be forked at 400, its messages from there on are in other logs: the last of log 5 is 399
/// now, so what was counted through 511 does not hold.
struct UnreadCounts: Sendable {
    /// A log of another person, the last number in it that I have read, and the number of its last
    /// message, or 0.
    struct Reach: Hashable, Sendable {
        let space: SpaceID
        let log: Int64
        let reached: Int64
        let last: Int64
    }

    private struct Entry {
        let reached: Int64
        /// The last number of the log that was counted; later ones are looked up.
        var through: Int64
        var count: Int
    }

    /// The counts by space and log.
    private var entries: [SpaceID: [Int64: Entry]] = [:]
    /// Changes whenever counts become void, so that numbers that were looked up before that are not
    /// recorded after it.
    private(set) var generation = 0

    /// Returns the number of each log after which messages must be looked up. A log with
    /// ``ChatLimits/unreadCountMax`` is missing: more are not counted.
    func missing(of reaches: [Reach]) -> [(reach: Reach, after: Int64)] {
        reaches.compactMap { reach in
            guard let entry = entry(of: reach) else { return (reach, reach.reached) }
            return entry.count < ChatLimits.unreadCountMax ? (reach, entry.through) : nil
        }
    }

    /// Adds the numbers that were found after those that ``missing(of:)`` returned. Another request
    /// may have counted some of the same messages meanwhile, or from a later number on.
    mutating func add(_ numbers: [Int64: [Int64]], to missing: [(reach: Reach, after: Int64)]) {
        for (reach, after) in missing {
            let isFirst = entry(of: reach) == nil
            if isFirst, after != reach.reached || isPassed(reach) { continue }
            var entry = entry(of: reach) ?? Entry(reached: reach.reached, through: after, count: 0)
            let new = (numbers[reach.log] ?? []).filter { $0 > entry.through }
            entry.count += new.count
            entry.through = max(entry.through, new.max() ?? 0)
            entries[reach.space, default: [:]][reach.log] = entry
        }
    }

    /// Whether the log was counted from a later number on.
    private func isPassed(_ reach: Reach) -> Bool {
        entries[reach.space]?[reach.log].map { $0.reached > reach.reached } ?? false
    }

    /// Returns the number of unread messages by space, at most ``ChatLimits/unreadCountMax`` each.
    /// Those that arrived after `reaches` were read count if they were looked up since.
    func counts(of reaches: [Reach]) -> [SpaceID: Int] {
        reaches.reduce(into: [:]) { counts, reach in
            let entry = entries[reach.space]?[reach.log]
            let count = entry.flatMap { $0.reached == reach.reached ? $0.count : nil } ?? 0
            counts[reach.space] = min(
                (counts[reach.space] ?? 0) + count, ChatLimits.unreadCountMax)
        }
    }

    /// Whether a message is not part of a count yet. Then it changes nothing that was counted.
    func isNew(in space: SpaceID, log: Int64, number: Int64) -> Bool {
        guard let entry = entries[space]?[log] else { return true }
        return number > entry.through
    }

    /// Whether there are counts of a space.
    func knows(_ space: SpaceID) -> Bool { entries[space] != nil }

    /// Makes the counts of a space void; nil means those of all spaces.
    mutating func forget(_ space: SpaceID?) {
        generation += 1
        if let space { entries[space] = nil } else { entries = [:] }
    }

    /// Returns what was counted, if it was counted from the same number on and all of it is still
    /// in the log.
    private func entry(of reach: Reach) -> Entry? {
        guard let entry = entries[reach.space]?[reach.log], entry.reached == reach.reached,
            entry.through <= max(reach.reached, reach.last)
        else { return nil }
        return entry
    }
}
