/// The kinds of spaces.
public enum SpaceKind: UInt8, Hashable, Sendable, CaseIterable {
    /// A space of one person's devices.
    case own = 1
    /// A person's profile: their devices write and serve it, the people they choose read it.
    case card = 2
    /// A space of two people.
    case pair = 3
    /// A group: its owner grants roles, and its members write as their roles and the fields' rules
    /// allow.
    case group = 4
    /// The neighbourhood: every person in reach writes their own records.
    case open = 5

    /// The kind's name for people and JSON.
    public var name: String {
        switch self {
        case .own: "self"
        case .card: "card"
        case .pair: "pair"
        case .group: "group"
        case .open: "open"
        }
    }
}

/// The definition of a space. Its hash is the space's id, so that both sides compute the same id.
public enum SpaceDescriptor: Hashable, Sendable {
    /// The space of one person's devices.
    case own(PersonID)
    /// The profile of a person.
    case card(PersonID)
    /// Two different people, the lower id first.
    case pair(PersonID, PersonID)
    /// A group, identified by its owner and a nonce of 16 bytes.
    case group(owner: PersonID, nonce: Bytes16)
    /// A neighbourhood, identified by its name.
    case open(name: String)

    /// Returns the pair of two people, in either order.
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

    /// Whether a person may write in the space, judging by the descriptor alone.
    public func isWriter(_ person: PersonID) -> Bool {
        switch self {
        case .own(let owner), .card(let owner), .group(let owner, _): person == owner
        case .pair(let one, let other): person == one || person == other
        case .open: true
        }
    }

    /// Returns the other person of a pair, or the other person whose card it is.
    public func other(than me: PersonID) -> PersonID? {
        switch self {
        case .pair(let one, let other): one == me ? other : one
        case .card(let owner) where owner != me: owner
        default: nil
        }
    }

    /// The canonical encoding: the kind's byte, then its fields.
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
