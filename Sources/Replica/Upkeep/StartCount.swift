internal import GRDB

/// The number of a replica's starts, from the database and from the synced file `starts` beside it.
///
/// If the two disagree, one of them was restored or copied. The device may then have signed batches
/// that this database does not have, and continuing its numbers could fork the device's log.
public struct StartCount: Hashable, Sendable {
    /// This start's count in the database.
    public let inDatabase: Int64
    /// This start's count in the file; its earlier content if the two disagree.
    public let inFile: Int64?

    /// Whether the two disagree.
    public var disagrees: Bool { inDatabase != inFile }
}

/// Updates both counts. A kill at any moment leaves them in agreement, because the file announces a
/// count before the database stores it.
struct StartCounter {
    let pool: DatabasePool
    let file: StartsFile

    /// Counts this start. If the counts disagree, the file stays as it was, so that every later
    /// start detects it too until ``settle(_:)``.
    func count() throws -> StartCount {
        let before =
            StartCounter.plausible(
                try pool.writeWithoutTransaction {
                    try Int64.fetchOne($0, sql: "SELECT count FROM start")
                }) ?? 0
        let (written, isUnderWay) = try read()
        let agrees = written == before || isUnderWay && written == before + 1
        guard agrees || written == nil && before == 0 else {
            let next = max(before, written ?? 0) + 1
            try store(next)
            return StartCount(inDatabase: next, inFile: written)
        }
        try file.write("\(before + 1) starting")
        try store(before + 1)
        try file.write("\(before + 1)")
        return StartCount(inDatabase: before + 1, inFile: before + 1)
    }

    /// Makes the file agree with the database again.
    func settle(_ count: StartCount) throws {
        try file.write("\(count.inDatabase)")
    }

    private func store(_ count: Int64) throws {
        try pool.write { try $0.execute(sql: "UPDATE start SET count = ?", arguments: [count]) }
        // This may have created the write-ahead log. SQLite syncs its name, but goes on if it
        // cannot open the directory; a power cut would then lose all that was acknowledged.
        try file.syncDirectory()
    }

    private func read() throws -> (count: Int64?, isUnderWay: Bool) {
        let parts = try file.read()?.split { $0.isWhitespace } ?? []
        let count = StartCounter.plausible(parts.first.flatMap { Int64($0) })
        return (count, parts.count == 2)
    }

    /// A number from a damaged file could be too large to increment.
    private static func plausible(_ count: Int64?) -> Int64? {
        count.flatMap { (0...countMax).contains($0) ? $0 : nil }
    }

    /// One start per microsecond for thirty thousand years.
    private static let countMax: Int64 = 1_000_000_000_000_000_000
}
