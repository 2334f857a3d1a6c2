internal import Records

/// The parts of content that have not arrived whole: how much room they take, and which of them go.
///
/// A peer can begin to send content and never end it, for one record after another. So the room is
/// limited, and of the space whose parts take most of it, the part that waited longest goes first.
/// The parts of a peer are in the spaces that it shares, so they displace one another, and not what
/// comes from others.
struct ArrivingContent {
    /// The space and the content that a part belongs to.
    struct Key: Hashable {
        let space: SpaceID
        let hash: BlobHash
    }

    /// The bytes that have arrived.
    struct Part: Hashable {
        var bytes: Int
        /// When the last piece came.
        var changed: Timestamp

        /// The bytes that it is counted with.
        var cost: Int { bytes + Limits.blobFileBytes }
    }

    private(set) var parts: [Key: Part] = [:]
    /// The bytes that the parts of each space are counted with.
    private var costs: [SpaceID: Int] = [:]
    /// The bytes that all parts are counted with.
    private(set) var bytes = 0

    /// Counts the parts that were found on the disk.
    init(_ found: [(key: Key, part: Part)]) {
        for (key, part) in found { record(key, part) }
    }

    /// Records what has arrived of a part by now.
    mutating func record(_ key: Key, _ part: Part) {
        let more = part.cost - (parts.updateValue(part, forKey: key)?.cost ?? 0)
        costs[key.space, default: 0] += more
        bytes += more
    }

    /// Records that a part was removed, or has become whole.
    mutating func remove(_ key: Key) {
        guard let part = parts.removeValue(forKey: key) else { return }
        bytes -= part.cost
        let rest = costs[key.space, default: 0] - part.cost
        costs[key.space] = rest > 0 ? rest : nil
    }

    /// Removes the parts that waited for ``Limits/arrivingAge``, and then as many as there is no
    /// room for.
    /// - Parameters:
    ///   - kept: a part that stays.
    ///   - bytesMax: the bytes that all parts may be counted with.
    /// - Returns: the removed parts, whose files must be removed too.
    mutating func prune(keeping kept: Key?, bytesMax: Int, now: Timestamp) -> [Key] {
        var gone = parts.filter { $0.key != kept && now - $0.value.changed >= Limits.arrivingAge }
            .map(\.key)
        for key in gone { remove(key) }
        guard bytes > bytesMax || parts.count > Limits.arrivingCountMax else { return gone }
        // A tenth is freed at once, so that this is done seldom.
        while bytes > bytesMax / 10 * 9 || parts.count > Limits.arrivingCountMax / 10 * 9,
            let next = oldest(keeping: kept)
        {
            remove(next)
            gone.append(next)
        }
        return gone
    }

    /// Returns the oldest part of the space whose parts take most of the room.
    private func oldest(keeping kept: Key?) -> Key? {
        let most = costs.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        return oldest { $0 != kept && $0.space == most } ?? oldest { $0 != kept }
    }

    private func oldest(where isMeant: (Key) -> Bool) -> Key? {
        var found: (key: Key, changed: Timestamp)?
        for (key, part) in parts where isMeant(key) {
            guard let oldest = found else {
                found = (key, part.changed)
                continue
            }
            if (part.changed, key.hash) < (oldest.changed, oldest.key.hash) {
                found = (key, part.changed)
            }
        }
        return found?.key
    }
}
