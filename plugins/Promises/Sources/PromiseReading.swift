internal import PluginKit

/// Promises as the tables hold them.
extension Promises {
    /// Reads the promises that are not over, including deleted ones, in the order of their times.
    func readCurrent() async throws -> [Promise] {
        try await read(
            "SELECT * FROM promises_known WHERE at_ms > ? ORDER BY at_ms, id",
            [.integer((now - PromiseLimits.past).milliseconds)])
    }

    /// Reads the promises that ended lately: a person who was away then is still told about them.
    func readOver() async throws -> [Promise] {
        let over = now - PromiseLimits.past
        return try await read(
            "SELECT * FROM promises_known WHERE at_ms > ? AND at_ms <= ? ORDER BY at_ms, id",
            [
                .integer((over - PromiseLimits.news).milliseconds), .integer(over.milliseconds),
            ])
    }

    /// Reads past promises in which I took part, newest first, after a cursor. Also returns the
    /// cursor of the next page, if there is one.
    func readPast(from cursor: PastCursor?) async throws -> ([Promise], PastCursor?) {
        let rows = try await context.replica.rows(
            """
            SELECT k.* FROM promises_known k JOIN waggle_member m ON m.space = k.space
            WHERE m.person = ? AND m.state = 'member' AND k.is_deleted IS NOT 1
                AND k.at_ms <= ? AND (k.at_ms, k.id) < (?, ?)
            ORDER BY k.at_ms DESC, k.id DESC LIMIT ?
            """,
            [
                .bytes(context.me.bytes), .integer((now - PromiseLimits.past).milliseconds),
                .integer(cursor?.at.milliseconds ?? Int64.max), .bytes(cursor?.id.bytes ?? []),
                .integer(Int64(PromiseLimits.pageCount + 1)),
            ])
        // Counted in rows: a row that is not a valid promise must not hide those after it.
        let shown = Array(rows.prefix(PromiseLimits.pageCount))
        let next = rows.count > shown.count ? shown.last.flatMap(PastCursor.init) : nil
        return (try await promises(of: shown), next)
    }

    /// Whether a group is the group of a promise, which may be past.
    func isPromise(_ id: SpaceID) async throws -> Bool {
        try await !context.replica.rows(
            "SELECT 1 AS found FROM promises_known WHERE id = ?", [.bytes(id.bytes)]
        ).isEmpty
    }

    /// Reads all promises in which I take part, including past ones, newest first.
    func readMine() async throws -> [Promise] {
        try await read(
            """
            SELECT k.* FROM promises_known k JOIN waggle_member m ON m.space = k.space
            WHERE m.person = ? AND m.state = 'member' AND k.is_deleted IS NOT 1
            ORDER BY k.at_ms DESC, k.id DESC
            """, [.bytes(context.me.bytes)])
    }

    /// Returns the promise that a command names: by its key, or by its title while it is not over,
    /// since the same dinner may be promised every week.
    /// - Throws: ``CommandFault/conflict(_:)`` if several are meant, ``CommandFault/notFound(_:)``
    ///   if none is.
    func promise(_ wanted: NameOrKey) async throws -> Promise {
        let rows = try await context.replica.rows(
            "SELECT id, title, at_ms > ? AS is_ahead FROM promises_known",
            [.integer(context.clock.wallTime.milliseconds)])
        var matching: [SpaceID] = []
        var titles: [SpaceID: String] = [:]
        for row in rows {
            guard let id = row.bytes("id").flatMap({ SpaceID(bytes: $0) }) else { continue }
            if row.integer("is_ahead") == 1 { titles[id] = row.text("title") }
            if wanted.matches(key: id) || titles[id].map(wanted.matches(name:)) == true {
                matching.append(id)
            }
        }
        var promises: [SpaceID: Promise] = [:]
        // Two of them are enough for a conflict.
        for id in matching where promises.count < 2 {
            promises[id] = try await read(
                "SELECT * FROM promises_known WHERE id = ?", [.bytes(id.bytes)]
            ).first
        }
        let id = try wanted.resolve(
            among: promises.keys, named: { titles[$0] }, what: "promise", listedBy: "promise list")
        guard let promise = promises[id] else { preconditionFailure("\(id) was among the ids") }
        return promise
    }

    private func read(_ sql: String, _ arguments: [Value]) async throws -> [Promise] {
        try await promises(of: try await context.replica.rows(sql, arguments))
    }

    /// Returns the promises of rows, each with its people; leaves out invalid rows.
    private func promises(of rows: [Row]) async throws -> [Promise] {
        let spaces = rows.compactMap { $0.integer("space") }
        guard !spaces.isEmpty else { return [] }
        let people = Dictionary(
            grouping: try await context.replica.rows(
                """
                SELECT * FROM promises_people
                WHERE space IN (\(spaces.map(String.init).joined(separator: ", ")))
                ORDER BY person
                """),
            by: { $0.integer("space") }
        ).mapValues { $0.compactMap(Participant.init) }
        return rows.compactMap { Promise($0, people: people[$0.integer("space")] ?? []) }
    }

    /// Returns the names of the people in promises: the usual name of a mate; for others the name
    /// they gave themselves with digits of their key, because names are not unique. The name of a
    /// blocked person has the digits only if another person has it too.
    func names(in promises: [Promise]) async throws -> [PersonID: String] {
        var names = try await context.core.names()
        if let nickname = try await context.core.myCard().nickname {
            names[context.me] = TextRule.nickname.clip(nickname)
        }
        for person in promises.flatMap(\.people) where names[person.person] == nil {
            let suffix = person.person.suffix
            guard let nickname = person.nickname else {
                names[person.person] = suffix
                continue
            }
            let isBlocked = try await context.core.relation(to: person.person) == .blocked
            let isShared = names.values.contains(nickname)
            names[person.person] = isBlocked && !isShared ? nickname : "\(nickname) · \(suffix)"
        }
        return names
    }
}

/// The last promise of a page of past ones, after which the next page begins.
struct PastCursor: Hashable, Sendable {
    let at: Timestamp
    let id: SpaceID

    /// The promise of a row of the view.
    init?(_ row: Row) {
        guard let atMs = row.integer("at_ms"),
            let id = row.bytes("id").flatMap({ SpaceID(bytes: $0) })
        else { return nil }
        at = Timestamp(milliseconds: atMs)
        self.id = id
    }

    /// Reads a cursor that an earlier page gave; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let atMs = Int64(parts[0]), let id = SpaceID(String(parts[1]))
        else { return nil }
        at = Timestamp(milliseconds: atMs)
        self.id = id
    }

    /// The cursor in the form that a command expects.
    var text: String { "\(at.milliseconds)-\(id)" }
}
