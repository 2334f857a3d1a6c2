public import PluginKit

/// The inbox: what I should see stays until I have dealt with it, whatever became of its
/// notification.
extension Neighbours {
    /// Puts an item in, in place of the one of the same kind and reference.
    /// - Throws: ``CommandFault/failed(_:)`` for a kind or reference over its limit.
    public func postToInbox(_ item: InboxItem) async throws {
        guard item.kind.utf8.count <= InboxLimits.wordBytesMax,
            item.reference.utf8.count <= InboxLimits.referenceBytesMax
        else { throw CommandFault.failed("The inbox item's kind or reference is too long.") }
        let fields: [String: Value] = [
            "title": .text(InboxLimits.title.clip(item.title) ?? item.kind),
            "body": .text(InboxLimits.body.clip(item.body) ?? ""),
            "actions": .list(
                item.actions.prefix(InboxLimits.actionsCountMax).map { .text($0) }),
            "at_ms": .integer(nowMs), "handled": .boolean(false),
            "person": item.person.map { .bytes($0.bytes) } ?? .null,
        ]
        let known = try await context.replica.rows(
            "SELECT entity FROM neighbours_inbox WHERE kind = ? AND reference = ?",
            [.text(item.kind), .text(item.reference)]
        ).first?.entity("entity")
        if let known {
            try await setInbox(known, fields)
        } else {
            let names: [String: Value] = [
                "kind": .text(item.kind), "reference": .text(item.reference),
            ]
            let set = fields.filter { $0.value != .null }
            try await author(
                [
                    .create(
                        collection: Self.inbox.name, nonce: context.random.nonce(),
                        fields: set.merging(names) { mine, _ in mine })
                ], in: .own(context.me))
        }
    }

    /// Marks all items of a reference as handled.
    public func settleInbox(reference: String) async throws {
        let open = try await context.replica.rows(
            "SELECT entity FROM neighbours_inbox WHERE reference = ? AND handled = 0",
            [.text(reference)])
        for row in open {
            if let entity = row.entity("entity") {
                try await setInbox(entity, ["handled": .boolean(true)])
            }
        }
    }

    /// Does `inbox handle`.
    func handleInbox(_ text: String) async throws -> JSONValue {
        let id = EntityID(text).map { Value.bytes($0.bytes) } ?? .null
        let row = try await context.replica.rows(
            "SELECT entity FROM neighbours_inbox WHERE entity = ?", [id]
        ).first
        guard let entity = row?.entity("entity") else {
            throw CommandFault.notFound("There is no inbox item \(text); see 'inbox list'.")
        }
        try await setInbox(entity, ["handled": .boolean(true)])
        return .object([:])
    }

    private func setInbox(_ entity: EntityID, _ fields: [String: Value]) async throws {
        try await author(
            [.set(collection: Self.inbox.name, entity: entity, fields: fields)],
            in: .own(context.me))
    }

    /// The references of one kind that were ever posted, and whether they were handled.
    public func inboxReferences(ofKind kind: String) async throws -> [String: Bool] {
        let rows = try await context.replica.rows(
            "SELECT reference, handled FROM neighbours_inbox WHERE kind = ?", [.text(kind)])
        var result: [String: Bool] = [:]
        for row in rows {
            guard let reference = row.text("reference") else { continue }
            result[reference] = (result[reference] ?? true) && row.isTrue("handled")
        }
        return result
    }

    /// Answers `inbox list`: newest first, one item per kind and reference, since two devices of
    /// mine may both have posted it. What comes from people whom I block is left out.
    func listInbox() async throws -> JSONValue {
        let rows = try await context.replica.rows(
            """
            SELECT * FROM neighbours_inbox
            WHERE person IS NULL OR person NOT IN (SELECT person FROM neighbours_blocked)
            ORDER BY at_ms DESC, entity LIMIT ?
            """,
            [.integer(Int64(InboxLimits.listedCountMax))])
        let requests = try await walks(inItems: rows)
        let notices = try await notices(inItems: rows)
        let names = try await names()
        var seen: Set<[String]> = []
        let items = rows.compactMap { row -> JSONValue? in
            let kind = row.text("kind") ?? ""
            let reference = row.text("reference") ?? ""
            guard seen.insert([kind, reference]).inserted else { return nil }
            let body = row.text("body") ?? ""
            switch kind {
            case Self.walkKind:
                guard let request = requests[reference] else { return nil }
                return Self.inboxJSON(
                    row, kind, reference, request.inboxWords(name: names[request.person]),
                    canAct: request.facts.state(nowMs: nowMs) == .pending)
            case Self.groupKind:
                guard let notice = notices[reference] else { return nil }
                let title = notice.inboxTitle(name: names[notice.sender])
                return Self.inboxJSON(row, kind, reference, (title, body), canAct: true)
            default:
                let words = (row.text("title") ?? kind, body)
                return Self.inboxJSON(row, kind, reference, words, canAct: true)
            }
        }
        return ["items": .array(items)]
    }

    /// The invitations that items are about, by reference, which are shown like requests.
    private func notices(inItems rows: [Row]) async throws -> [String: Notice] {
        guard rows.contains(where: { $0.text("kind") == Self.groupKind }) else { return [:] }
        return Dictionary(
            try await noticesByGroup().values.joined().map { ($0.id.description, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The requests that items are about, by reference. An item shows the request's own words and
    /// keeps no copy of them: what its author erases is gone from here too.
    private func walks(inItems rows: [Row]) async throws -> [String: WalkRequest] {
        var requests: [String: WalkRequest] = [:]
        for row in rows where row.text("kind") == Self.walkKind {
            guard let reference = row.text("reference"), let id = EntityID(reference),
                requests[reference] == nil
            else { continue }
            requests[reference] = try await walk(id)
        }
        return requests
    }

    private static func inboxJSON(
        _ row: Row, _ kind: String, _ reference: String, _ words: (title: String, body: String),
        canAct: Bool
    ) -> JSONValue? {
        guard let entity = row.entity("entity") else { return nil }
        let actions = canAct && !row.isTrue("handled") ? row.texts("actions") ?? [] : []
        return [
            "id": .string(entity.description), "kind": .string(kind),
            "title": .string(InboxLimits.title.clip(words.title) ?? kind),
            "body": .string(InboxLimits.body.clip(words.body) ?? ""),
            "atMs": .integer(row.integer("at_ms") ?? 0), "handled": .boolean(row.isTrue("handled")),
            "actions": .array(actions.map { .string($0) }), "ref": .string(reference),
        ]
    }
}
