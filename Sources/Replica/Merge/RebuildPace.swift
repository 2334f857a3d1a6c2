internal import Records

/// Limits how much of the replica's time one person's batches may cost by making it merge whole
/// spaces again: a fork, an erase of a record that is not erasable alone, or a cut that changes
/// which batches count.
///
/// Each such batch is charged with the work of its rebuild. That work is known only afterwards.
/// Before, it is estimated from the number of the space's batches, or from the last rebuild. A
/// person who owes ``RebuildDebt/unitsMax`` waits until ``RebuildDebt/unitsPerSecond`` have paid
/// for the next one. In a space of 1000 batches with a few operations each, 20 rebuilds may happen
/// at once and then one per second; in a space of 100 000 such batches one, and the next after
/// 100 s. Batches that need no rebuild are stored meanwhile.
struct RebuildPace {
    /// The people who have not paid yet.
    private var debts: [PersonID: RebuildDebt] = [:]

    /// The number of people who have not paid yet.
    var debtorsCount: Int { debts.count }

    /// Charges a person with a rebuild.
    /// - Parameter units: the estimated work.
    /// - Returns: false if the person must wait; nothing is charged then.
    mutating func charge(_ person: PersonID, _ units: Int, wallTime: Timestamp) -> Bool {
        guard debts[person]?.allows(units, at: wallTime) ?? true else {
            // A clock that was set back counts from now on.
            debts[person]?.add(0, wallTime: wallTime)
            return false
        }
        add(units, to: person, wallTime: wallTime)
        return true
    }

    /// Adds work to what a person owes, or corrects an estimate with a negative number.
    mutating func add(_ units: Int, to person: PersonID, wallTime: Timestamp) {
        debts = debts.filter { $0.value.units(at: wallTime) > 0 }
        debts[person, default: RebuildDebt()].add(units, wallTime: wallTime)
    }
}
