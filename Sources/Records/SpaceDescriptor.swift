/// The kinds of space there are.
public enum SpaceKind: UInt8, Hashable, Sendable, CaseIterable {
    /// One person's devices.
    case own = 1
    /// One person's profile: their devices write and serve it, those they name read it.
    case card = 2
    /// Two people.
    case pair = 3
    /// A promise: its maker owns it, participants write their own fields.
    case group = 4
    /// The neighbourhood: anyone reachable writes own records.
    case open = 5

    /// The word for people and JSON.
    public var word: String {
        switch self {
        case .own: "self"
        case .card: "card"
        case .pair: "pair"
        case .group: "group"
        case .open: "open"
        }
    }
}

/// What a space is, from which its id follows, so that both ends compute the same.
public enum SpaceDescriptor: Hashable, Sendable {
    case own(PersonID)
    case card(PersonID)
    /// Two different people; the lower key first.
    case pair(PersonID, PersonID)
    /// A group by its owner and a nonce of 16 bytes.
    case group(owner: PersonID, nonce: Bytes16)
    /// The neighbourhood of a name.
    case open(name: String)

    /// The pair of two people, whichever is named first.
    public static func between(_ one: PersonID, _ other: PersonID) -> SpaceDescriptor {
        .pair(min(one, other), max(one, other))
    }

    /// The kind of space.
    public var kind: SpaceKind {
        switch self {
        case .own: .own
        case .card: .card
        case .pair: .pair
        case .group: .group
        case .open: .open
        }
    }

    /// The space's id: the hash of the encoded descriptor.
    public var id: SpaceID { SpaceID(raw: Digest.space.hash(encoded)) }

    /// The person who owns the space; a pair has none.
    public var owner: PersonID? {
        switch self {
        case .own(let person), .card(let person), .group(let person, _): person
        case .pair, .open: nil
        }
    }

    /// Whether a person may write in the space, as far as the descriptor alone says.
    public func isWriter(_ person: PersonID) -> Bool {
        switch self {
        case .own(let owner), .card(let owner), .group(let owner, _): person == owner
        case .pair(let one, let other): person == one || person == other
        case .open: true
        }
    }

    /// The kind's byte and then its parts.
    public var encoded: [UInt8] {
        var bytes = [kind.rawValue]
        switch self {
        case .own(let person), .card(let person): person.raw.append(to: &bytes)
        case .pair(let one, let other):
            one.raw.append(to: &bytes)
            other.raw.append(to: &bytes)
        case .group(let owner, let nonce):
            owner.raw.append(to: &bytes)
            nonce.append(to: &bytes)
        case .open(let name): bytes.append(text: name)
        }
        return bytes
    }

    /// Decodes exactly one descriptor.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        var reader = ByteReader(bytes)
        let tag = try reader.byte()
        switch SpaceKind(rawValue: tag) {
        case .own: self = .own(try reader.identifier(PersonID.self))
        case .card: self = .card(try reader.identifier(PersonID.self))
        case .pair:
            let one = try reader.identifier(PersonID.self)
            let other = try reader.identifier(PersonID.self)
            guard one < other else { throw .notCanonical("a pair's order") }
            self = .pair(one, other)
        case .group:
            let owner = try reader.identifier(PersonID.self)
            guard let nonce = Bytes16(try reader.bytes(16)) else { throw .truncated }
            self = .group(owner: owner, nonce: nonce)
        case .open: self = .open(name: try reader.text("a name", limit: Limits.topicBytesMax))
        case nil: throw .unknownTag("kind of space", UInt64(tag))
        }
        try reader.finish()
    }
}
