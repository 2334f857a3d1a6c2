/// An identifier: a fixed number of bytes, written as lower-case hexadecimal digits.
public protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible, Codable {
    associatedtype Raw: FixedBytes
    /// The identifier's bytes.
    var raw: Raw { get }
    /// Wraps bytes that are known to be such an identifier.
    init(raw: Raw)
}

/// An identifier of 32 bytes: a public key or a SHA-256.
public protocol Identifier32: Identifier where Raw == Bytes32 {}

/// An identifier of 16 bytes, the first half of a SHA-256.
public protocol Identifier16: Identifier where Raw == Bytes16 {}

extension Identifier {
    /// The identifier that these bytes spell, or nil for another count.
    public init?(bytes: some Collection<UInt8>) {
        guard let raw = Raw(bytes) else { return nil }
        self.init(raw: raw)
    }

    /// The identifier that these hexadecimal digits spell, or nil.
    public init?(_ text: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The bytes.
    public var bytes: [UInt8] { raw.bytes }

    /// Two lower-case hexadecimal digits a byte.
    public var description: String { Hexadecimal.text(raw.bytes) }

    public static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not \(2 * Raw.bytesCount) lower-case hexadecimal digits")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Identifier32 {
    /// The first six digits: what tells two people of one name apart on a screen.
    public var suffix: String { String(description.prefix(6)) }
}

/// One install: its Ed25519 public key. The author of batches.
public struct DeviceID: Identifier32 {
    public let raw: Bytes32
    public init(raw: Bytes32) { self.raw = raw }
}

/// A person: the hash of their founding record.
public struct PersonID: Identifier32 {
    public let raw: Bytes32
    public init(raw: Bytes32) { self.raw = raw }
}

/// What is replicated together: the hash of a space's descriptor.
public struct SpaceID: Identifier32 {
    public let raw: Bytes32
    public init(raw: Bytes32) { self.raw = raw }
}

/// SHA-256 of a batch's header. It names the batch and, through the chain, all before it.
public struct BatchHash: Identifier32 {
    public let raw: Bytes32
    public init(raw: Bytes32) { self.raw = raw }

    /// What the first batch of a log names as its predecessor.
    public static let none = BatchHash(raw: .zero)
}

/// The branch of a log: zero until a fork was found, else the hash of its first divergent batch.
public struct BranchName: Identifier32 {
    public let raw: Bytes32
    public init(raw: Bytes32) { self.raw = raw }

    /// The branch of a log that never forked.
    public static let main = BranchName(raw: .zero)
}

/// One record of a collection: a hash that binds it to its creator, so nobody claims another's.
public struct EntityID: Identifier16 {
    public let raw: Bytes16
    public init(raw: Bytes16) { self.raw = raw }

    /// The entity that control operations name.
    public static let control = EntityID(raw: .zero)
}

/// One addition to a set: a hash of the batch that added it and the operation's place in it.
public struct Dot: Identifier16 {
    public let raw: Bytes16
    public init(raw: Bytes16) { self.raw = raw }
}
