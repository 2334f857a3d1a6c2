internal import PluginKit

/// Counting unread messages.
extension Chat {
    /// Returns the number of unread messages by space. Only those that were not counted before are
    /// read, so a message that arrives in a room with many unread ones costs what the first does.
    /// - Parameter spaces: a JSON list of the ids of spaces in hexadecimal digits; nil for all.
    func unreadCounts(in spaces: String?) async throws -> [SpaceID: Int] {
        let reaches = try await context.replica.rows(
            Self.reachesSQL, [spaces.map { .text($0) } ?? .null]
        ).compactMap(UnreadCounts.Reach.init)
        var counted = unread
        let missing = counted.missing(of: reaches)
        let numbers = try await numbers(after: missing)
        // A message may have been erased or hidden while they were looked up.
        if unread.generation == counted.generation {
            unread.add(numbers, to: missing)
            return unread.counts(of: reaches)
        }
        counted.add(numbers, to: missing)
        return counted.counts(of: reaches)
    }

    /// Returns the numbers of the messages to count, by log.
    private func numbers(
        after missing: [(reach: UnreadCounts.Reach, after: Int64)]
    ) async throws -> [Int64: [Int64]] {
        guard !missing.isEmpty else { return [:] }
        let list = missing.map { "[\($0.reach.log),\($0.after)]" }
        let rows = try await context.replica.rows(
            Self.numbersSQL, [.text("[\(list.joined(separator: ","))]")])
        var numbers: [Int64: [Int64]] = [:]
        for row in rows {
            guard let log = row.integer("log"), let number = row.integer("number") else { continue }
            numbers[log, default: []].append(number)
        }
        return numbers
    }

    /// Makes the counts void that these changes may have made wrong: those of a space in which a
    /// message was changed that was counted, and all of them if I hid a message.
    func recount(after changes: [RecordChange]) async throws {
        guard !changes.contains(where: { $0.collection == Self.hidden.name }) else {
            return unread.forget(nil)
        }
        let messages = changes.filter {
            $0.collection == Self.message.name && $0.author != context.me
                && unread.knows($0.space.id)
        }
        for space in try await spacesToRecount(after: messages) { unread.forget(space) }
    }

    /// Returns the spaces of those messages that are not shown, or that were counted before; all
    /// spaces of more than ``ChatLimits/askedCountMax`` messages, because counting anew costs less
    /// than looking them up.
    private func spacesToRecount(after messages: [RecordChange]) async throws -> Set<SpaceID> {
        var spaces = Set(messages.map(\.space.id))
        guard !messages.isEmpty, messages.count <= ChatLimits.askedCountMax else { return spaces }
        let rows = try await context.replica.rows(
            """
            WITH asked (id, entity) AS (
                VALUES \(messages.map { _ in "(?, ?)" }.joined(separator: ", ")))
            SELECT a.id AS id, m.log AS log, m.number AS number FROM asked a
            CROSS JOIN waggle_space s ON s.id = a.id
            CROSS JOIN chat_shown m ON m.space = s.space AND m.entity = a.entity
            """,
            messages.flatMap { [.bytes($0.space.id.bytes), .bytes($0.entity.bytes)] })
        var newCounts: [SpaceID: Int] = [:]
        for row in rows {
            guard let space = row.bytes("id").flatMap(SpaceID.init(bytes:)),
                let log = row.integer("log"), let number = row.integer("number")
            else { continue }
            if unread.isNew(in: space, log: log, number: number) {
                newCounts[space, default: 0] += 1
            }
        }
        for (space, changed) in Dictionary(grouping: messages, by: \.space.id)
        where newCounts[space] == changed.count { spaces.remove(space) }
        return spaces
    }

    /// The logs of others, how far I have read each, and the number of its last message; without
    /// those of blocked people, which have no shown messages.
    private static let reachesSQL = """
        SELECT s.id AS id, c.log AS log, c.reached AS reached,
            (SELECT max(m.number) FROM chat_message m
                WHERE m.space = c.space AND m.log = c.log) AS last
        FROM waggle_space s CROSS JOIN chat_reach c ON c.space = s.space
        WHERE (?1 IS NULL OR lower(hex(s.id)) IN (SELECT value FROM json_each(?1)))
            AND c.person NOT IN (SELECT person FROM host_blocked)
        """

    /// The first numbers of messages in each log beyond a number. `?1` is a JSON list of log and
    /// number.
    private static let numbersSQL = """
        SELECT m.log AS log, m.number AS number FROM json_each(?1) w
        CROSS JOIN waggle_log l ON l.log = w.value ->> 0
        CROSS JOIN chat_message m ON m.space = l.space AND m.log = l.log
            AND m.number IN (SELECT n.number FROM chat_shown n
                WHERE n.space = l.space AND n.log = l.log AND n.number > w.value ->> 1
                ORDER BY n.number LIMIT \(ChatLimits.unreadCountMax))
        """
}

extension UnreadCounts.Reach {
    /// Reads a row of the logs of others; nil if it is not one.
    fileprivate init?(_ row: Row) {
        guard let space = row.bytes("id").flatMap(SpaceID.init(bytes:)),
            let log = row.integer("log"), let reached = row.integer("reached")
        else { return nil }
        self.init(space: space, log: log, reached: reached, last: row.integer("last") ?? 0)
    }
}
