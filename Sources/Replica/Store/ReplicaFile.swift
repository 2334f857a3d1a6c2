internal import Foundation
internal import GRDB
internal import Glibc
internal import Identity
internal import Records

/// The database file of a replica: its creation, opening and migration.
struct ReplicaFile {
    let path: String

    /// An open file, and the parts of it that are kept in memory.
    struct Opened {
        let pool: DatabasePool
        let startCount: StartCount
        let people: [PersonRecord]
        let claims: [DeviceID: [PersonID]]
        let brought: [PersonID: Int]
        let spaces: [SpaceState]
        let isScrubDue: Bool
        let hasCutOwn: Bool
        let reservedBytes: [PersonID: Int]
    }

    /// The file with the other start count.
    var starts: StartsFile {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        return StartsFile(path: directory.appendingPathComponent("starts").path)
    }

    /// Opens the file, migrates it, creates the declared tables and views, rebuilds those whose
    /// declaration changed, and counts the start.
    func open(catalog: Catalog, views: [ReplicaView], device: DeviceID) throws -> Opened {
        try createPrivately()
        let hasLog = logBytes > 0
        let pool = try openPool()
        // Everything uses the writer's connection: another one would read the schema again.
        guard try !pool.writeWithoutTransaction(Schema.migrator.hasBeenSuperseded) else {
            throw ReplicaFault.newerVersion(path: path)
        }
        if hasLog { try settleLog(of: pool) }
        try Schema.migrator.migrate(pool)
        let spaces = try pool.write { database in
            try declare(catalog, views, in: database, device: device)
        }
        let startCount = try StartCounter(pool: pool, file: starts).count()
        return try pool.writeWithoutTransaction { database in
            let loader = StateLoader(database: database)
            return Opened(
                pool: pool, startCount: startCount, people: try loader.people(),
                claims: try loader.claims(), brought: try loader.brought(), spaces: spaces,
                isScrubDue: try loader.isScrubDue(),
                hasCutOwn: try loader.hasCutLog(of: device),
                reservedBytes: try ReserveTable(database: database).bytes())
        }
    }

    /// Creates the declared tables and views, and rebuilds the spaces whose tables were replaced.
    /// - Returns: all spaces.
    private func declare(
        _ catalog: Catalog, _ views: [ReplicaView], in database: Database, device: DeviceID
    ) throws -> [SpaceState] {
        let kindsToRebuild = try Schema.declare(catalog, views, in: database)
        return try StateLoader(database: database).spaces().map { space in
            let control = ControlTable(database: database, space: space.number)
            try control.store(space.membership.members)
            let isOutdated = try control.storeAuthors(space)
            let transaction = SpaceTransaction(
                database, space, catalog, device: device, wallTime: .min)
            // An older version kept four sides of each batch after which a log forked.
            try transaction.dropSurplusSides()
            let mustRebuild =
                isOutdated || transaction.state.mustRebuild
                || kindsToRebuild.contains(space.descriptor.kind)
            guard mustRebuild, space.batchCount > 0 else { return space }
            try transaction.rebuild()
            return transaction.state.space
        }
    }

    /// Makes the file readable by its owner only; SQLite gives its files beside it the same
    /// permissions.
    private func createPrivately() throws {
        guard unsafe access(path, F_OK) != 0 else { return }
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ReplicaFault(code: errno, path: path) }
        close(descriptor)
    }

    private func openPool() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(ReplicaFile.busyMax / .seconds(1))
        configuration.prepareDatabase { database in
            SearchFunctions.add(to: database)
            try LocationFunctions.add(to: database)
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        // The pool sets NORMAL as it turns on the write-ahead log; a power cut could then lose
        // acknowledged commits.
        let mode = try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // Overwrites deleted content in its page.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            return try String.fetchOne(database, sql: "PRAGMA journal_mode")
        }
        // The pool trusts SQLite's first answer, which comes before any write to the disk.
        guard mode == "wal" else {
            throw ReplicaFault.inputOutput(
                path: path, detail: "the write-ahead log could not be started")
        }
        return pool
    }

    /// Writes the content of SQLite's log into the database, and syncs both.
    ///
    /// After a failed sync, the system shows the written bytes but never writes them to the disk
    /// again. If new commits followed them in the log, a power cut would lose them all.
    ///
    /// A full disk must not prevent reading. If there may not be enough space on the disk, a later
    /// start does this: a checkpoint that stops half way uses up the remaining space and frees
    /// nothing.
    private func settleLog(of pool: DatabasePool) throws {
        guard hasRoomToSettle else { return }
        do {
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            // Another program filled the disk in the meantime.
        }
    }

    /// Whether the disk has space for the size of the log, which is the most that the database can
    /// grow.
    private var hasRoomToSettle: Bool {
        FileSystem().freeBytes(at: path).map { UInt64(clamping: $0) >= logBytes } ?? true
    }

    /// The size of SQLite's log; 0 if it does not exist.
    private var logBytes: UInt64 {
        var log = stat()
        return unsafe stat(path + "-wal", &log) == 0 ? UInt64(clamping: log.st_size) : 0
    }

    /// The time to wait for another process that reads or writes the file.
    private static let busyMax = Duration.seconds(2)
}
