internal import PluginKit

/// A group as this device knows it.
struct Group: Sendable {
    let descriptor: SpaceDescriptor
    /// What its founder calls it, or while that is not here, the one who invited me.
    let name: String
    /// Who is or was in it, by key; empty while its records are not here.
    let members: [Member]
    /// What I was told of it last, where others told me.
    let notice: Notice?

    /// The most people that may be in a group at a time.
    static let membersCountMax = 64

    /// Those who are in it.
    var present: [Member] { members.filter(\.isServed) }

    /// What is known of one person in it, or nil.
    func member(_ person: PersonID) -> Member? { members.first { $0.person == person } }

    /// Whether a person may write in it.
    func mayWrite(_ me: PersonID) -> Bool {
        state(of: me) == .member && member(me)?.role != .reader
    }

    /// How a person stands with the group. Who was removed is sent nothing more, so the word of
    /// the one who removed them counts beside their own replica.
    func state(of me: PersonID) -> GroupState {
        guard let own = member(me) else { return notice?.word == .removed ? .removed : .awaited }
        switch own.state {
        case .left: return .left
        case .removed: return .removed
        case .invited: return notice?.word == .removed ? .removed : .invited
        case .member: return notice?.word == .removed ? .removed : .member
        }
    }
}

/// How I stand with a group.
enum GroupState: String, Sendable, CaseIterable {
    /// I was told of it, and its own records are not here yet.
    case awaited
    /// I may read it, and I have not accepted.
    case invited
    case member
    /// I took myself out of it, or declined.
    case left
    /// Somebody who owns it took me out.
    case removed

    /// Why somebody in this state can do nothing in the group.
    var sentence: String {
        switch self {
        case .awaited:
            "The group has not arrived yet; it comes when somebody who is in it is in reach."
        case .invited: "You are invited to this group and have not accepted; see 'group accept'."
        case .member: "You are in this group already."
        case .left: "You have left this group; only a new invitation lets you in again."
        case .removed: "You were removed from this group; only a new invitation lets you in again."
        }
    }
}

/// What a mate told me of a group.
struct Notice: Hashable, Sendable {
    let id: EntityID
    let group: SpaceDescriptor
    let feature: String
    let name: String
    let role: Role
    let word: Word
    let stamp: Int64
    let sender: PersonID

    /// What is said.
    enum Word: String, Sendable { case invited, removed }

    /// How many groups one person may invite me to; what they say of more is not heard.
    static let perSenderMax = 64

    /// Reads a row of the view of notices; nil where it says nothing of a group.
    init?(_ row: Row) {
        guard let id = row.entity("entity"), let sender = row.person("sender"),
            let group = row.descriptor("descriptor"), group.kind == .group,
            let word = row.text("word").flatMap(Word.init)
        else { return nil }
        self.id = id
        self.group = group
        self.sender = sender
        self.word = word
        feature = row.text("feature") ?? ""
        name = row.text("name").flatMap(TextRule.groupName.clip) ?? Self.nameless
        role = row.text("role").flatMap(Role.init(word:)) ?? .reader
        stamp = row.integer("stamp") ?? 0
    }

    /// What a group is called whose name did not come, or is none.
    static let nameless = "A group"
}
