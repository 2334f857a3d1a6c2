internal import FeaturesAPI
internal import PluginKit

/// The inbox: each item stays until I have handled it. Its data is in the table. Items that
/// strangers caused are shown without being stored, and so are for a while those of a person who
/// caused many; see ``CausedWrites``.
struct Inbox: Feature {
    let context: PluginContext
    let sources: [any InboxSource]
    /// Rings when an item begins to wait.
    let alarm: Alarm
    private let shown = ShownItems()
    private let waiting = WaitingItems()
    private let writes = CausedWrites()

    init(context: PluginContext, alarm: Alarm, sources: [any InboxSource]) {
        self.context = context
        self.alarm = alarm
        self.sources = sources
    }

    func tick() async throws {
        guard writes.removeRetry(now: context.clock.uptime) else { return }
        defer {
            for cause in Set(waiting.all.map(\.cause)) {
                writes.requestRetry(cause, now: context.clock.uptime)
            }
        }
        var tried: Set<CausedWrites.Cause> = []
        for cause in waiting.all.map(\.cause) where tried.insert(cause).inserted {
            guard writes.permit(cause, now: context.clock.uptime) else { continue }
            try await storeWaiting(of: cause)
        }
    }

    func untilDue() -> Duration? { writes.untilRetry(now: context.clock.uptime) }

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

    /// Adds an item, in place of the one of the same kind and reference. If the person it comes
    /// from caused many lately, it waits in memory and is stored later, with others.
    /// - Throws: ``CommandFault/failed(_:)`` if the reference is over its limit.
    func post(_ item: InboxItem) async throws {
        try Self.checkLengths(of: item)
        var new = WaitingItems.Waiting(item: item.clipped, at: context.now)
        guard writes.permit(new.cause, now: context.clock.uptime) else {
            new.id = EntityID(raw: context.random.nonce())
            let removed = waiting.put(new)
            alarm.ring()
            return await publish(removed + [item.kind])
        }
        for old in waiting.all where old.item.isSame(as: item) { _ = waiting.remove(old.id) }
        try await store([new])
    }

    /// Stores the oldest waiting items of one cause in one batch.
    private func storeWaiting(of cause: CausedWrites.Cause) async throws {
        var items: [WaitingItems.Waiting] = []
        var bytesCount = 0
        for one in waiting.all where one.cause == cause {
            bytesCount += one.item.bytesCount
            guard items.isEmpty || bytesCount <= InboxLimits.storedTogetherBytesMax else { break }
            items.append(one)
        }
        try await store(items)
        for one in items {
            // It may have been settled in the meantime.
            guard let now = waiting.remove(one.id), now.isHandled, !one.isHandled else { continue }
            try await settle(reference: one.item.reference)
        }
    }

    private func store(_ items: [WaitingItems.Waiting]) async throws {
        var edits: [Edit] = []
        for item in items { edits.append(try await edit(storing: item)) }
        try await context.author(edits, in: .own(context.me))
    }

