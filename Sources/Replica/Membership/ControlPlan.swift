internal import Records

/// Turns control edits into operations, and refuses those that would be void.
///
/// Example: Ann founded the group, Bob is a writer. Ann may grant Cem any role, make Bob an owner,
/// or cut Bob; the cut names the heads of Bob's logs, and his batches after them do not count. If
/// she makes Bob an owner, he ranks below her: he may grant and cut Cem, but not her. Bob's grant
/// to Cem as a writer is refused with ``EditFault/notAnOwner``, and Ann's attempt to make an owner
/// a reader with ``EditFault/demotesWithoutCut(_:)``: she cuts the owner and grants the lower role
/// in one batch. If Ann invited Dora as an owner, Dora may accept and grant in one batch, in this
/// order.
struct ControlPlan {
    private let space: SpaceState
    private let person: PersonID
    private let row: LogName

    /// - Parameters:
    ///   - person: the person who edits.
    ///   - row: the row for the batch.
    init(space: SpaceState, person: PersonID, row: LogName) {
        self.space = space
        self.person = person
        self.row = row
    }

    private var membership: Membership { space.membership }

    /// Whether a person leaves from a device that has written nothing yet, while their other
    /// devices have. A member's own cut names the log that contains it, so that log must have
    /// begun.
    func mustBeginLog(for edits: [ControlEdit]) -> Bool {
        edits.contains(.leave) && (space.logs[row]?.counts ?? false) == false
            && !heads(of: person).isEmpty
    }

    /// Returns the operations of one batch.
    /// - Throws: the first ``EditFault`` found, in the order of the edits.
    func operations(for edits: [ControlEdit]) throws(EditFault) -> [Operation] {
        guard space.descriptor.kind == .group else { throw .notAGroup(space.descriptor.kind) }
        guard !edits.isEmpty else { throw .nothingToWrite }
        var earlier: [ControlEdit] = []
        var operations: [Operation] = []
        for edit in edits {
            operations.append(Operation(control: try action(edit, after: earlier)))
            earlier.append(edit)
        }
        return operations
    }

    /// - Parameter earlier: the edits of the same batch before this one.
    private func action(
        _ edit: ControlEdit, after earlier: [ControlEdit]
    ) throws(EditFault) -> Operation.Action {
        let hasAccepted = earlier.contains(.accept)
        switch edit {
        case .grant(let subject, let role):
            try requireOwner(over: subject, hasAccepted: hasAccepted)
            if !earlier.contains(.cut(subject)) { try requireRise(subject, role) }
            return .grant(subject, role)
        case .cut(let subject):
            try requireOwner(over: subject, hasAccepted: hasAccepted)
            guard isServed(subject) else { throw .notAMember(subject) }
            return .cut(subject, try named(subject))
        case .accept:
            guard let member = membership.member(person) else { throw .notAMember(person) }
            guard member.state == .invited, !hasAccepted else { throw .isMember(person) }
            return .accept
        case .leave:
            guard isServed(person) else { throw .notAMember(person) }
            return .cut(person, try named(person))
        }
    }

    private func isServed(_ person: PersonID) -> Bool {
        membership.member(person)?.isServed ?? false
    }

    /// - Parameter hasAccepted: whether the same batch accepts the role first.
    private func requireOwner(
        over subject: PersonID, hasAccepted: Bool
    ) throws(EditFault) {
        let isOwner =
            membership.isOwner(person, in: row)
            || hasAccepted && membership.member(person)?.role == .owner
        guard isOwner, let level = membership.level(of: person) else { throw .notAnOwner }
        guard membership.level(of: subject).map({ $0 > level }) ?? true else {
            throw .outranked(subject)
        }
    }

    private func requireRise(_ subject: PersonID, _ role: Role) throws(EditFault) {
        guard let member = membership.member(subject), member.isServed else { return }
        guard member.role != role else { throw .isMember(subject) }
        guard member.role.rawValue < role.rawValue else { throw .demotesWithoutCut(subject) }
    }

    private func named(_ subject: PersonID) throws(EditFault) -> [LogHead] {
        let heads = heads(of: subject)
        guard heads.count <= Limits.cutsMax else { throw .tooManyLogs(subject) }
        return heads
    }

    /// Returns the heads of a person's logs that count, in the order a cut names them.
    private func heads(of subject: PersonID) -> [LogHead] {
        space.paths.all.filter { space.logs[$0.state.log]?.person == subject }.map(\.state.head)
    }

    // MARK: The effect

    /// Evaluates the space with a batch added; every operation of the batch must count.
    /// - Throws: ``EditFault/outranked(_:)``.
    func requireEffect(of batch: CheckedBatch, _ batches: BatchTable) throws {
        guard let body = batch.body else { return }
        var after = space
        var entry = after.logs[row] ?? SpaceState.LogEntry(number: 0, person: person)
        entry.append(batch)
        let placed = PlacedBatch(
            place: BatchPlace(log: entry.number, number: batch.header.number),
            author: PlacedBatch.Author(log: row, person: person), stamp: batch.header.stamp,
            hash: batch.hash, body: body)
        after.learn(placed.controlFacts)
        try after.refreshMembership(batches)
        for fact in placed.controlFacts where !hasEffect(fact, after.membership) {
            throw EditFault.outranked(fact.subject ?? person)
        }
    }

    private func hasEffect(_ fact: ControlFact, _ after: Membership) -> Bool {
        guard after.counts(fact) else { return false }
        guard case .grant(let subject, let role) = fact.action else { return true }
        return after.member(subject)?.role == role
    }
}
