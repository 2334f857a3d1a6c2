internal import ChatAPI
internal import PluginKit

/// The rooms, and how a command names one.
extension Chat {
    /// Returns the rooms, the one with the newest message first.
    /// - Parameter spaces: the spaces whose rooms are wanted; nil for all.
    func rooms(in spaces: [SpaceID]? = nil) async throws -> [Room] {
        let names = try await context.core.names()
        let list = spaces.map { "[\($0.map { "\"\($0)\"" }.joined(separator: ","))]" }
        let rows = try await context.replica.rows(
            Room.sql, [.bytes(context.me.bytes), list.map { .text($0) } ?? .null])
        let (unread, now) = (try await unreadCounts(in: list), context.clock.wallTime)
        var known: Set<Int64> = []
        // Two plugins may name one group; the first one decides its title.
        return rows.compactMap { Room($0, names: names, unread: unread, now: now) }
            .filter { known.insert($0.space).inserted }
    }

    /// Returns the room of a space, or nil if it has none.
    func room(_ space: SpaceID) async throws -> Room? { try await rooms(in: [space]).first }

    /// Answers `chat rooms`. A room that is not listed can still be named: a user who has it open
    /// when its group ends can go on writing there, and a new message lists it again.
    func listRooms() async throws -> ChatRooms {
        let rooms = try await rooms().filter(\.isListed)
        return ChatRooms(
            rooms: rooms.map { $0.answer(to: context.me) },
            unread: rooms.reduce(0) { $0 + $1.unreadCount })
    }

    /// Returns the room that a command names: by a mate's name or key, a group's title, or its own
    /// id. The name that a renamed mate has chosen counts if no room has that title.
    /// - Throws: ``CommandFault/notFound(_:)``, or ``CommandFault/conflict(_:)`` if several rooms
    ///   match.
    func room(named wanted: NameOrKey) async throws -> Room {
        // The window names rooms by their whole ids, for which no name has to be read.
        if let id = SpaceID(wanted.string), let room = try await room(id) { return room }
        var matching: [String: (room: Room, title: String?)] = [:]
        for (key, title, space) in try await spaces(meantBy: wanted) {
            if let room = try await room(space) { matching[key] = (room, title) }
        }
        if matching.isEmpty, let mate = try? await context.core.person(wanted),
            wanted != NameOrKey(Key(mate))
        {
            return try await room(named: NameOrKey(Key(mate)))
        }
        let key = try wanted.resolve(
            among: matching.keys, named: { matching[$0]?.title }, what: "room",
            listedBy: "chat rooms")
        guard let room = matching[key]?.room else {
            preconditionFailure("\(key) was among the keys")
        }
        return room
    }

    /// Returns the spaces that may have a room and whose id, other person's key or title is meant;
    /// each with that key, and with its title. Their messages are not read, so the cost of
    /// naming a room does not depend on how many messages the other rooms hold.
    private func spaces(
        meantBy wanted: NameOrKey
    ) async throws -> [(key: String, title: String?, id: SpaceID)] {
        let names = try await context.core.names()
        let rows = try await context.replica.rows(
            """
            SELECT descriptor, person, NULL AS title FROM waggle_space WHERE kind = 'pair'
            UNION SELECT s.descriptor, NULL, g.title FROM host_group g
                JOIN waggle_space s ON s.space = g.space
            """)
        return rows.compactMap { row in
            guard let id = row.descriptor("descriptor")?.id else { return nil }
            let person = row.person("person")
            let title = person.map { names[$0] } ?? row.text("title")
            let keys = [id.description, person?.description].compactMap { $0 }
            if let key = keys.first(where: wanted.matches(key:)) { return (key, title, id) }
            let key = person?.description ?? id.description
            return title.map { wanted.matches(name: $0, of: key) } ?? false ? (key, title, id) : nil
        }
    }

    /// Returns the receipts for my messages in a room.
    func receipts(in room: Room) async throws -> Receipts {
        let receivers = try await receivers(in: room)
        let arguments: [Value] = [.integer(room.space), .bytes(context.me.bytes)]
        let others = try await context.replica.rows(
            """
            SELECT log FROM waggle_log WHERE space = ?1 AND person = ?2
                AND lower(hex(device)) NOT IN (SELECT value FROM json_each(?3))
            """, arguments + [.text(ownKeys)])
        var receipts = Receipts(
            receivers: receivers, isLinked: linked.values.contains(where: receivers.contains),
            logsOfOtherDevices: Set(others.compactMap { $0.integer("log") }))
        let held = try await context.replica.rows(Self.heldSQL, arguments)
        for row in held {
            guard let log = row.integer("log"), let number = row.integer("number") else { continue }
            receipts.recordHeld(log: log, through: number, by: row.person("person"))
        }
        let read = try await context.replica.rows(Self.readSQL, arguments)
        for row in read {
            guard let log = row.integer("log"), let number = row.integer("number"),
                let person = row.person("person")
            else { continue }
            receipts.recordRead(log: log, through: number, by: person)
        }
        return receipts
    }

    private func receivers(in room: Room) async throws -> Set<PersonID> {
        if let person = room.person { return [person] }
        let members = try await context.replica.members(of: room.descriptor)
        return Set(members.filter { $0.state == .member }.map(\.person)).subtracting([context.me])
    }

    /// The last of my batches in a space that each device of others, and each other device of mine,
    /// holds.
    private static let heldSQL = """
        SELECT a.log AS log, a.person AS person, a.number AS number FROM waggle_acknowledged a
        JOIN waggle_log l ON l.log = a.log WHERE a.space = ?1 AND l.person = ?2
        """

    /// The last of my batches in a space that others report as read. Without the sign before its
    /// column the planner looks through the readings of all devices for each log.
    private static let readSQL = """
        SELECT l.log AS log, r.creator AS person, max(r.reached) AS number
        FROM waggle_log l CROSS JOIN chat_reading r
            ON r.space = l.space AND r.device = +l.device AND r.branch IS l.branch
        WHERE l.space = ?1 AND l.person = ?2 AND r.creator <> ?2 GROUP BY l.log, r.creator
        """
}
