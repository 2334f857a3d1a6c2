internal import FeaturesAPI
internal import PluginKit

/// The inbox: each item stays until I have handled it. Its data is in the table. Only items that
/// strangers caused are shown without being stored.
struct Inbox: Feature {
    let context: PluginContext
    let sources: [any InboxSource]
    private let shown = ShownItems()

    init(context: PluginContext, sources: [any InboxSource]) {
        self.context = context
        self.sources = sources
    }

    /// The maximum number of changed items whose kinds are looked up.
    static let lookedUpCountMax = 256

    /// Names the kinds of the changed items, unless there are very many.
    func events(after changes: [RecordChange]) async throws -> [EventMessage] {
        let items = Set(changes.map(\.entity))
        guard items.count <= Self.lookedUpCountMax else { return [Self.event(ofKinds: nil)] }
        let rows = try await context.replica.rows(
            """
            SELECT kind FROM neighbours_inbox
            WHERE entity IN (\(items.map { _ in "?" }.joined(separator: ", "))) ORDER BY kind
            """, items.map { .bytes($0.bytes) })
        let kinds = rows.compactMap(Self.kind)
        // The kind of an item that is no longer there is not known.
        guard kinds.count == items.count else { return [Self.event(ofKinds: nil)] }
        return [Self.event(ofKinds: kinds)]
    }

    private static func event(ofKinds kinds: [InboxKind]?) -> EventMessage {
        let each = kinds.map { Set($0).sorted { $0.string < $1.string } }
        return EventMessage(InboxEvents.changed, InboxChange(kinds: each))
    }

    private func publish(_ kinds: [InboxKind]) async {
        await context.events.publish(Self.event(ofKinds: kinds))
    }

    /// Adds an item, in place of the one of the same kind and reference.
    /// - Throws: ``CommandFault/failed(_:)`` if the reference is over its limit.
    func post(_ item: InboxItem) async throws {
        try Self.checkLengths(of: item)
        let fields: [String: Value] = [
            "title": .text(InboxLimits.title.clip(item.title) ?? item.kind.string),
            "body": .text(InboxLimits.body.clip(item.body) ?? ""),
            "actions": .list(
                item.actions.prefix(InboxLimits.actionsCountMax).map { .text($0) }),
            "at_ms": .integer(context.now.milliseconds), "handled": .boolean(false),
            "person": item.person.map { .bytes($0.bytes) } ?? .null,
        ]
        let known = try await context.replica.rows(
            "SELECT entity FROM neighbours_inbox WHERE kind = ? AND reference = ?",
            [.text(item.kind.string), .text(item.reference)]
        ).first?.entity("entity")
        if let known {
            try await set(known, fields)
        } else {
            try await create(item, fields.filter { $0.value != .null })
        }
    }

    /// Shows an item without storing it, in place of the shown one of the same kind and reference.
    /// - Throws: ``CommandFault/failed(_:)`` if the reference is over its limit.
    func show(_ item: InboxItem) async throws {
        try Self.checkLengths(of: item)
        let removed = shown.put(item, id: EntityID(raw: context.random.nonce()), at: context.now)
        await publish(removed + [item.kind])
    }

    private static func checkLengths(of item: InboxItem) throws(CommandFault) {
        guard item.reference.utf8.count <= InboxLimits.referenceBytesMax else {
            throw .failed("The inbox item's reference is too long.")
        }
    }

    private func create(_ item: InboxItem, _ fields: [String: Value]) async throws {
        let names: [String: Value] = [
            "kind": .text(item.kind.string), "reference": .text(item.reference),
        ]
        try await context.author(
            [
                .create(
                    collection: Self.inbox.name, nonce: context.random.nonce(),
                    fields: fields.merging(names) { mine, _ in mine })
            ], in: .own(context.me))
    }

    /// Marks all stored items of a reference as handled, and removes the shown ones.
    func settle(reference: String) async throws {
        let removed = shown.remove { $0.item.reference == reference }
        if !removed.isEmpty { await publish(removed) }
        let open = try await context.replica.rows(
            "SELECT entity FROM neighbours_inbox WHERE reference = ? AND handled = 0",
            [.text(reference)])
        for entity in open.compactMap({ $0.entity("entity") }) {
            try await set(entity, ["handled": .boolean(true)])
        }
    }

