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

    private var debts: [PersonID: Debt] = [:]

    private struct Debt {
        var batchesCount: Int
        /// The time of the last charge.
        var since: Timestamp

        mutating func settle(_ wallTime: Timestamp) {
            // A clock that was set back forgives nothing for the time in between.
            let elapsed = max(0, (wallTime - since).milliseconds)
            let limit = Int64(batchesCount) * 1000 / Int64(RebuildPace.batchesPerSecond) + 1
            batchesCount = max(
                0, batchesCount - Int(min(elapsed, limit)) * RebuildPace.batchesPerSecond / 1000)
            since = wallTime
        }
    }

    /// Charges a person with a rebuild.
    /// - Parameter count: the number of batches of the space.
    /// - Returns: false if the person must wait; nothing is charged then.
    mutating func charge(_ person: PersonID, _ count: Int, wallTime: Timestamp) -> Bool {
        var debt = debts[person] ?? Debt(batchesCount: 0, since: wallTime)
        debt.settle(wallTime)
        let isFree = debt.batchesCount == 0
        guard isFree || debt.batchesCount + count <= RebuildPace.batchesMax else {
            debts[person] = debt
            return false
        }
        debt.batchesCount += count
        debts[person] = debt
        return true
    }
}
