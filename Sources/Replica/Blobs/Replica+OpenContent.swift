internal import GRDB
public import Records

// Content that records of open spaces name.
extension Replica {
    /// Returns what a peer who looks for content of an open space learns here: whether it is here,
    /// and otherwise the blob, if this side may look for it too.
    ///
    /// A hash that no record here names is like an unknown one, also if its content is here for
    /// another space.
    public func sought(_ blob: SoughtBlob, in space: SpaceID) throws -> SoughtContent {
        let (hash, bytes) = (blob.hash, blob.bytesCount)
        guard let state = states[space], state.isOpen, let own = person(of: device) else {
            return .unknown
        }
        let (isServed, stored, wanted) = try read { database in
            let table = BlobTable(database: database)
            return (
                try table.mayServe(hash, in: state.number, by: own), try table.stored(hash),
                try table.wanted(hash, bytes: bytes, in: state.number)
            )
        }
        if isServed, stored?.bytes == bytes { return .isHere }
        return wanted.map { .missing($0) } ?? .unknown
    }

    /// Content that is to be fetched with its record.
    public struct DueContent: Hashable, Sendable {
        /// The open space.
        public let space: SpaceID
        /// The content.
        public let blob: Blob
        /// Whether a retained person wrote the record.
        public let isRetained: Bool
    }

    /// Returns the content that is to be fetched with its record now: of retained people first,
    /// in turns, then of others, while there is room for it. The latest records come first.
    public func dueSmallContent(countMax: Int) throws -> [DueContent] {
        guard catalog.hasOpenBlobs else { return [] }
        if contentRoom == nil { try evictSurplus() }
        let room = quota.smallContentBytesMax - (contentRoom?.openBytes ?? 0)
        return try read { database in
            let kept = try retainedDue(database, countMax: countMax)
            guard kept.count < countMax, room > 0 else { return kept }
            return kept + (try othersDue(database, countMax: countMax - kept.count, room: room))
        }
    }

    /// The number of rows of retained people, and of others, that one look for due content reads.
    static let dueContentSeenMax = 16_384

    /// Takes turns between retained people: the latest record of each person, then the second one
    /// of each. So one person with many records does not displace the others.
    private func retainedDue(_ database: Database, countMax: Int) throws -> [DueContent] {
        let people = (retainedPeople ?? []).sorted()
        let due = try states.all.filter(\.isOpen).flatMap { space in
            try SmallContentTable(database: database, space: space.number)
                .creatorsDue(among: people).map { (space: space, creator: $0) }
        }
        let each = max(1, Replica.dueContentSeenMax / max(1, due.count))
        var rows: [PersonID: [(stamp: Int64, content: DueContent)]] = [:]
        for (space, creator) in due {
            var count = 0
            let table = SmallContentTable(database: database, space: space.number)
            try table.visitDue(of: creator) { due in
                let content = DueContent(space: space.id, blob: due.blob, isRetained: true)
                rows[creator, default: []].append((due.stamp, content))
                count += 1
                return count < min(each, countMax)
            }
        }
        let turns = rows.values.flatMap { rows in
            rows.sorted { $0.stamp > $1.stamp }.enumerated().map { (turn: $0, row: $1) }
        }
        return turns.sorted { ($0.turn, $1.row.stamp) < ($1.turn, $0.row.stamp) }
            .prefix(countMax).map(\.row.content)
    }

    private func othersDue(
        _ database: Database, countMax: Int, room: Int
    ) throws -> [DueContent] {
        let ids = Dictionary(
            states.all.map { ($0.number, $0.id) }, uniquingKeysWith: { first, _ in first })
        var (found, room, seenCount) = ([DueContent](), room, 0)
        try SmallContentTable.visitDue(database) { due in
            seenCount += 1
            if let space = ids[due.space], retainedPeople?.contains(due.creator) != true {
                room -= due.blob.bytesCount + Limits.blobFileBytes
                guard room >= 0 else { return false }
                found.append(DueContent(space: space, blob: due.blob, isRetained: false))
            }
            return found.count < countMax && seenCount < Replica.dueContentSeenMax
        }
        return found
    }

    /// Records that content which is fetched with its record was not found: it is looked for again
    /// only if the user opens it. A record that names its hash with another length counts as
    /// other content.
    public func giveUp(_ blob: Blob, in space: SpaceID) throws {
        guard let state = states[space], state.isOpen else { return }
        try write { database in
            try SmallContentTable(database: database, space: state.number).giveUp(blob)
        }
    }
}
