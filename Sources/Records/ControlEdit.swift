/// A change of a group's membership.
public enum ControlEdit: Hashable, Sendable {
    /// An owner gives a person a role. The role takes effect when that person accepts it.
    case grant(PersonID, Role)
    /// This device's person accepts the role they were given.
    case accept
    /// An owner removes a person: the person's batches known here still count, later ones do not.
    /// Together with a ``grant(_:_:)`` of a lower role in the same batch, it demotes the person.
    case cut(PersonID)
    /// This device's person leaves the space; their batches known here still count.
    case leave
}
