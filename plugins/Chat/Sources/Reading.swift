internal import PluginKit

/// Read positions of mine.
extension Chat {
    /// Returns the first message of a room, in its order, that I have not read.
    func firstUnread(in room: Room) async throws -> MessagePlace? {
        // In each log the first unread message is also the earliest, so one message of each is
        // read.
        try await context.replica.rows(
            """
            SELECT m.stamp AS stamp, m.creator AS creator, m.entity AS entity
            FROM (SELECT c.space AS space, (SELECT n.entity FROM chat_shown n
                    WHERE n.space = c.space AND n.log = c.log AND n.number > c.reached
                    ORDER BY n.number LIMIT 1) AS entity
                FROM chat_reach c WHERE c.space = ?) f
            CROSS JOIN chat_shown m ON m.space = f.space AND m.entity = f.entity
            ORDER BY m.stamp, m.creator, m.entity LIMIT 1
            """, [.integer(room.space)]
        ).first.flatMap(MessagePlace.init)
    }

    /// Returns the last number of each log of others that has unread messages in a room.
    func unreadReach(in room: Room) async throws -> [LogName: Int64] {
        let rows = try await context.replica.rows(
            """
            SELECT c.device AS device, c.branch AS branch, c.reached AS reached,
                (SELECT max(m.number) FROM chat_message m
                    WHERE m.space = c.space AND m.log = c.log) AS number
            FROM chat_reach c WHERE c.space = ?
            """, [.integer(room.space)])
        var reach: [LogName: Int64] = [:]
        for row in rows {
            guard let log = LogName(row), let number = row.integer("number"),
                number > row.integer("reached") ?? 0
            else { continue }
            reach[log] = number
        }
        return reach
    }

    /// Records that I have read up to these numbers, and settles the room's inbox item.
    func mark(_ reach: [LogName: Int64], in room: Room) async throws {
        guard !reach.isEmpty, room.standing.tellsReading else { return }
        let known = try await ownReadings(in: room)
        // One batch has room for a limited number of logs.
        let logs = reach.sorted { $0.key < $1.key }
        for start in stride(from: 0, to: logs.count, by: ChatLimits.markedLogsMax) {
            let some = logs.dropFirst(start).prefix(ChatLimits.markedLogsMax)
            try await context.replica.author(edits(marking: some, known), in: room.descriptor)
        }
        guard let room = try await self.room(room.id) else { return }
        if room.unreadCount == 0 {
            try await context.core.settleInbox(reference: room.reference)
        } else {
            try await settleInbox(of: [room])
        }
    }

    /// Returns the edits that mark logs as read.
    /// - Parameter known: the records that mark some of them already.
    private func edits(
        marking logs: some Sequence<(key: LogName, value: Int64)>, _ known: [LogName: EntityID]
    ) -> [Edit] {
        logs.map { log, number in
            guard let entity = known[log] else {
                return .create(
                    collection: Self.reading.name, nonce: context.random.nonce(),
                    fields: Self.fields(reading: log, through: number))
            }
            return .set(
                collection: Self.reading.name, entity: entity,
                fields: ["reached": .integer(number)])
        }
    }

    /// Returns the fields of a record that marks a log as read up to a number.
    static func fields(reading log: LogName, through number: Int64) -> [String: Value] {
        var fields: [String: Value] = [
            "device": .bytes(log.device.bytes), "reached": .integer(number),
        ]
        if log.branch != .main { fields["branch"] = .bytes(log.branch.bytes) }
        return fields
    }

    /// Returns the records of this device that say how far I have read; only the device that wrote
    /// a record may change it.
    private func ownReadings(in room: Room) async throws -> [LogName: EntityID] {
        let rows = try await context.replica.rows(
            """
            SELECT r.entity AS entity, r.device AS device, r.branch AS branch FROM chat_reading r
            JOIN waggle_log l ON l.log = r.log
            WHERE r.space = ? AND r.creator = ? AND l.device = ? ORDER BY r.entity
            """,
            [.integer(room.space), .bytes(context.me.bytes), .bytes(context.device.bytes)])
        var known: [LogName: EntityID] = [:]
        for row in rows {
            guard let log = LogName(row), let entity = row.entity("entity") else { continue }
            known[log] = known[log] ?? entity
        }
        return known
    }
}

extension LogName {
    /// Reads the log that `device` and `branch` of a row name, or the main log if there is no
    /// branch; nil if they name no log.
    fileprivate init?(_ row: Row) {
        guard let device = row.device("device") else { return nil }
        guard let bytes = row.bytes("branch") else {
            self.init(device: device)
            return
        }
        // A record that spells out the main log names no log: `waggle_log` never spells it so.
        guard let branch = BranchName(bytes: bytes), branch != .main else { return nil }
        self.init(device: device, branch: branch)
    }
}
