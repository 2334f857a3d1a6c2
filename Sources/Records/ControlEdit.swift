/// One change of who belongs to a group.
public enum ControlEdit: Hashable, Sendable {
    /// An owner gives a person a role. It begins to count when that person accepts it.
    case grant(PersonID, Role)
    /// One accepts the role one was given.
    case accept
    /// An owner removes a person: of their logs what is known here counts, and nothing after it.
    /// Together with a ``grant(_:_:)`` of a lower role in one batch it demotes.
    case cut(PersonID)
    /// One leaves the space; of one's own logs what is known here counts.
    case leave
}
