/// A collection's number on the wire: the first four bytes of its name's hash.
public struct CollectionID: Hashable, Comparable, Sendable {
    /// The four bytes, most significant first.
    public let rawValue: UInt32

    /// Operations of the space itself: members, cuts and erasing.
    public static let control = CollectionID(rawValue: 0)

    /// Wraps a number that arrived.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number of a declared name.
    public init(name: String) {
        let hash = Digest.collection.hash(Array(name.utf8))
        self.init(rawValue: hash.bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }

    public static func < (left: CollectionID, right: CollectionID) -> Bool {
        left.rawValue < right.rawValue
    }
}
