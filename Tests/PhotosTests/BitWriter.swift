/// Bits that are packed into bytes.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var partial: UInt8 = 0
    private var partialCount = 0
    private let isLowestFirst: Bool

    /// Creates a writer that fills each byte from its lowest bit, as zlib does, or from its
    /// highest, as JPEG does.
    init(lowestFirst: Bool) {
        isLowestFirst = lowestFirst
    }

    /// Appends the lowest bits of a number, the highest of them first.
    mutating func append(_ bits: Int, count: Int) {
        for index in (0..<count).reversed() {
            let bit = UInt8(bits >> index & 1)
            partial |= isLowestFirst ? bit << partialCount : bit << (7 - partialCount)
            partialCount += 1
            if partialCount == 8 { flush() }
        }
    }

    /// Ends the last byte with bits that are 1, if it has begun.
    mutating func finish() {
        while partialCount > 0 { append(1, count: 1) }
    }

    private mutating func flush() {
        bytes.append(partial)
        partial = 0
        partialCount = 0
    }
}

extension [UInt8] {
    /// Appends the lowest `count` bytes of a number, the highest first.
    mutating func append(number: Int, bytes count: Int) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Whether the bytes contain a text.
    func contain(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: wanted) }
    }

    /// The bytes with a part exchanged for another.
    func replacing(_ range: Range<Int>, with part: [UInt8]) -> [UInt8] {
        self[..<range.lowerBound] + part + self[range.upperBound...]
    }
}
