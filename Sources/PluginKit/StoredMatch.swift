/// A person's side of a match as it is stored, in the space of the two people.
public struct MatchFact: Hashable, Sendable {
    /// The id of the match, which both facts name.
    public let match: Bytes16
    /// The name that the person gives the other.
    public let name: String?
    /// A statement of the person about the match, at most ``proofBytesMax`` bytes.
    public let proof: [UInt8]

    /// The maximum length of the proof, in bytes.
    public static let proofBytesMax = 4096

    /// Names the parts.
    public init(match: Bytes16, name: String?, proof: [UInt8]) {
        self.match = match
        self.name = name
        self.proof = proof
    }
}

/// A match of which my fact is stored.
public struct StoredMatch: Hashable, Sendable {
    /// The other person.
    public let person: PersonID
    /// The id of the match.
    public let match: Bytes16
    /// The time of my fact.
    public let at: Timestamp
    /// The proof in my fact.
    public let proof: [UInt8]
    /// The other person's fact, if it has arrived.
    public let theirs: MatchFact?
    /// Whether either side has ended it.
    public let isOver: Bool
    /// Whether I ended it and the other side may not know.
    public let isUntold: Bool
    /// The time at which I ended it while it stood, if I did.
    public let cancelled: Timestamp?

    /// Whether it stands: both facts name it, and neither side has ended it.
    public var stands: Bool { theirs != nil && !isOver }

    /// Names the parts.
    public init(
        person: PersonID, match: Bytes16, at: Timestamp, proof: [UInt8], theirs: MatchFact?,
        isOver: Bool, isUntold: Bool, cancelled: Timestamp?
    ) {
        self.person = person
        self.match = match
        self.at = at
        self.proof = proof
        self.theirs = theirs
        self.isOver = isOver
        self.isUntold = isUntold
        self.cancelled = cancelled
    }
}
