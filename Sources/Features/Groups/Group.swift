internal import FeaturesAPI
internal import PluginKit

/// A group as this device knows it.
struct Group: Sendable {
    let descriptor: SpaceDescriptor
    /// The name its founder gave it; until that arrives, the name in the invitation.
    let name: String
    /// The people who are or were in it, by key; empty until its records arrive.
    let members: [Member]
    /// The notice that counts, if I received one.
    let notice: Notice?

    /// The most people that may be in a group at a time.
    static let membersCountMax = 64

    /// The people who are in it or invited.
    var present: [Member] { members.filter(\.isServed) }

    /// Returns one person in it, or nil.
    func member(_ person: PersonID) -> Member? { members.first { $0.person == person } }

    /// Returns whether a person may write in it.
    func mayWrite(_ me: PersonID) -> Bool {
        state(of: me) == .member && member(me)?.role != .reader
    }

    /// Returns a person's state in the group. A removed person is sent nothing more, so the notice
    /// of the owner who removed them counts beside their own replica.
    func state(of me: PersonID) -> GroupState {
        guard let own = member(me) else { return notice?.kind == .removed ? .removed : .awaited }
        switch own.state {
        case .left: return .left
        case .removed: return .removed
        case .invited: return notice?.kind == .removed ? .removed : .invited
        case .member: return notice?.kind == .removed ? .removed : .member
        }
    }
}

extension GroupState {
    /// The reason why a person in this state can do nothing in the group.
    var sentence: Sentence {
        switch self {
        case .awaited:
            "The group has not arrived yet; it arrives when a member is in reach."
        case .invited: "You are invited to this group and have not accepted; see 'group accept'."
        case .member: "You are in this group already."
        case .left: "You have left this group; only a new invitation lets you in again."
        case .removed: "You were removed from this group; only a new invitation lets you in again."
        case .unknown: "This version of Waggle does not know your state in this group; update it."
        }
    }
}

extension GroupDetail.Member.State {
    /// Creates the state that answers show.
    init(_ state: Records.Member.State) {
        switch state {
        case .invited: self = .invited
        case .member: self = .member
        case .left: self = .left
        case .removed: self = .removed
        }
    }
}
