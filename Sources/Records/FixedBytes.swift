/// A fixed number of bytes held inline, ordered as bytes.
public protocol FixedBytes: Hashable, Comparable, Sendable {
    /// How many bytes there are.
    static var bytesCount: Int { get }
    /// The value of exactly that many bytes, or nil for any other count.
    init?(_ bytes: some Collection<UInt8>)
    /// The bytes, first byte first.
    var bytes: [UInt8] { get }
}

/// Thirty-two bytes held inline, ordered as bytes.
public struct Bytes32: FixedBytes {
    public static let bytesCount = 32

    @usableFromInline let a, b, c, d: UInt64

    /// Thirty-two zeros: the hash before the first batch, and the name of the unforked branch.
    public static let zero = Bytes32(0, 0, 0, 0)

    @inlinable init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
    }

    /// The value of exactly 32 bytes, or nil for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for (position, byte) in bytes.enumerated() {
            switch position >> 3 {
            case 0: words.0 = words.0 << 8 | UInt64(byte)
            case 1: words.1 = words.1 << 8 | UInt64(byte)
            case 2: words.2 = words.2 << 8 | UInt64(byte)
            default: words.3 = words.3 << 8 | UInt64(byte)
            }
        }
        self.init(words.0, words.1, words.2, words.3)
    }

    /// The 32 bytes, first byte first.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(32)
        append(to: &result)
        return result
    }

    /// Appends the 32 bytes.
    public func append(to bytes: inout [UInt8]) {
        for word in [a, b, c, d] { bytes.append(bigEndian: word) }
    }

    public static func < (left: Bytes32, right: Bytes32) -> Bool {
        if left.a != right.a { return left.a < right.a }
        if left.b != right.b { return left.b < right.b }
        if left.c != right.c { return left.c < right.c }
        return left.d < right.d
    }
}

/// Sixteen bytes held inline, ordered as bytes.
public struct Bytes16: FixedBytes {
    public static let bytesCount = 16

    @usableFromInline let a, b: UInt64

    /// Sixteen zeros.
    public static let zero = Bytes16(0, 0)

    @inlinable init(_ a: UInt64, _ b: UInt64) {
        self.a = a
        self.b = b
    }

    /// The value of exactly 16 bytes, or nil for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for (position, byte) in bytes.enumerated() {
            if position < 8 {
                words.0 = words.0 << 8 | UInt64(byte)
            } else {
                words.1 = words.1 << 8 | UInt64(byte)
            }
        }
        self.init(words.0, words.1)
    }

    /// The first 16 of 32 bytes.
    public init(prefixOf whole: Bytes32) {
        self.init(whole.a, whole.b)
    }

    /// The 16 bytes, first byte first.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(16)
        append(to: &result)
        return result
    }

    /// Appends the 16 bytes.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: a)
        bytes.append(bigEndian: b)
    }

    public static func < (left: Bytes16, right: Bytes16) -> Bool {
        left.a != right.a ? left.a < right.a : left.b < right.b
    }
}

extension [UInt8] {
    /// Appends an integer, most significant byte first.
    public mutating func append<Integer: FixedWidthInteger>(bigEndian value: Integer) {
        var shift = Integer.bitWidth - 8
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
            shift -= 8
        }
    }
}
