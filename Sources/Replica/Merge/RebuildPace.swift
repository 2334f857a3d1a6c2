internal import Records

/// Limits how much of the replica's time one person's batches may cost by making it merge whole
/// spaces again: a fork, an erase of a record that is not erasable alone, or a cut that changes
/// which batches count.
///
/// Each such batch is charged with the batches of its space. A person who has used up
/// ``batchesMax`` waits until ``batchesPerSecond`` have paid for the next one. In a space of 1000
/// batches that are 20 rebuilds at once and then one per second; in a space of 100 000 batches it
/// is one, and the next after 100 s. Batches in between are stored for everybody.
struct RebuildPace {
    /// The number of batches that a person may make the replica merge again without a pause.
    static let batchesMax = 20_000
    /// The number of batches that are forgiven per second.
    static let batchesPerSecond = 1000

    /// The people who have not paid yet.
    private var debts: [PersonID: Debt] = [:]

    /// The number of people who have not paid yet.
    var debtorsCount: Int { debts.count }

    private struct Debt {
        var batchesCount: Int
        /// The time of the last charge.
        var since: Timestamp

        /// Returns what is left at a time; nil if nothing is.
        func settled(_ wallTime: Timestamp) -> Debt? {
            // A clock that was set back forgives nothing for the time in between.
            let elapsed = max(0, (wallTime - since).milliseconds)
            let limit = Int64(batchesCount) * 1000 / Int64(RebuildPace.batchesPerSecond) + 1
            let paid = Int(min(elapsed, limit)) * RebuildPace.batchesPerSecond / 1000
            guard paid < batchesCount else { return nil }
            return Debt(batchesCount: batchesCount - paid, since: wallTime)
        }
    }

    /// Charges a person with a rebuild.
    /// - Parameter count: the number of batches of the space.
    /// - Returns: false if the person must wait; nothing is charged then.
    mutating func charge(_ person: PersonID, _ count: Int, wallTime: Timestamp) -> Bool {
        debts = debts.compactMapValues { $0.settled(wallTime) }
        let owed = debts[person]?.batchesCount ?? 0
        guard owed == 0 || owed + count <= RebuildPace.batchesMax else { return false }
        debts[person] = Debt(batchesCount: owed + count, since: wallTime)
        return true
    }
}
