internal import Records

/// The order that decides between writes: stamp, then author key, batch hash and operation index.
/// Never arrival, never a local number.
struct TieOrder {
    /// The log of each local number.
    let logs: [Int64: LogName]
    let batches: BatchTable

    /// Whether the one operation stands before the other.
    func precedes(_ one: Tie, _ other: Tie) throws -> Bool {
        if one.stamp != other.stamp { return one.stamp < other.stamp }
        if one.place == other.place { return one.index < other.index }
        if Planted.tieByLocalNumber.isIn { return one.place.log < other.place.log }
        if let mine = logs[one.place.log]?.device, let theirs = logs[other.place.log]?.device,
            mine != theirs
        {
            return mine < theirs
        }
        // Of a batch that the disk lost nothing is known; it is mended and merged again.
        return try batches.hash(at: one.place) ?? .none < batches.hash(at: other.place) ?? .none
    }
}
