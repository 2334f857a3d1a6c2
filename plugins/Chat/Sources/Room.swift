internal import PluginKit

/// A room: the chat of two mates, or of the people in a group.
struct Room: Sendable {
    /// The number of its space in this replica.
    let space: Int64
    let descriptor: SpaceDescriptor
    /// The other person of a pair, or nil.
    let person: PersonID?
    /// The id of the plugin whose group it is, or nil.
    let feature: String?
    /// What to call it.
    let title: String
    /// Whether I may write in it, and if not, why.
    let standing: Standing
    /// Whether the plugin whose group it is needs the group no more.
    let isOver: Bool
    /// Messages of others that I have not read, up to ``ChatLimits/unreadCountMax``.
    let unreadCount: Int
    /// The last message that is shown, or nil while there is none.
    let last: Message?

    var id: SpaceID { descriptor.id }

    /// Whether it stands among the rooms: one that is over does while something was said in it.
    var isListed: Bool { !isOver || last != nil }

    /// How I stand with a room.
    enum Standing: String, Sendable {
        case open
        /// We are no mates any more.
        case noMate
        /// I am invited to the group and have not accepted.
        case invited
        /// I have left the group, or was removed.
        case out
        /// I may read in the group, not write.
        case reader

        /// Why nothing can be sent, or nil where it can.
        var refusal: String? {
            switch self {
            case .open: nil
            case .noMate: "You are no mates any more; what was said stays, and nothing is added."
            case .invited: "You are invited here and have not accepted; accept first."
            case .out: "You are in this group no more."
            case .reader: "You may read in this group, and its writers write."
            }
        }

        /// Why a message of mine stays with others, or nil where it can be taken from everybody:
        /// an erasing counts only from who may write, and reaches nobody who is no mate.
        var erasingRefusal: String? {
            let reason: String? =
                switch self {
                case .open: nil
                case .noMate: "You are no mates any more, and the other keeps it"
                case .invited: "You are invited here and have not accepted, and the others keep it"
                case .out: "You are in this group no more, and the others keep it"
                case .reader: "You may only read in this group, and the others keep it"
                }
            return reason.map { $0 + "; you can delete it for yourself." }
        }

        /// Whether how far I have read can be told.
        var tellsReading: Bool { self == .open || self == .noMate }

        /// Whether the room is of use before anything was said in it.
        var isInviting: Bool { self == .open || self == .reader }
    }

    /// Reads a row of ``sql``; nil where it is no room that is to be shown.
    init?(_ row: Row, names: [PersonID: String]) {
        guard let space = row.integer("space"), let descriptor = row.descriptor("descriptor"),
            let standing = Standing(row, descriptor.kind)
        else { return nil }
        let last = Message(row)
        guard standing.isInviting || last != nil else { return nil }
        self.space = space
        self.descriptor = descriptor
        self.standing = standing
        self.last = last
        isOver = row.isTrue("is_over")
        person = descriptor.kind == .pair ? row.person("other") : nil
        feature = row.text("feature")
        title =
            person.map { names[$0] ?? $0.suffix }
            ?? row.text("title").flatMap(ChatLimits.title.clip) ?? Self.untitled
        unreadCount = standing.tellsReading ? Int(row.integer("unread") ?? 0) : 0
    }

    /// What a group is called whose title says nothing.
    static let untitled = "A group"

    /// Rooms with their last message, the newest first. `?1` is my key, `?2` the ids of some
    /// spaces in hexadecimal digits, as a list in JSON, or null for all. Where several plugins name
    /// one group, those that need it still come first.
    static let sql = """
        WITH room (space, other, feature, title, is_over) AS (
            SELECT space, person, NULL, NULL, 0 FROM waggle_space
            WHERE kind = 'pair' AND person NOT IN (SELECT person FROM host_blocked)
            UNION ALL SELECT space, NULL, feature, title, is_over FROM host_group)
        SELECT r.space AS space, s.descriptor AS descriptor, r.other AS other,
            r.feature AS feature, r.title AS title, r.is_over AS is_over,
            r.other IN (SELECT person FROM host_mate) AS is_mate,
            w.role AS role, w.state AS state,
            (SELECT count(*) FROM (SELECT 1 FROM chat_unread u WHERE u.space = r.space
                LIMIT \(ChatLimits.unreadCountMax))) AS unread,
            m.entity AS entity, m.creator AS creator, m.stamp AS stamp, m.log AS log,
            m.number AS number, m.text AS text
        FROM room r JOIN waggle_space s ON s.space = r.space
        LEFT JOIN waggle_member w ON w.space = r.space AND w.person = ?1
        LEFT JOIN chat_shown m ON m.space = r.space AND m.entity = (
            SELECT n.entity FROM chat_shown n WHERE n.space = r.space
            ORDER BY n.stamp DESC, n.creator DESC, n.entity DESC LIMIT 1)
        WHERE ?2 IS NULL OR lower(hex(s.id)) IN (SELECT value FROM json_each(?2))
        ORDER BY m.stamp DESC, s.id, r.is_over
        """

    /// The shape of a room in JSON.
    static let shape = Shape.object([
        "id": .text, "kind": .text, "title": .text, "person?": .text, "feature?": .text,
        "canSend": .boolean, "reason?": .text, "unread": .integer, "lastMs?": .integer,
        "lastText?": .text, "lastIsMine?": .boolean,
    ])

    /// The room as JSON.
    func json(me: PersonID) -> JSONValue {
        .record([
            "id": .string(id.description), "kind": .string(descriptor.kind.word),
            "title": .string(title), "person": person.map { .string($0.description) },
            "feature": feature.map { .string($0) }, "canSend": .boolean(standing == .open),
            "reason": standing.refusal.map { .string($0) },
            "unread": .integer(Int64(unreadCount)),
            "lastMs": last.map { .integer($0.place.milliseconds) },
            "lastText": last.map { .string($0.text) },
            "lastIsMine": last.map { .boolean($0.author == me) },
        ])
    }
}

extension Room.Standing {
    /// Reads how I stand with the room of a row, by its `is_mate`, `role` and `state`; nil for a
    /// space that is no room.
    init?(_ row: Row, _ kind: SpaceKind) {
        switch kind {
        case .pair: self = row.isTrue("is_mate") ? .open : .noMate
        case .group:
            guard let state = row.text("state").flatMap(Member.State.init) else { return nil }
            switch state {
            case .invited: self = .invited
            case .left, .removed: self = .out
            case .member: self = row.text("role") == Role.reader.word ? .reader : .open
            }
        case .own, .card, .open: return nil
        }
    }
}
