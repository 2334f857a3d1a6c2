extension [UInt8] {
    /// Returns the number in `count` bytes from `index` on, the highest byte first; nil if they are
    /// not all there.
    /// - Parameter count: at most 4.
    func bigEndian(at index: Int, count: Int) -> Int? {
        guard index >= 0, index <= self.count - count else { return nil }
        return self[index..<(index + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Appends the lowest `count` bytes of a number, the highest first.
    mutating func append(bigEndian number: Int, count: Int) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