    /// Performs `inbox handle`.
    func handle(_ prefix: RecordPrefix) async throws -> Done {
        let entities = prefix.entities
        let stored = try await context.replica.rows(
            "SELECT entity FROM neighbours_inbox WHERE entity BETWEEN ? AND ? LIMIT 2",
            [.bytes(entities.lowerBound.bytes), .bytes(entities.upperBound.bytes)]
        ).compactMap { $0.entity("entity") }
        let found = stored + shown.all.map(\.id).filter(entities.contains)
        let id = try prefix.onlyMatch(in: found, of: "inbox item", listedBy: "inbox list")
        let removed = shown.remove { $0.id == id }
        if removed.isEmpty {
            try await set(id, ["handled": .boolean(true)])
        } else {
            await publish(removed)
        }
        return Done()
    }

    private func set(_ entity: EntityID, _ fields: [String: Value]) async throws {
        try await context.author(
            [.set(collection: Self.inbox.name, entity: entity, fields: fields)],
            in: .own(context.me))
    }

    /// Returns the references of one kind that were ever posted, and whether they were handled.
    func references(ofKind kind: InboxKind) async throws -> [String: Bool] {
        let rows = try await context.replica.rows(
            "SELECT reference, handled FROM neighbours_inbox WHERE kind = ?",
            [.text(kind.string)])
        var result: [String: Bool] = [:]
        for row in rows {
            guard let reference = row.text("reference") else { continue }
            result[reference] = (result[reference] ?? true) && row.isTrue("handled")
        }
        return result
    }

    /// Answers `inbox list`: newest first, one item per kind and reference, since two of this
    /// person's devices may both have posted it. Items of blocked people are left out. If there are
    /// too many items, each person's newest ones come first, so that one person cannot hide what
    /// others sent.
    func list() async throws -> InboxList {
        let rows = try await context.replica.rows(
            """
            SELECT * FROM (
                SELECT *, ROW_NUMBER() OVER (
                    PARTITION BY person ORDER BY at_ms DESC, entity) AS turn
                FROM neighbours_inbox
                WHERE person IS NULL OR person NOT IN (SELECT person FROM \(SharedViews.blocked))
                ORDER BY turn, at_ms DESC, entity LIMIT ?)
            ORDER BY at_ms DESC, entity
            """,
            [.integer(Int64(InboxLimits.listedCountMax))])
        let texts = try await texts(of: rows)
        let passing = try await shownItems()
        var seen = Set(passing.map { [$0.kind.string, $0.ref?.string ?? ""] })
        let items = rows.compactMap { row -> InboxList.Item? in
            let reference = row.text("reference") ?? ""
            guard let kind = Self.kind(row), seen.insert([kind.string, reference]).inserted else {
                return nil
            }
            let stored = InboxText(
                title: row.text("title") ?? kind.string, body: row.text("body") ?? "", canAct: true)
            guard let ofKind = texts[kind] else {
                return Self.item(row, kind, reference, stored, stored: stored)
            }
            return ofKind[reference].flatMap { Self.item(row, kind, reference, $0, stored: stored) }
        }
        return InboxList(items: (passing + items).sorted { $0.atMs > $1.atMs })
    }

    /// Returns the items that are shown and not stored, without those of people I block.
    private func shownItems() async throws -> [InboxList.Item] {
        guard !shown.isEmpty else { return [] }
        let blocked = try await context.blockedPeople()
        return shown.all.filter { $0.item.person.map { !blocked.contains($0) } ?? true }
            .map(\.answer)
    }

    /// Returns the texts that features have for their items, by kind and reference.
    private func texts(of rows: [Row]) async throws -> [InboxKind: [String: InboxText]] {
        let names = try await context.core.names()
        var texts: [InboxKind: [String: InboxText]] = [:]
        for source in sources {
            let kind = type(of: source).inboxKind
            let references = Set(
                rows.filter { Self.kind($0) == kind }
                    .compactMap { $0.text("reference") })
            texts[kind] =
                references.isEmpty ? [:] : try await source.inboxTexts(of: references, names: names)
        }
        return texts
    }

    private static func kind(_ row: Row) -> InboxKind? {
        row.text("kind").flatMap { try? InboxKind($0) }
    }

    private static func item(
        _ row: Row, _ kind: InboxKind, _ reference: String, _ text: InboxText, stored: InboxText
    ) -> InboxList.Item? {
        guard let entity = row.entity("entity") else { return nil }
        let actions = text.canAct && !row.isTrue("handled") ? row.texts("actions") ?? [] : []
        return InboxList.Item(
            id: RecordKey(entity), kind: kind,
            title: InboxLimits.title.clip(text.title) ?? kind.string,
            body: InboxLimits.body.clip(text.body ?? stored.body ?? "") ?? "",
            atMs: Timestamp(milliseconds: row.integer("at_ms") ?? 0),
            handled: row.isTrue("handled"), actions: actions, ref: reference)
    }
}
