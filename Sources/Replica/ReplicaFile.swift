internal import Foundation
internal import GRDB
internal import Glibc
internal import Identity
internal import Records

/// The database file of a replica: how it is made, opened and brought up to date.
struct ReplicaFile {
    let path: String

    /// An open file and what is kept of it in memory.
    struct Opened {
        let pool: DatabasePool
        let startCount: StartCount
        let people: [PersonRecord]
        let claims: [DeviceID: [PersonID]]
        let spaces: [SpaceState]
        let isScrubDue: Bool
        let hasCutOwn: Bool
    }

    /// The file with the other start count.
    var starts: StartsFile {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        return StartsFile(path: directory.appendingPathComponent("starts").path)
    }

    /// Opens the file, migrates it, makes the declared tables and views, rebuilds what
    /// was declared otherwise before, and counts the start.
    func open(catalog: Catalog, views: [ReplicaView], device: DeviceID) throws -> Opened {
        try createPrivately()
        let hasLog = logBytes > 0
        let pool = try openPool()
        // All of this is asked on the writer's connection: another would read the schema again.
        guard try !pool.writeWithoutTransaction(Schema.migrator.hasBeenSuperseded) else {
            throw ReplicaFault.newerVersion(path: path)
        }
        if hasLog { try settleLog(of: pool) }
        try Schema.migrator.migrate(pool)
        let spaces = try pool.write { database in
            let emptied = try Schema.declare(catalog, views, in: database)
            return try StateLoader(database: database).spaces().map { space in
                try ControlTable(database: database, space: space.number)
                    .store(space.membership.members)
                guard emptied.contains(space.descriptor.kind), space.batchCount > 0 else {
                    return space
                }
                let transaction = SpaceTransaction(
                    database, space, catalog, device: device, wallMilliseconds: 0)
                try transaction.rebuild()
                return transaction.space
            }
        }
        let startCount = try StartCounter(pool: pool, file: starts).count()
        return try pool.writeWithoutTransaction { database in
            let loader = StateLoader(database: database)
            return Opened(
                pool: pool, startCount: startCount, people: try loader.people(),
                claims: try loader.claims(), spaces: spaces,
                isScrubDue: try loader.isScrubDue(),
                hasCutOwn: try loader.hasCutLog(of: device))
        }
    }

    /// Only the owner may read; SQLite gives its own files beside it the same permissions.
    private func createPrivately() throws {
        guard unsafe access(path, F_OK) != 0 else { return }
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ReplicaFault(code: errno, path: path) }
        close(descriptor)
    }

    private func openPool() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(ReplicaFile.busySecondsMax)
        configuration.prepareDatabase { SearchFunctions.add(to: $0) }
        let pool = try DatabasePool(path: path, configuration: configuration)
        // The pool sets NORMAL as it turns on the write-ahead log; a power cut could then take
        // commits that were acknowledged.
        let durability = Planted.syncSkipped.isIn ? "NORMAL" : "FULL"
        let mode = try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(durability)")
            // What is deleted or written over is gone from its page, too.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            return try String.fetchOne(database, sql: "PRAGMA journal_mode")
        }
        // The pool takes SQLite's first word for it, which comes before the disk's.
        guard mode == "wal" else {
            throw ReplicaFault.inputOutput(
                path: path, detail: "the write-ahead log could not be begun")
        }
        return pool
    }

    /// Brings what stands in SQLite's log into the database, and both to the disk.
    ///
    /// After a sync that failed, the system shows what was written and never writes it again. Were
    /// new commits to follow such ones in the log, a power cut would take them all.
    ///
    /// A disk that has no room for it shall keep nobody from reading what they have. So where the
    /// room may not suffice it is left for a later start: a checkpoint that stops half way has
    /// taken the room that was left, and gives none of it back.
    private func settleLog(of pool: DatabasePool) throws {
        guard hasRoomToSettle else { return }
        do {
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            // Somebody else took the room meanwhile.
        }
    }

    /// Whether the disk has room for as much as the log holds, which is the most that the database
    /// can grow by it.
    private var hasRoomToSettle: Bool {
        var disk = statvfs()
        guard unsafe statvfs(path, &disk) == 0 else { return true }
        let (room, overflows) = UInt64(disk.f_bavail).multipliedReportingOverflow(
            by: UInt64(disk.f_frsize))
        return overflows || room >= logBytes
    }

    /// The size of SQLite's log; 0 where there is none.
    private var logBytes: UInt64 {
        var log = stat()
        return unsafe stat(path + "-wal", &log) == 0 ? UInt64(clamping: log.st_size) : 0
    }

    /// How long to wait for another process that reads or writes the file.
    private static let busySecondsMax = 2.0
}
