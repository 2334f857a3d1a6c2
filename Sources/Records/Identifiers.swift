/// An identifier: a fixed number of bytes, written as lower-case hexadecimal digits.
public protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible, Codable {
    /// The bytes' type, which fixes their number.
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
    /// Creates an identifier from its bytes, or nil for another count.
    public init?(bytes: some Collection<UInt8>) {
        guard let raw = Raw(bytes) else { return nil }
        self.init(raw: raw)
    }

    /// Creates an identifier from its hexadecimal digits, or nil if they are malformed.
    public init?(_ text: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The bytes.
    public var bytes: [UInt8] { raw.bytes }

    /// Two lower-case hexadecimal digits per byte.
    public var description: String { Hexadecimal.text(raw.bytes) }

    /// Orders as bytes, first byte first.
    public static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }

    /// Decodes an identifier from its hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not \(2 * Raw.bytesCount) lower-case hexadecimal digits")
        }
        self = value
    }

    /// Encodes the hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Identifier32 {
    /// The first six digits, which distinguish two people of the same name on a screen.
    public var suffix: String { String(description.prefix(6)) }
}

/// The Ed25519 public key of one installation, which is the author of batches.
public struct DeviceID: Identifier32 {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Wraps the bytes of a public key.
    public init(raw: Bytes32) { self.raw = raw }
}

/// The hash of a person's founding record.
public struct PersonID: Identifier32 {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Wraps the hash of a founding record.
    public init(raw: Bytes32) { self.raw = raw }
}

/// The hash of a space's descriptor. A space is the unit of replication.
public struct SpaceID: Identifier32 {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Wraps the hash of a descriptor.
    public init(raw: Bytes32) { self.raw = raw }
}

/// SHA-256 of a batch's header. It identifies the batch and, through the chain, all before it.
public struct BatchHash: Identifier32 {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Wraps the hash of a header.
    public init(raw: Bytes32) { self.raw = raw }

    /// The predecessor's hash in the first batch of a log.
    public static let none = BatchHash(raw: .zero)
}

/// The branch of a log: zero for the main log, otherwise the hash of the batch that it is named
/// after.
public struct BranchName: Identifier32 {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Wraps a branch name that was read or stored.
    public init(raw: Bytes32) { self.raw = raw }

    /// The branch of a log that neither forked nor began with a later grant.
    public static let main = BranchName(raw: .zero)
}

/// A record of a collection. The id is a hash over the creator, so that no other device can claim
/// it.
public struct EntityID: Identifier16 {
    /// The 16 bytes.
    public let raw: Bytes16
    /// Wraps an id that was read or stored.
    public init(raw: Bytes16) { self.raw = raw }

    /// The entity of all control operations.
    public static let control = EntityID(raw: .zero)
}

/// An addition to a set: a hash of the batch that contains it and the operation's index.
public struct Dot: Identifier16 {
    /// The 16 bytes.
    public let raw: Bytes16
    /// Wraps a dot that was read or stored.
    public init(raw: Bytes16) { self.raw = raw }
}
