internal import FeaturesAPI
internal import PluginKit

/// The stored inbox items.
///
/// Each device of this person writes records of its own only, so two devices may have a record of
/// the same item, and no write of one undoes a write of the other. A record names how often the
/// item was posted, and up to which posting it was handled. An item is handled if the highest
/// handled posting of all records is not below the highest posting.
///
/// Example: a message of Ben reaches Ann's phone and, without a link between the two, her laptop.
/// Both store posting 1. She reads it on the phone, which stores "handled up to 1". When the two
/// meet, the item is handled on both. The next message is posting 2, and open again on both.
struct StoredItems: Sendable {
    let context: PluginContext

    /// The state of one item over the records of all my devices.
    struct State: Sendable {
        let subject: InboxSubject
        /// The number of the last posting, from 1; 0 if only its handling has arrived.
        let posting: Int64
        /// The last posting that was handled; 0 for none.
        let handledPosting: Int64
        /// This device's record of the item.
        let own: EntityID?
        /// The last posting in this device's record; 0 for none.
        let ownPosting: Int64

        var isHandled: Bool { posting <= handledPosting }

        /// The number that the next posting has. An item that is open is not posted anew.
        var nextPosting: Int64 { isHandled ? posting + 1 : posting }

        /// Reads a row of a query here; nil if it names no item.
        init?(_ row: Row) {
            guard let kind = row.text("kind").flatMap({ try? InboxKind($0) }),
                let reference = row.text("reference")
            else { return nil }
            subject = InboxSubject(kind, reference)
            posting = min(row.integer("posting") ?? 0, InboxLimits.postingMax)
            handledPosting = row.integer("handled_posting") ?? 0
            own = row.entity("own")
            ownPosting = row.integer("own_posting") ?? 0
        }
    }

    /// Returns the state of the items of one reference, one for each kind.
    func states(of reference: String) async throws -> [State] {
        try await states("i.reference = ?", [.text(reference)])
    }

    /// Returns the state of an item; nil if it was never posted.
    func state(of subject: InboxSubject) async throws -> State? {
        try await states(
            "i.kind = ? AND i.reference = ?",
            [.text(subject.kind.string), .text(subject.reference)]
        ).first
    }

    /// Returns the states of the items of one kind.
    /// - Parameter wanted: the references to look up; nil for all.
    func states(
        ofKind kind: InboxKind, among wanted: Set<String>? = nil
    ) async throws -> [State] {
        let marks = wanted.map { $0.map { _ in "?" }.joined(separator: ", ") }
        return try await states(
            "i.kind = ?" + (marks.map { " AND i.reference IN (\($0))" } ?? ""),
            [.text(kind.string)] + (wanted ?? []).map { .text($0) })
    }

    /// A record of an older version has no postings: it is the first one, and handled or not.
    private func states(_ condition: String, _ arguments: [Value]) async throws -> [State] {
        try await context.replica.rows(
            """
            SELECT i.kind AS kind, i.reference AS reference,
                max(coalesce(i.posting, 1)) AS posting,
                max(coalesce(i.handled_posting, i.handled, 0)) AS handled_posting,
                max(CASE WHEN l.device = ? THEN i.entity END) AS own,
                max(CASE WHEN l.device = ? THEN coalesce(i.posting, 1) END) AS own_posting
            FROM neighbours_inbox i LEFT JOIN waggle_log l ON l.log = i.log
            WHERE \(condition) GROUP BY i.kind, i.reference
            """,
            [.bytes(context.device.bytes), .bytes(context.device.bytes)] + arguments
        ).compactMap(State.init)
    }

