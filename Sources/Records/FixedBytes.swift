/// A fixed number of bytes stored inline, ordered as bytes.
public protocol FixedBytes: Hashable, Comparable, Sendable {
    /// The number of bytes.
    static var bytesCount: Int { get }
    /// Creates a value from exactly that many bytes, or nil for any other count.
    init?(_ bytes: some Collection<UInt8>)
    /// The bytes, first byte first.
    var bytes: [UInt8] { get }
    /// Calls a closure with the bytes, first byte first, without allocating an array.
    func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result
}

/// Thirty-two bytes stored inline, ordered as bytes.
public struct Bytes32: FixedBytes {
    /// The number of bytes: 32.
    public static let bytesCount = 32

    @usableFromInline let a, b, c, d: UInt64

    /// Thirty-two zeros: the hash before the first batch, and the name of the main branch.
    public static let zero = Bytes32(0, 0, 0, 0)

    @inlinable init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
    }

    /// Creates a value from exactly 32 bytes, or nil for any other count.
    @inlinable
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var rest = bytes.makeIterator()
        self.init(rest.nextUInt64(), rest.nextUInt64(), rest.nextUInt64(), rest.nextUInt64())
    }

    /// The 32 bytes, first byte first.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(32)
        append(to: &result)
        return result
    }

    /// Calls a closure with the bytes, first byte first, without allocating an array.
    @inlinable
    public func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        let words = (a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian)
        return try unsafe Swift.withUnsafeBytes(of: words) { try body(unsafe $0.bytes) }
    }

    /// Appends the 32 bytes.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: a)
        bytes.append(bigEndian: b)
        bytes.append(bigEndian: c)
        bytes.append(bigEndian: d)
    }

    /// Orders as bytes, first byte first.
    public static func < (left: Bytes32, right: Bytes32) -> Bool {
        if left.a != right.a { return left.a < right.a }
        if left.b != right.b { return left.b < right.b }
        if left.c != right.c { return left.c < right.c }
        return left.d < right.d
    }
}

/// Sixteen bytes stored inline, ordered as bytes.
public struct Bytes16: FixedBytes {
    /// The number of bytes: 16.
    public static let bytesCount = 16

    @usableFromInline let a, b: UInt64

    /// Sixteen zeros.
    public static let zero = Bytes16(0, 0)

    @inlinable init(_ a: UInt64, _ b: UInt64) {
        self.a = a
        self.b = b
    }

    /// Creates a value from exactly 16 bytes, or nil for any other count.
    @inlinable
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var rest = bytes.makeIterator()
        self.init(rest.nextUInt64(), rest.nextUInt64())
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

    /// Calls a closure with the bytes, first byte first, without allocating an array.
    @inlinable
    public func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        let words = (a.bigEndian, b.bigEndian)
        return try unsafe Swift.withUnsafeBytes(of: words) { try body(unsafe $0.bytes) }
    }

    /// Appends the 16 bytes.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: a)
        bytes.append(bigEndian: b)
    }

    /// Orders as bytes, first byte first.
    public static func < (left: Bytes16, right: Bytes16) -> Bool {
        left.a != right.a ? left.a < right.a : left.b < right.b
    }
}

extension IteratorProtocol where Element == UInt8 {
    /// Reads the next eight bytes as a big-endian integer. Missing bytes count as zero.
    @inlinable
    mutating func nextUInt64() -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<8 { value = value << 8 | UInt64(next() ?? 0) }
        return value
    }
}

extension [UInt8] {
    /// Appends a big-endian integer.
    @inlinable
    public mutating func append<Integer: FixedWidthInteger>(bigEndian value: Integer) {
        unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
    }
}
