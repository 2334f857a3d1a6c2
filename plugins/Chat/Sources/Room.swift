internal import ChatAPI
internal import PluginKit

/// A room: the chat of two mates, of two people with an agreement, or of the people in a group.
struct Room: Sendable {
    /// The number of its space in this replica.
    let space: Int64
    let descriptor: SpaceDescriptor
    /// The other person of a pair, or nil.
    let person: PersonID?
    /// The id of the plugin that owns the group, or nil.
    let feature: String?
    /// The agreement that keeps the room if the person is not a mate; nil without one.
    let purpose: AgreementPurpose?
    /// The title that a list shows.
    let title: String
    /// Whether I may write in it, or else the reason why I may not.
    let standing: Standing
    /// Whether the plugin that owns the group no longer needs it.
    let isOver: Bool
    /// Messages of others that I have not read, up to ``ChatLimits/unreadCountMax``.
    let unreadCount: Int
    /// The last message that is shown, or nil while there is none.
    let last: Message?

    var id: SpaceID { descriptor.id }

    /// Whether it is listed: a room that is over is listed only if it has a message.
    var isListed: Bool { !isOver || last != nil }

    /// My relation to a room, which decides whether I may write in it.
    enum Standing: String, Sendable {
        case open
        /// We are no longer mates, and no agreement stands.
        case noMate
        /// We were never mates, and our match is over.
        case noMatch
        /// We were never mates, and our correspondence about a post is over.
        case noCorrespondence
        /// I am invited to the group and have not accepted.
        case invited
        /// I have left the group, or was removed.
        case out
        /// I may read in the group, but not write.
        case reader

        /// The reason why I cannot send, or nil if I can.
        var refusal: Sentence? {
            switch self {
            case .open: nil
            case .noMate: "You are not mates any more; the messages stay, but none can be added."
            case .noMatch: "Your match is over; the messages stay, but none can be added."
            case .noCorrespondence:
                "This conversation is over; the messages stay, but none can be added."
            case .invited: "You have not accepted this invitation yet; accept it first."
            case .out: "You are not in this group any more."
            case .reader: "You may only read in this group."
            }
        }

        /// The reason why I cannot delete a message of mine for everybody, or nil if I can: an
        /// erasure counts only if its author may write, and does not reach a person who is not a
        /// mate.
        var erasingRefusal: Sentence? {
            let reason: Sentence? =
                switch self {
                case .open: nil
                case .noMate: "You are not mates any more, so the other person keeps it"
                case .noMatch: "Your match is over, so the other person keeps it"
                case .noCorrespondence: "This conversation is over, so the other person keeps it"
                case .invited: "You have not accepted this invitation yet, so the others keep it"
                case .out: "You are not in this group any more, so the others keep it"
                case .reader: "You may only read in this group, so the others keep it"
                }
            return reason.map { "\($0); you can delete it for yourself." }
        }

        /// Whether my read position can be shared.
        var tellsReading: Bool { [.open, .noMate, .noMatch, .noCorrespondence].contains(self) }

        /// Whether the room is listed before it has a message.
        var isInviting: Bool { self == .open || self == .reader }
    }

    /// Reads a row of ``sql``; nil if it is not a room that may be shown.
    /// - Parameter unread: the numbers of unread messages by the id of their space.
    init?(_ row: Row, names: [PersonID: String], unread: [SpaceID: Int], now: Timestamp) {
        guard let space = row.integer("space"), let descriptor = row.descriptor("descriptor"),
            let standing = Standing(row, descriptor.kind)
        else { return nil }
        let last = Message(row)
        guard standing.isInviting || last != nil else { return nil }
        self.space = space
        self.descriptor = descriptor
        self.standing = standing
        self.last = last
        isOver = row.integer("over_ms").map { $0 <= now.milliseconds } ?? false
        person = descriptor.kind == .pair ? row.person("other") : nil
        feature = row.text("feature")
        purpose =
            switch standing {
            case .noMatch: .match
            case .noCorrespondence: .correspondence
            case .open where !row.isTrue("is_mate"):
                row.text("agreed").flatMap(AgreementPurpose.init)
            case .open, .noMate, .invited, .out, .reader: nil
            }
        title =
            person.map { names[$0] ?? $0.suffix }
            ?? row.text("title").flatMap(ChatLimits.title.clip) ?? Self.untitled
        unreadCount = standing.tellsReading ? unread[descriptor.id] ?? 0 : 0
    }

