internal import Records
internal import Sync

/// The costs that each person's links may still cause here, as a value. A person may link several
/// devices, and link again at any time, so if one of the links has used up something, it is used up
/// for all of them.
///
/// For example, Ben's laptop sends eight changes of his public record at once, and his phone one
/// more. The ninth is stored a second later, also if the phone has linked again before.
struct PersonAllowances: Sendable {
    /// The allowances of one person.
    struct Allowances: Sendable {
        /// The signatures of person records that may be checked.
        var records = RecordAllowance()
        /// The changes of person records that may be stored.
        var changes = RecordChanges()
        /// The ranges of batches that may be hashed.
        var audits = AuditAllowance()
        /// The content that may be sent.
        var content = ContentAllowance()
        /// The content of open spaces that may be sent.
        var openContent = ContentAllowance(bytesPerSecond: ContentAllowance.openBytesPerSecond)
        fileprivate var lastUse: Duration = .zero
    }

    /// The time after its last use at which an allowance is whole again, and is forgotten.
    static let idleMax: Duration = .seconds(60)

    private var byPerson: [PersonID: Allowances] = [:]

    /// The number of people whose allowances are remembered.
    var count: Int { byPerson.count }

    /// Charges a person's allowances.
    mutating func charge<Result>(
        _ person: PersonID, now: Duration, _ body: (inout Allowances) -> Result
    ) -> Result {
        if byPerson[person] == nil {
            byPerson = byPerson.filter { now - $0.value.lastUse < Self.idleMax }
        }
        byPerson[person, default: Allowances()].lastUse = now
        return body(&byPerson[person, default: Allowances()])
    }
}

extension PersonAllowances.Allowances {
    /// Charges the allowances for a record.
    /// - Parameters:
    ///   - checksCount: the number of signatures to check; nil if it says nothing new.
    ///   - isChange: whether it takes a transaction to change what is stored, if it says something
    ///     new.
    /// - Returns: how long to wait first.
    mutating func spend(checksCount: Int?, isChange: Bool, uptime: Duration) -> Duration {
        guard let checksCount else { return records.spendRepeat(uptime: uptime) }
        let pause = records.spend(checksCount, uptime: uptime)
        return isChange ? max(pause, changes.spend(uptime: uptime)) : pause
    }

    /// Charges the allowances for a record, unless that would take longer than a limit.
    /// - Returns: how long to wait first; nil if that is over the limit, and nothing is charged.
    mutating func spend(
        checksCount: Int?, isChange: Bool, uptime: Duration, pauseMax: Duration
    ) -> Duration? {
        var charged = self
        let pause = charged.spend(checksCount: checksCount, isChange: isChange, uptime: uptime)
        guard pause <= pauseMax else { return nil }
        self = charged
        return pause
    }
}
