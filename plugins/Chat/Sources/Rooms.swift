internal import PluginKit

/// Which rooms there are, and how a command names one.
extension Chat {
    /// The rooms, the one that was spoken in last first.
    /// - Parameter spaces: of these spaces alone; of all there are, where none are named.
    func rooms(in spaces: [SpaceID]? = nil) async throws -> [Room] {
        let names = try await context.core.names()
        let list = spaces.map { "[\($0.map { "\"\($0)\"" }.joined(separator: ","))]" }
        let rows = try await context.replica.rows(
            Room.sql, [.bytes(context.me.bytes), list.map { .text($0) } ?? .null])
        var known: Set<Int64> = []
        // Two plugins may name one group; the first that does says what it is.
        return rows.compactMap { Room($0, names: names) }
            .filter { known.insert($0.space).inserted }
    }

    /// The room of a space, or nil where it has none.
    func room(_ space: SpaceID) async throws -> Room? { try await rooms(in: [space]).first }

    /// Answers `chat rooms`. A room that is not listed can be named still: who has it open while
    /// its group ends goes on in it, and what is said there brings it back.
    func listRooms() async throws -> JSONValue {
        let rooms = try await rooms().filter(\.isListed)
        return [
            "rooms": .array(rooms.map { $0.json(me: context.me) }),
            "unread": .integer(Int64(rooms.reduce(0) { $0 + $1.unreadCount })),
        ]
    }

    /// The room that a command names: by a mate's key, by its own id, or by the first digits of
    /// either.
    /// - Throws: ``CommandFault`` usage, notFound, or conflict where several begin so.
    func room(named text: String) async throws -> Room {
        guard text.count >= ChatLimits.digitsMin, text.allSatisfy(\.isHexDigit) else {
            throw CommandFault.usage(
                "A room is named by a mate's key or by its id, or by \(ChatLimits.digitsMin) or "
                    + "more of the first digits of either; see 'chat rooms'.", field: "room")
        }
        var matching: [Room] = []
        for space in try await spaces(beginningWith: text.lowercased()) {
            if let room = try await room(space) { matching.append(room) }
        }
        guard let room = matching.first else {
            throw CommandFault.notFound("There is no room \(text); see 'chat rooms'.")
        }
        guard matching.count == 1 else {
            throw CommandFault.conflict("Several rooms begin with \(text); give more digits.")
        }
        return room
    }

    /// The spaces that may have a room and are named by such digits, or whose other person is. What
    /// is in them is not looked at: naming one room costs the same however much others hold.
    private func spaces(beginningWith digits: String) async throws -> [SpaceID] {
        let rows = try await context.replica.rows(
            """
            SELECT descriptor, person FROM waggle_space WHERE kind = 'pair'
            UNION SELECT s.descriptor, NULL FROM host_group g
                JOIN waggle_space s ON s.space = g.space
            """)
        return rows.compactMap { row in
            guard let space = row.descriptor("descriptor")?.id else { return nil }
            let names = [space.description, row.person("person")?.description]
            return names.contains { $0?.hasPrefix(digits) ?? false } ? space : nil
        }
    }

    /// What others have of my messages in a room.
    func receipts(in room: Room) async throws -> Receipts {
        let receivers = try await receivers(in: room)
        var receipts = Receipts(
            receivers: receivers, isLinked: linked.values.contains(where: receivers.contains))
        let arguments: [Value] = [.integer(room.space), .bytes(context.me.bytes)]
        let held = try await context.replica.rows(Self.heldSQL, arguments)
        for row in held {
            guard let log = row.integer("log"), let number = row.integer("number") else { continue }
            receipts.noteHeld(log: log, through: number, by: row.person("person"))
        }
        let read = try await context.replica.rows(Self.readSQL, arguments)
        for row in read {
            guard let log = row.integer("log"), let number = row.integer("number"),
                let person = row.person("person")
            else { continue }
            receipts.noteRead(log: log, through: number, by: person)
        }
        return receipts
    }

    private func receivers(in room: Room) async throws -> Set<PersonID> {
        if let person = room.person { return [person] }
        let members = try await context.replica.members(of: room.descriptor)
        return Set(members.filter { $0.state == .member }.map(\.person)).subtracting([context.me])
    }

    /// What devices of others, and others of mine, hold of my logs in a space.
    private static let heldSQL = """
        SELECT a.log AS log, a.person AS person, a.number AS number FROM waggle_acknowledged a
        JOIN waggle_log l ON l.log = a.log WHERE a.space = ?1 AND l.person = ?2
        """

    /// What others say they have read of my logs in a space. Without the sign before its column the
    /// planner looks through the readings of all devices for each log.
    private static let readSQL = """
        SELECT l.log AS log, r.creator AS person, max(r.reached) AS number
        FROM waggle_log l CROSS JOIN chat_reading r
            ON r.space = l.space AND r.device = +l.device AND r.branch IS l.branch
        WHERE l.space = ?1 AND l.person = ?2 AND r.creator <> ?2 GROUP BY l.log, r.creator
        """
}