    /// The title of a group whose own title cannot be shown.
    static let untitled = "A group"

    /// Rooms with their last message, the newest first. `?1` is my key, `?2` a JSON list of ids of
    /// spaces in hexadecimal digits, or null for all spaces. If several plugins name one group,
    /// the one that needs it longest comes first.
    static let sql = """
        WITH room (space, other, feature, title, over_ms) AS (
            SELECT space, person, NULL, NULL, NULL FROM waggle_space
            WHERE kind = 'pair' AND person NOT IN (SELECT person FROM host_blocked)
            UNION ALL SELECT space, NULL, feature, title, over_ms FROM host_group)
        SELECT r.space AS space, s.descriptor AS descriptor, r.other AS other,
            r.feature AS feature, r.title AS title, r.over_ms AS over_ms,
            r.other IN (SELECT person FROM host_mate) AS is_mate,
            \(agreementColumns(of: "r.other")),
            w.role AS role, w.state AS state,
            m.entity AS entity, m.creator AS creator, m.stamp AS stamp, m.log AS log,
            m.number AS number, m.text AS text,
            m.photo AS photo, m.thumbnail AS thumbnail, m.width AS width, m.height AS height
        FROM room r JOIN waggle_space s ON s.space = r.space
        LEFT JOIN waggle_member w ON w.space = r.space AND w.person = ?1
        LEFT JOIN chat_shown m ON m.space = r.space AND m.entity = (
            SELECT n.entity FROM chat_shown n WHERE n.space = r.space
            ORDER BY n.stamp DESC, n.creator DESC, n.entity DESC LIMIT 1)
        WHERE ?2 IS NULL OR lower(hex(s.id)) IN (SELECT value FROM json_each(?2))
        ORDER BY m.stamp DESC, s.id, r.over_ms DESC NULLS FIRST
        """

    /// The columns that tell of agreements with a person: `agreed`, the purpose of one that stands,
    /// and `parted`, the purpose of one with a person who was never a mate. A match comes first
    /// while it stands, and last when it is over, since "conversation" is true of both.
    static func agreementColumns(of person: String) -> String {
        """
        (SELECT max(a.purpose) FROM host_agreement a WHERE a.person = \(person) AND a.stands)
            AS agreed,
        (SELECT min(a.purpose) FROM host_agreement a
            WHERE a.person = \(person) AND NOT a.was_mate) AS parted
        """
    }

    /// Returns the room as an answer shows it.
    func answer(to me: PersonID) -> ChatRoom {
        ChatRoom(
            id: Key(id), kind: descriptor.kind == .pair ? .pair : .group, title: title,
            person: person.map { Key($0) }, feature: feature, isMatch: purpose == .match,
            isAboutPost: purpose == .correspondence, canSend: standing == .open,
            reason: standing.refusal, unread: unreadCount, lastMs: last?.place.time,
            lastText: last?.text, lastPhoto: last?.photo?.sides,
            lastIsMine: last.map { $0.author == me })
    }
}

extension Room.Standing {
    /// Reads my relation to the room of a row, by its `is_mate`, `agreed`, `parted`, `role` and
    /// `state`; nil if the space is not a room.
    init?(_ row: Row, _ kind: SpaceKind) {
        switch kind {
        case .pair:
            if row.isTrue("is_mate") || row.text("agreed") != nil {
                self = .open
            } else {
                switch row.text("parted").flatMap(AgreementPurpose.init) {
                case .match: self = .noMatch
                case .correspondence: self = .noCorrespondence
                case nil: self = .noMate
                }
            }
        case .group:
            guard let state = row.text("state").flatMap(Member.State.init) else { return nil }
            switch state {
            case .invited: self = .invited
            case .left, .removed: self = .out
            case .member: self = row.text("role") == Role.reader.name ? .reader : .open
            }
        case .own, .card, .open: return nil
        }
    }
}
