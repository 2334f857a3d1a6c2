internal import PluginKit

/// Promises as the tables hold them.
extension Promises {
    /// Those whose time is not over yet, also deleted ones, in the order of their times.
    func readCurrent() async throws -> [Promise] {
        try await read(
            "SELECT * FROM promises_known WHERE at_ms > ? ORDER BY at_ms, id",
            [.integer(nowMs - PromiseLimits.pastMs)])
    }

    /// Those that are over since a while ago: who was away then is told of them yet.
    func readOver() async throws -> [Promise] {
        let overMs = nowMs - PromiseLimits.pastMs
        return try await read(
            "SELECT * FROM promises_known WHERE at_ms > ? AND at_ms <= ? ORDER BY at_ms, id",
            [.integer(overMs - PromiseLimits.newsMs), .integer(overMs)])
    }

    /// Past promises in which I took part, newest first, from a cursor on; and the cursor of the
    /// next page where there is one.
    func readPast(from cursor: PastCursor?) async throws -> ([Promise], PastCursor?) {
        let rows = try await context.replica.rows(
            """
            SELECT k.* FROM promises_known k JOIN waggle_member m ON m.space = k.space
            WHERE m.person = ? AND m.state = 'member' AND k.is_deleted IS NOT 1
                AND k.at_ms <= ? AND (k.at_ms, k.id) < (?, ?)
            ORDER BY k.at_ms DESC, k.id DESC LIMIT ?
            """,
            [
                .bytes(context.me.bytes), .integer(nowMs - PromiseLimits.pastMs),
                .integer(cursor?.atMs ?? Int64.max), .bytes(cursor?.id.bytes ?? []),
                .integer(Int64(PromiseLimits.pageCount + 1)),
            ])
        // Counted in rows: one that is no promise must not hide those after it.
        let shown = Array(rows.prefix(PromiseLimits.pageCount))
        let next = rows.count > shown.count ? shown.last.flatMap(PastCursor.init) : nil
        return (try await promises(of: shown), next)
    }

    /// All in which I take part, also past ones, newest first.
    func readMine() async throws -> [Promise] {
        try await read(
            """
            SELECT k.* FROM promises_known k JOIN waggle_member m ON m.space = k.space
            WHERE m.person = ? AND m.state = 'member' AND k.is_deleted IS NOT 1
            ORDER BY k.at_ms DESC, k.id DESC
            """, [.bytes(context.me.bytes)])
    }

    /// The promise a command names: by its id, or by six or more of its first digits.
    /// - Throws: ``CommandFault`` usage, conflict where several ids begin so, or notFound.
    func promise(_ text: String) async throws -> Promise {
        guard text.count >= 6, text.allSatisfy(\.isHexDigit) else {
            throw CommandFault.usage(
                "A promise is named by its id, or by six or more of its first digits; see "
                    + "'promise list'.", field: "promise")
        }
        let digits = text.lowercased()
        let matching = try await read(
            "SELECT * FROM promises_known WHERE substr(lower(hex(id)), 1, ?) = ? LIMIT 2",
            [.integer(Int64(digits.count)), .text(digits)])
        guard let promise = matching.first else {
            throw CommandFault.notFound("No promise's id begins with \(text); see 'promise list'.")
        }
        guard matching.count == 1 else {
            throw CommandFault.conflict(
                "Several promises' ids begin with \(text); give more digits.")
        }
        return promise
    }

    private func read(_ sql: String, _ arguments: [Value]) async throws -> [Promise] {
        try await promises(of: try await context.replica.rows(sql, arguments))
    }

    /// The promises of rows, each with its people; a row that is none is left out.
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

    /// What to call the people of promises: mates as always, others as they call themselves with
    /// the end of their key, since names are not unique; the blocked by that end alone.
    func names(in promises: [Promise]) async throws -> [PersonID: String] {
        var names = try await context.core.names()
        if let nickname = try await context.core.myCard()["nickname"]?.string {
            names[context.me] = PromiseLimits.nickname.clip(nickname)
        }
        for person in promises.flatMap(\.people) where names[person.person] == nil {
            let isBlocked = try await context.core.relation(to: person.person) == .blocked
            let suffix = person.person.suffix
            names[person.person] =
                isBlocked ? suffix : person.nickname.map { "\($0) · \(suffix)" } ?? suffix
        }
        return names
    }
}

/// Where a page of past promises ends.
struct PastCursor: Hashable, Sendable {
    let atMs: Int64
    let id: SpaceID

    /// The promise after which the next page begins.
    init(atMs: Int64, id: SpaceID) {
        self.atMs = atMs
        self.id = id
    }

    /// The promise of a row of the view.
    init?(_ row: Row) {
        guard let atMs = row.integer("at_ms"),
            let id = row.bytes("id").flatMap({ SpaceID(bytes: $0) })
        else { return nil }
        self.init(atMs: atMs, id: id)
    }

    /// Reads a cursor that an earlier page gave; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let atMs = Int64(parts[0]), let id = SpaceID(String(parts[1]))
        else { return nil }
        self.init(atMs: atMs, id: id)
    }

    /// The cursor as a command takes it.
    var text: String { "\(atMs)-\(id)" }
}
