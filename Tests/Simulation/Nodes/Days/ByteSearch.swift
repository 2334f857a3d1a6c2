/// Searches for many byte strings at once, each of eight bytes or more.
struct ByteSearch {
    private var needles: [UInt64: [[UInt8]]] = [:]

    /// Creates a search for these strings.
    init(_ needles: [[UInt8]]) {
        for needle in needles where needle.count >= 8 {
            self.needles[Self.window(needle), default: []].append(needle)
        }
    }

    private static func window(_ bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the strings that occur in bytes.
    func found(in bytes: [UInt8]) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        var window: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            window = window << 8 | UInt64(byte)
            guard index >= 7, let candidates = needles[window] else { continue }
            let rest = bytes[(index - 7)...]
            found.formUnion(candidates.filter { rest.starts(with: $0) })
        }
        return found
    }
}
