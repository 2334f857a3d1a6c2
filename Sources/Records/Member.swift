/// A person's membership in a space.
public struct Member: Hashable, Sendable {
    /// The person.
    public let person: PersonID
    /// The person's role; after leaving or removal, the last one.
    public let role: Role
    /// The person's present relation to the space.
    public let state: State

    /// A person's relation to a space.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Has been granted a role and has not accepted it yet.
        case invited
        /// Has accepted the role.
        case member
        /// Left voluntarily.
        case left
        /// Was removed by an owner.
        case removed
    }

    /// Creates a member from its fields.
    public init(person: PersonID, role: Role, state: State) {
        self.person = person
        self.role = role
        self.state = state
    }

    /// Whether the space is sent to this person: to members, and to invited people so that they can
    /// see the invitation's content.
    public var isServed: Bool { state == .member || state == .invited }
}

extension Role {
    /// The role's name for people, JSON and views.
    public var name: String {
        switch self {
        case .reader: "reader"
        case .writer: "writer"
        case .owner: "owner"
        }
    }
}
