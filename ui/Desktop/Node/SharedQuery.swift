/// A query whose answer all panels share.
enum SharedQuery: CaseIterable, Sendable {
    /// The node's time.
    case status
    /// The user.
    case me
    /// The user's own location.
    case location
    /// The user's mates.
    case mates
}