    private func edit(storing waiting: WaitingItems.Waiting) async throws -> Edit {
        let item = waiting.item
        let fields: [String: Value] = [
            "title": .text(item.title.english), "body": .text(item.body.english),
            "sentences": InboxSentences(item).stored.map { .text($0) } ?? .null,
            "actions": .list(item.actions.map { .text($0) }),
            "at_ms": .integer(waiting.at.milliseconds), "handled": .boolean(waiting.isHandled),
            "person": item.person.map { .bytes($0.bytes) } ?? .null,
        ]
        let known = try await context.replica.rows(
            "SELECT entity FROM neighbours_inbox WHERE kind = ? AND reference = ?",
            [.text(item.kind.string), .text(item.reference)]
        ).first?.entity("entity")
        if let known {
            return .set(collection: Self.inbox.name, entity: known, fields: fields)
        }
        let names: [String: Value] = [
            "kind": .text(item.kind.string), "reference": .text(item.reference),
        ]
        return .create(
            collection: Self.inbox.name, nonce: context.random.nonce(),
            fields: fields.filter { $0.value != .null }.merging(names) { mine, _ in mine })
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

    /// Marks all stored and waiting items of a reference as handled, and removes the shown ones.
    func settle(reference: String) async throws {
        let changed =
            shown.remove { $0.item.reference == reference } + waiting.settle(reference: reference)
        if !changed.isEmpty { await publish(changed) }
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
        let inMemory = shown.all.map(\.id) + waiting.all.map(\.id)
        let found = stored + inMemory.filter(entities.contains)
        let id = try prefix.onlyMatch(in: found, of: "inbox item", listedBy: "inbox list")
        let removed = shown.remove { $0.id == id }
        if !removed.isEmpty {
            await publish(removed)
        } else if var item = waiting.all.first(where: { $0.id == id }) {
            item.isHandled = true
            try await store([item])
            _ = waiting.remove(id)
        } else {
            try await set(id, ["handled": .boolean(true)])
        }
        return Done()
    }

    private func set(_ entity: EntityID, _ fields: [String: Value]) async throws {
        try await context.author(
            [.set(collection: Self.inbox.name, entity: entity, fields: fields)],
            in: .own(context.me))
    }

    /// Returns the references of one kind that were ever posted or are shown, and whether they were
    /// handled.
    /// - Parameter wanted: the references to look up; nil for all.
    func references(
        ofKind kind: InboxKind, among wanted: Set<String>? = nil
    ) async throws -> [String: Bool] {
        let marks = wanted.map { $0.map { _ in "?" }.joined(separator: ", ") }
        let rows = try await context.replica.rows(
            "SELECT reference, handled FROM neighbours_inbox WHERE kind = ?"
                + (marks.map { " AND reference IN (\($0))" } ?? ""),
            [.text(kind.string)] + (wanted ?? []).map { .text($0) })
        var result: [String: Bool] = [:]
        for row in rows {
            guard let reference = row.text("reference") else { continue }
            result[reference] = (result[reference] ?? true) && row.isTrue("handled")
        }
        func isWanted(_ item: InboxItem) -> Bool {
            item.kind == kind && wanted?.contains(item.reference) ?? true
        }
        for one in waiting.all where isWanted(one.item) {
            result[one.item.reference] = one.isHandled
        }
        for one in shown.all where isWanted(one.item) { result[one.item.reference] = false }
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
        let blocked = try await context.blockedPeople()
        let inMemory = waiting.all.reversed().filter { one in
            one.item.person.map { !blocked.contains($0) } ?? true
        }.map(ListedItem.init)
        let listed = ListedItem.fair(inMemory + rows.compactMap(ListedItem.init))
        let texts = try await texts(of: listed)
        let passing = shownItems(hiding: blocked)
        var seen = Set(passing.map { [$0.kind.string, $0.ref?.string ?? ""] })
        let items = listed.compactMap { item -> InboxList.Item? in
            guard seen.insert([item.kind.string, item.reference]).inserted else { return nil }
            guard let ofKind = texts[item.kind] else { return item.answer(nil) }
            return ofKind[item.reference].map { item.answer($0) }
        }
        return InboxList(items: (passing + items).sorted { $0.atMs > $1.atMs })
    }

    /// Returns the items that are shown and not stored, without those of people I block.
    private func shownItems(hiding blocked: Set<PersonID>) -> [InboxList.Item] {
        shown.all.filter { $0.item.person.map { !blocked.contains($0) } ?? true }.map(\.answer)
    }

    /// Returns the texts that features have for their items, by kind and reference.
    private func texts(of items: [ListedItem]) async throws -> [InboxKind: [String: InboxText]] {
        let names = try await context.core.names()
        var texts: [InboxKind: [String: InboxText]] = [:]
        for source in sources {
            let kind = type(of: source).inboxKind
            let references = Set(items.filter { $0.kind == kind }.map(\.reference))
            texts[kind] =
                references.isEmpty ? [:] : try await source.inboxTexts(of: references, names: names)
        }
        return texts
    }

    private static func kind(_ row: Row) -> InboxKind? {
        row.text("kind").flatMap { try? InboxKind($0) }
    }
}
