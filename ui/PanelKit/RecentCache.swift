/// Caches values by key, up to a number of bytes. If it is full, the least recently used ones are
/// removed.
public struct RecentCache<Key: Hashable, Value> {
    private struct Entry {
        let value: Value
        let bytes: Int
        var usedAt: UInt64
    }

    /// The memory that an entry needs beside its value, in bytes.
    private static var entryBytes: Int { 256 }

    private let bytesMax: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    /// The memory of all entries.
    public private(set) var bytesCount = 0

    /// Creates an empty cache.
    public init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// The number of entries.
    public var count: Int { entries.count }

    /// Returns the value of a key and counts the use; nil if there is none.
    public mutating func value(of key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[index].usedAt = uses
        return entries.values[index].value
    }

    /// Adds the value of a key, in place of the one before.
    /// - Parameter bytes: the memory of the value.
    public mutating func insert(_ value: Value, bytes: Int, of key: Key) {
        uses += 1
        let entry = Entry(value: value, bytes: bytes + Self.entryBytes, usedAt: uses)
        bytesCount += entry.bytes - (entries.updateValue(entry, forKey: key)?.bytes ?? 0)
        if bytesCount > bytesMax { evict() }
    }

    /// Removes an eighth at once, so that not every new value looks for the oldest one.
    private mutating func evict() {
        for (key, entry) in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard bytesCount > bytesMax / 8 * 7 else { return }
            entries[key] = nil
            bytesCount -= entry.bytes
        }
    }
}
