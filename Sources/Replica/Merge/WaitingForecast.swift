internal import GRDB
internal import Records

/// Tells how many operations of batches will wait for their entities, before these are merged.
///
/// It knows the entities that the tables show and those that stored batches of the same transaction
/// begin. An entity that begins in a later batch counts as unknown.
struct WaitingForecast {
    private let database: Database
    /// The space's number in this database.
    private let space: Int64
    /// The entities that were looked up or begin, and whether they are known.
    private var known: [EntityCache.Key: Bool] = [:]
    /// The number of batches of the transaction that were looked at.
    private var seenCount = 0
    /// The operations of these batches that will wait, by their author.
    private var waiting: [PersonID: Int] = [:]

    init(database: Database, space: Int64) {
        self.database = database
        self.space = space
    }

    /// Returns the number of operations of stored batches that will wait for their entities once
    /// they are merged.
    /// - Parameter stored: the batches of the transaction that are merged at its end; the same ones
    ///   as before, and further ones.
    mutating func count(
        in stored: [PlacedBatch], of person: PersonID, _ judge: OperationJudge
    ) throws -> Int {
        for batch in stored.dropFirst(seenCount) {
            let begun = WaitingForecast.begun(in: batch.body, by: batch.author, judge)
            for key in begun { known[key] = true }
            waiting[batch.author.person, default: 0] += try count(
                in: batch.body, by: batch.author, judge, begun: begun)
        }
        seenCount = stored.count
        return waiting[person] ?? 0
    }

    /// Returns the number of operations of a new batch that will wait.
    /// - Parameter begun: the entities that begin in the same run up to the batch.
    mutating func count(
        in body: BatchBody, by author: PlacedBatch.Author, _ judge: OperationJudge,
        begun: Set<EntityCache.Key>
    ) throws -> Int {
        var count = 0
        for group in body.groups {
            let key = body.operations[group.lowerBound].key
            guard let table = judge.catalog[key.collection], !begun.contains(key),
                try !isKnown(key, table)
            else { continue }
            count += body.operations[group].count { operation in
                guard !operation.action.isCreate else { return false }
                let verdict = judge.verdict(
                    onWrite: operation, in: table, by: author, creator: nil, isCreating: false)
                if case .waits = verdict { return true }
                return false
            }
        }
        return count
    }

    /// Returns the entities that begin in a batch.
    static func begun(
        in body: BatchBody, by author: PlacedBatch.Author, _ judge: OperationJudge
    ) -> Set<EntityCache.Key> {
        guard body.hasCreate else { return [] }
        return Set(
            body.operations.lazy.filter { operation in
                guard operation.action.isCreate else { return false }
                if case .begins = judge.verdict(onCreate: operation, by: author) { return true }
                return false
            }.map(\.key))
    }

    private mutating func isKnown(
        _ key: EntityCache.Key, _ table: MaterialisedTable
    ) throws -> Bool {
        if let isKnown = known[key] { return isKnown }
        let found = try PreparedStatement(database, table.selectSQL).first({
            $0.append(space)
            $0.append(key.entity)
        }) { _ in true }
        known[key] = found ?? false
        return found ?? false
    }
}
