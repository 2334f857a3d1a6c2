internal import Records

/// Limits how much of the replica's time one person's batches may cost by making it merge again
/// what is merged already: a whole space because of a fork, of an erase of a record that is not
/// erasable alone, or of a cut that changes which batches count; single records because of other
/// erases.
///
/// Each such batch is charged with the work that it causes. That work is known only afterwards.
/// Before, it is estimated: for a space from the number of its batches, or from the last rebuild;
/// for records from the number of batches that write them. A person who owes
/// ``RebuildDebt/unitsMax`` waits until ``RebuildDebt/unitsPerSecond`` have paid for the next one.
/// In a space of 1000 batches with a few operations each, 20 rebuilds may happen at once and then
/// one per second; in a space of 100 000 such batches one, and the next after 100 s. Batches that
/// need no such work are stored meanwhile.
///
/// The estimate costs work too. So after a refusal, nothing more of that person is estimated before
/// the refused work could be done.
struct RebuildPace {
    /// The work that a person has not paid for yet.
    private struct Account {
        var debt = RebuildDebt()
        /// The work that was refused last and not done since; 0 if none was.
        var refusedUnits = 0
    }

    /// The people who have not paid yet.
    private var accounts: [PersonID: Account] = [:]

    /// The number of people who have not paid yet.
    var debtorsCount: Int { accounts.count }

    /// Whether work of a person was refused and could still not be done.
    mutating func mustWait(_ person: PersonID, wallTime: Timestamp) -> Bool {
        guard let account = accounts[person],
            !account.debt.allows(account.refusedUnits, at: wallTime)
        else { return false }
        // A clock that was set back counts from now on.
        accounts[person]?.debt.add(0, wallTime: wallTime)
        return true
    }

    /// Charges a person with work.
    /// - Parameter units: the estimated work.
    /// - Returns: false if the person must wait; nothing is charged then.
    mutating func charge(_ person: PersonID, _ units: Int, wallTime: Timestamp) -> Bool {
        guard !mustWait(person, wallTime: wallTime) else { return false }
        guard accounts[person]?.debt.allows(units, at: wallTime) ?? true else {
            accounts[person]?.refusedUnits = units
            accounts[person]?.debt.add(0, wallTime: wallTime)
            return false
        }
        add(units, to: person, wallTime: wallTime)
        accounts[person]?.refusedUnits = 0
        return true
    }

    /// Adds work to what a person owes, or corrects an estimate with a negative number.
    mutating func add(_ units: Int, to person: PersonID, wallTime: Timestamp) {
        accounts = accounts.filter { $0.value.debt.units(at: wallTime) > 0 }
        accounts[person, default: Account()].debt.add(units, wallTime: wallTime)
    }
}
