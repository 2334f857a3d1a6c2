internal import Records

/// The order of writes: by stamp, author key, batch hash and operation index; never by arrival or
/// local number.
struct TieOrder {
    /// The log of each local number.
    let logs: SharedMap<Int64, LogName>
    let batches: BatchTable

    /// Whether one operation comes before another.
    func precedes(_ one: Tie, _ other: Tie) throws -> Bool {
        if one.stamp != other.stamp { return one.stamp < other.stamp }
        if one.place == other.place { return one.index < other.index }
        if let mine = logs[one.place.log]?.device, let theirs = logs[other.place.log]?.device,
            mine != theirs
        {
            return mine < theirs
        }
        // A lost batch has no hash; after it is mended, its records are merged again.
        return try batches.hash(at: one.place) ?? .none < batches.hash(at: other.place) ?? .none
    }
}