    /// Returns the items whose records' ids are in a range, by the ids, at most two.
    func subjects(in entities: ClosedRange<EntityID>) async throws -> [EntityID: InboxSubject] {
        let rows = try await context.replica.rows(
            "SELECT entity, kind, reference FROM neighbours_inbox WHERE entity BETWEEN ? AND ? "
                + "LIMIT 2",
            [.bytes(entities.lowerBound.bytes), .bytes(entities.upperBound.bytes)])
        return Dictionary(
            rows.compactMap { row in
                guard let entity = row.entity("entity"),
                    let kind = row.text("kind").flatMap({ try? InboxKind($0) })
                else { return nil }
                return (entity, InboxSubject(kind, row.text("reference") ?? ""))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the last posting of an item, perhaps by another device of mine, is about the same
    /// occasion.
    func isPosted(_ item: InboxItem) async throws -> Bool {
        guard let occasion = item.occasion else { return false }
        return try await !context.replica.rows(
            """
            SELECT 1 AS found FROM neighbours_inbox
            WHERE kind = ?1 AND reference = ?2 AND occasion = ?3 AND coalesce(posting, 1) = (
                SELECT max(coalesce(posting, 1)) FROM neighbours_inbox
                WHERE kind = ?1 AND reference = ?2)
            """, [.text(item.kind.string), .text(item.reference), .text(occasion)]
        ).isEmpty
    }

    /// Stores items in one batch.
    func store(_ items: [WaitingItems.Waiting]) async throws {
        var edits: [Edit] = []
        for item in items { edits.append(try await edit(storing: item)) }
        try await write(edits)
    }

    private func edit(storing waiting: WaitingItems.Waiting) async throws -> Edit {
        let item = waiting.item
        let own = try await state(of: item.subject)?.own
        var fields: [String: Value] = [
            "title": .text(item.title.english), "body": .text(item.body.english),
            "sentences": InboxSentences(item).stored.map { .text($0) } ?? .null,
            "actions": .list(item.actions.map { .text($0) }),
            "at_ms": .integer(waiting.at.milliseconds), "posting": .integer(waiting.posting),
            "person": item.person.map { .bytes($0.bytes) } ?? .null,
            "occasion": item.occasion.map { .text($0) } ?? .null,
        ]
        if waiting.isHandled { fields["handled_posting"] = .integer(waiting.posting) }
        return edit(of: item.subject, own: own, fields)
    }

    /// Marks an item as handled, unless it is.
    func settle(_ state: State) async throws {
        guard !state.isHandled else { return }
        var fields: [String: Value] = ["handled_posting": .integer(state.posting)]
        if state.own == nil { fields["posting"] = .integer(0) }
        try await write([edit(of: state.subject, own: state.own, fields)])
    }

    private func edit(of subject: InboxSubject, own: EntityID?, _ fields: [String: Value]) -> Edit {
        if let own {
            return .set(collection: Inbox.inbox.name, entity: own, fields: fields)
        }
        let names: [String: Value] = [
            "kind": .text(subject.kind.string), "reference": .text(subject.reference),
        ]
        return .create(
            collection: Inbox.inbox.name, nonce: context.random.nonce(),
            fields: fields.filter { $0.value != .null }.merging(names) { mine, _ in mine })
    }

    private func write(_ edits: [Edit]) async throws {
        try await context.author(edits, in: .own(context.me))
    }

    /// Returns the items to list, newest first, each once: as it was posted last and, if several
    /// devices posted that, first. Items of blocked people are left out. If there are too many,
    /// each person's newest ones come first, so that one person cannot hide what others sent.
    func list() async throws -> [ListedItem] {
        try await context.replica.rows(
            """
            WITH record AS (
                SELECT *, max(coalesce(posting, 1)) OVER item
                        <= max(coalesce(handled_posting, handled, 0)) OVER item AS is_handled,
                    ROW_NUMBER() OVER (
                        PARTITION BY kind, reference ORDER BY title IS NULL,
                            coalesce(posting, 1) DESC, at_ms, entity) AS place
                FROM neighbours_inbox WINDOW item AS (PARTITION BY kind, reference)),
            item AS (
                SELECT *, ROW_NUMBER() OVER (
                    PARTITION BY person ORDER BY at_ms DESC, entity) AS turn
                FROM record WHERE place = 1 AND title IS NOT NULL AND (person IS NULL
                    OR person NOT IN (SELECT person FROM \(SharedViews.blocked))))
            SELECT * FROM (SELECT * FROM item ORDER BY turn, at_ms DESC, entity LIMIT ?)
            ORDER BY at_ms DESC, entity
            """,
            [.integer(Int64(InboxLimits.listedCountMax))]
        ).compactMap(ListedItem.init)
    }
}
