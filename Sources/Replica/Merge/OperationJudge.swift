internal import Records

/// Judges single operations. A verdict depends on replicated facts alone, so it is the same on
/// every replica for ever.
///
/// Control operations are judged by ``Membership``; they write no table.
struct OperationJudge {
    let space: SpaceDescriptor
    let spaceID: SpaceID
    private let kind: SpaceKind
    let catalog: Catalog
    /// The logs whose authors may not write there.
    let silentLogs: Set<LogName>

    init(_ space: SpaceState, _ catalog: Catalog) {
        self.space = space.descriptor
        spaceID = space.id
        kind = space.descriptor.kind
        self.catalog = catalog
        silentLogs = space.silentLogs
    }

    private func isSilent(_ author: PlacedBatch.Author) -> Bool {
        !silentLogs.isEmpty && silentLogs.contains(author.log)
    }

    /// The effect of an operation.
    enum Verdict {
        /// The operation breaks a rule and has no effect.
        case void
        /// Its collection or field is not declared here, or it is a control operation. It stays in
        /// the log.
        case unknown
        /// Its entity is not known here yet.
        case waits
        /// It begins an entity.
        case begins(MaterialisedTable)
        /// It writes a field.
        case writes(MaterialisedTable, MaterialisedField)
    }

    /// Judges an operation that begins an entity.
    func verdict(onCreate operation: Operation, by author: PlacedBatch.Author) -> Verdict {
        guard operation.collection != .control else { return .unknown }
        guard !isSilent(author) else { return .void }
        guard let table = catalog[operation.collection] else { return .unknown }
        guard table.isFor(kind) else { return .void }
        let expected: EntityID
        switch operation.action {
        case .create(let nonce):
            guard !table.collection.isOnePerPerson else { return .void }
            expected =
                kind == .open
                ? Operation.entity(
                    in: spaceID, of: operation.collection, by: author.person, nonce: nonce)
                : Operation.entity(
                    in: spaceID, of: operation.collection, by: author.log.device, nonce: nonce)
        case .createOwn:
            expected = Operation.ownEntity(
                in: spaceID, of: operation.collection, person: author.person)
        default: return .void
        }
        return operation.entity == expected ? .begins(table) : .void
    }

    /// Judges an operation that writes a field.
    /// - Parameters:
    ///   - table: the table of the operation's collection, if that is declared here.
    ///   - creator: the person who created the entity, or nil while it is not known.
    ///   - isCreating: whether the operation's own batch creates the entity.
    func verdict(
        onWrite operation: Operation, in table: MaterialisedTable?,
        by author: PlacedBatch.Author, creator: PersonID?, isCreating: Bool
    ) -> Verdict {
        guard operation.collection != .control else { return .unknown }
        guard !isSilent(author) else { return .void }
        guard let table else { return .unknown }
        guard table.isFor(kind) else { return .void }
        guard let number = operation.action.fieldNumber else { return .void }
        guard let field = table.materialised(number) else { return .unknown }
        guard field.field.accepts(operation.action) else { return .void }
        // In an open space each edit writes its record anew, so that none depends on a batch that
        // expires before it, and strangers cannot add to the work on anybody's records.
        guard kind != .open || isCreating else { return .void }
        guard let creator else { return .waits }
        guard field.field.merge != .append || isCreating else { return .void }
        guard mayWrite(field.field, author.person, creator: creator) else { return .void }
        return .writes(table, field)
    }

    /// Whether a person may write a field. If another field names the writer, everybody may: the
    /// table shows only the writes of the named person, even if that person is named later.
    func mayWrite(
        _ field: RecordCollection.Field, _ person: PersonID, creator: PersonID
    ) -> Bool {
        switch field.writer {
        case .creator: person == creator
        case .owner: person == space.owner
        case .anyMember, .named: true
        }
    }
}

extension Operation.Action {
    /// The field that is written, or nil for operations on whole entities.
    fileprivate var fieldNumber: UInt64? {
        switch self {
        case .set(let field, _), .add(let field, _), .remove(let field, _), .count(let field, _):
            field
        case .create, .createOwn, .grant, .accept, .cut, .erase: nil
        }
    }
}

extension RecordCollection.Field {
    /// Whether the field merges operations of this kind, and the value is within its limits.
    func accepts(_ action: Operation.Action) -> Bool {
        switch (merge, action) {
        case (.lastWriter, .set(_, let value)), (.firstWriter, .set(_, let value)),
            (.append, .set(_, let value)):
            type.admits(value)
        case (.addWinsSet, .add(_, let value)): value != .null && type.admits(value)
        case (.addWinsSet, .remove), (.counter, .count): true
        default: false
        }
    }
}
