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
    private let stored: StoredItems
    private let found = FoundItems()

    init(context: PluginContext, alarm: Alarm, sources: [any InboxSource]) {
        self.context = context
        self.alarm = alarm
        self.sources = sources
        stored = StoredItems(context: context)
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
    /// from caused many lately, it waits in memory and is stored later, with others. Has no effect
    /// if any device of mine has posted it for the same occasion.
    /// - Throws: ``CommandFault/failed(_:)`` if the reference is over its limit.
    func post(_ item: InboxItem) async throws {
        try Self.checkLengths(of: item)
        if try await stored.isPosted(item) { return }
        _ = shown.remove { $0.item.isSame(as: item) }
        let posting = try await stored.state(of: item.subject)?.nextPosting ?? 1
        var new = WaitingItems.Waiting(item: item.clipped, at: context.now, posting: posting)
        guard writes.permit(new.cause, now: context.clock.uptime) else {
            new.id = EntityID(raw: context.random.nonce())
            let removed = waiting.put(new)
            alarm.ring()
            return await publish(removed + [item.kind])
        }
        for old in waiting.all where old.item.isSame(as: item) { _ = waiting.remove(old.id) }
        try await stored.store([new])
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
        try await stored.store(items)
        for one in items {
            // It may have been settled in the meantime.
            guard let now = waiting.remove(one.id), now.isHandled, !one.isHandled else { continue }
            try await settle(reference: one.item.reference)
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

    /// Marks all stored and waiting items of a reference as handled, and removes the shown ones.
    func settle(reference: String) async throws {
        let changed =
            shown.remove { $0.item.reference == reference } + waiting.settle(reference: reference)
        if !changed.isEmpty { await publish(changed) }
        for state in try await stored.states(of: reference) { try await stored.settle(state) }
    }

    /// Settles the items of one kind that are not true any more, and remembers those that are.
    ///
    /// Another device of mine may have posted an item about records that have not arrived here yet.
    /// So an item is settled only if this device posted it, or has found it true since it started.
    /// The device that posted it settles it otherwise.
    ///
    /// Example: the phone tells of a new message. The laptop receives the item before the message,
    /// and no message in the room is unread there. It leaves the item alone.
    func update(ofKind kind: InboxKind, isTrue: Set<String>, isOver: Set<String>) async throws {
        let named = isTrue.union(isOver)
        guard !named.isEmpty else { return }
        let changed =
            shown.remove { $0.item.kind == kind && isOver.contains($0.item.reference) }
            + isOver.flatMap { waiting.settle(reference: $0) }
        if !changed.isEmpty { await publish(changed) }
        let states = try await stored.states(ofKind: kind, among: named)
        for state in states where !state.isHandled {
            if isTrue.contains(state.subject.reference) {
                found.record(state)
            } else if state.ownPosting == state.posting || found.contains(state) {
                try await stored.settle(state)
                found.forget(state.subject)
            }
        }
    }

    /// Performs `inbox handle`.
    func handle(_ prefix: RecordPrefix) async throws -> Done {
        let entities = prefix.entities
        let records = try await stored.subjects(in: entities)
        let inMemory = shown.all.map(\.id) + waiting.all.map(\.id)
        let found = records.keys.sorted() + inMemory.filter(entities.contains)
        let id = try prefix.onlyMatch(in: found, of: "inbox item", listedBy: "inbox list")
        if let one = shown.all.first(where: { $0.id == id }) {
            // A stored item may have the same reference: the shown one is in its place.
            try await settle(reference: one.item.reference)
        } else if var item = waiting.all.first(where: { $0.id == id }) {
            item.isHandled = true
            try await stored.store([item])
            _ = waiting.remove(id)
        } else if let subject = records[id], let state = try await stored.state(of: subject) {
            try await stored.settle(state)
        }
        return Done()
    }

    /// Returns the references of one kind that were ever posted or are shown, and whether they were
    /// handled.
    /// - Parameter wanted: the references to look up; nil for all.
    func references(
        ofKind kind: InboxKind, among wanted: Set<String>? = nil
    ) async throws -> [String: Bool] {
        var result: [String: Bool] = [:]
        for state in try await stored.states(ofKind: kind, among: wanted) {
            result[state.subject.reference] = state.isHandled
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

    /// Answers `inbox list`: newest first, one item per kind and reference, those that wait in
    /// memory among them; see ``StoredItems/list()``.
    func list() async throws -> InboxList {
        let blocked = try await context.blockedPeople()
        let inMemory = waiting.all.reversed().filter { one in
            one.item.person.map { !blocked.contains($0) } ?? true
        }.map(ListedItem.init)
        let listed = try await ListedItem.fair(inMemory + stored.list())
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
