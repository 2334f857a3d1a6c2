/// One person of a space.
public struct Member: Hashable, Sendable {
    /// Who it is.
    public let person: PersonID
    /// What the person may do; what they might do last, where they left or were removed.
    public let role: Role
    /// How the person stands to the space now.
    public let state: State

    /// How a person stands to a space.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Granted a role and did not accept it yet.
        case invited
        /// Accepted the role.
        case member
        /// Left of their own accord.
        case left
        /// Was removed by an owner.
        case removed
    }

    /// Names a person's place in a space.
    public init(person: PersonID, role: Role, state: State) {
        self.person = person
        self.role = role
        self.state = state
    }

    /// Whether the space is served to this person: to members, and to those who are invited, so
    /// that they see what they are invited to.
    public var isServed: Bool { state == .member || state == .invited }
}

extension Role {
    /// The word for people, JSON and views.
    public var word: String {
        switch self {
        case .reader: "reader"
        case .writer: "writer"
        case .owner: "owner"
        }
    }
}
