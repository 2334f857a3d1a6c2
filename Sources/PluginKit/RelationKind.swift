/// One way in which another person is related to this one, and what is shared because of it.
///
/// The engine tells kinds apart by what they share and never by name, so a core feature can add one
/// without a change in the engine. For example, two people whom a search has matched share the
/// space of the two of them and no cards: ``matched``.
public struct RelationKind: Hashable, Sendable {
    /// The kind's name, for logs and tests.
    public let name: String
    /// The spaces that are shared.
    public let shares: Set<Share>
    /// Whether the relation ends when the other person's device acknowledges the edits it lacks:
    /// the engine asks again at each acknowledgement.
    public let endsWhenAcknowledged: Bool

    /// Spaces that two related people share.
    public enum Share: Hashable, Sendable, CaseIterable {
        /// The space that the two people share.
        case pair
        /// The cards of both, with the keys of their announcements.
        case cards
    }

    /// Declares a kind.
    public init(_ name: String, shares: Set<Share>, endsWhenAcknowledged: Bool = false) {
        self.name = name
        self.shares = shares
        self.endsWhenAcknowledged = endsWhenAcknowledged
    }
}

extension RelationKind {
    /// Both edges name one meeting.
    public static let mate = RelationKind("mate", shares: [.pair, .cards])
    /// My edge exists and the other person's has not arrived.
    public static let waiting = RelationKind("waiting", shares: [.pair])
    /// My edge is gone, and the other person's devices have not acknowledged that yet.
    public static let ending = RelationKind("ending", shares: [.pair], endsWhenAcknowledged: true)
    /// Both facts name one correspondence, which is not over.
    public static let corresponding = RelationKind("corresponding", shares: [.pair])
    /// My fact of a correspondence exists, and the other person's has not arrived: I asked, or I
    /// accepted.
    public static let requesting = RelationKind("requesting", shares: [.pair])
    /// I ended a correspondence, and the other person's devices may not know.
    public static let correspondenceEnding = RelationKind(
        "correspondence ending", shares: [.pair], endsWhenAcknowledged: true)
    /// Both facts name one match, which is not over.
    public static let matched = RelationKind("matched", shares: [.pair])
    /// My fact of a match exists and the other person's has not arrived.
    public static let matching = RelationKind("matching", shares: [.pair])
    /// I ended a match, and the other person's devices may not know.
    public static let matchEnding = RelationKind(
        "match ending", shares: [.pair], endsWhenAcknowledged: true)
}
