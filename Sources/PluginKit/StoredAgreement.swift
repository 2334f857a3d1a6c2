/// The reason why two people share their space, mates or not.
public enum AgreementPurpose: String, Hashable, Sendable, CaseIterable {
    /// A search brought them together.
    case match
    /// They write to each other about a post.
    case correspondence

    /// The service that a plugin declares to store agreements of this purpose.
    public var service: Manifest.Service {
        switch self {
        case .match: .matches
        case .correspondence: .correspondence
        }
    }
}

/// A person's side of an agreement as it is stored, in the space of the two people.
public struct AgreementFact: Hashable, Sendable {
    /// The id of the agreement, which both facts name.
    public let id: Bytes16
    /// The name that the person gives the other.
    public let name: String?
    /// A statement of the person about the agreement, at most ``proofBytesMax`` bytes.
    public let proof: [UInt8]

    /// The maximum length of the proof, in bytes.
    public static let proofBytesMax = 4096

    /// Names the parts.
    public init(id: Bytes16, name: String?, proof: [UInt8]) {
        self.id = id
        self.name = name
        self.proof = proof
    }
}

/// An agreement of which my fact is stored.
public struct StoredAgreement: Hashable, Sendable {
    /// The other person.
    public let person: PersonID
    /// The id of the agreement.
    public let id: Bytes16
    /// The time of my fact.
    public let at: Timestamp
    /// The proof in my fact.
    public let proof: [UInt8]
    /// The other person's fact, if it has arrived.
    public let theirs: AgreementFact?
    /// Whether either side has ended it.
    public let isOver: Bool
    /// Whether I ended it and the other side may not know.
    public let isUntold: Bool
    /// The time at which I ended it while it stood, if I did and called it a cancel.
    public let cancelled: Timestamp?

    /// Whether it stands: both facts name it, and neither side has ended it.
    public var stands: Bool { theirs != nil && !isOver }

    /// Names the parts.
    public init(
        person: PersonID, id: Bytes16, at: Timestamp, proof: [UInt8], theirs: AgreementFact?,
        isOver: Bool, isUntold: Bool, cancelled: Timestamp?
    ) {
        self.person = person
        self.id = id
        self.at = at
        self.proof = proof
        self.theirs = theirs
        self.isOver = isOver
        self.isUntold = isUntold
        self.cancelled = cancelled
    }
}
