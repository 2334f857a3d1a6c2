/// A collection's identifier on the wire: the first four bytes of its name's hash.
public struct CollectionID: Hashable, Comparable, Sendable {
    /// The four bytes as a big-endian integer.
    public let rawValue: UInt32

    /// The collection of operations on the space itself: membership, cuts and erasing.
    public static let control = CollectionID(rawValue: 0)

    /// Wraps an identifier that was read from bytes.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Derives the identifier of a declared name.
    public init(name: String) {
        let hash = Digest.collection.hash(Array(name.utf8))
        self.init(rawValue: hash.bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// Orders by the raw value.
    public static func < (left: CollectionID, right: CollectionID) -> Bool {
        left.rawValue < right.rawValue
    }
}
