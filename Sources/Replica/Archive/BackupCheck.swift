internal import GRDB
internal import Identity
internal import Records

/// The checks that a copy of a replica must pass before it becomes a backup or a replica.
struct BackupCheck {
    /// The path that faults name; it is not that of the copy.
    let path: String

    /// Migrates the copy to this version, then checks the file and every batch.
    /// - Throws: the first ``BackupFault`` found, in the order version, file, log.
    func run(_ copy: DatabaseQueue) throws {
        guard try !copy.read(Schema.migrator.hasBeenSuperseded) else {
            throw BackupFault.newer(path)
        }
        try Schema.migrator.migrate(copy)
        try copy.read { database in
            if let finding = try database.fileFindings(countMax: 1).first {
                throw BackupFault.damaged(path, finding)
            }
            do {
                try checkLogs(database)
            } catch let fault as RecordFault {
                throw BackupFault.damaged(path, "\(fault)")
            }
        }
    }

    /// Checks that the records belong to the person of the record that came with them.
    func run(_ database: Database, of person: PersonRecord) throws {
        let spaces = try StateLoader(database: database).spaces().map(\.descriptor)
        guard spaces.isEmpty || spaces.contains(.own(person.person)) else {
            throw BackupFault.damaged(path, "its key and its records are of different people")
        }
    }

    /// Checks every batch.
    func checkLogs(_ database: Database) throws {
        for space in try StateLoader(database: database).spaces() {
            let audit = LogAudit(space: space, batches: BatchTable(database: database))
            for row in space.logs.keys.sorted() {
                guard let damaged = try audit.damaged(in: row).first else { continue }
                throw BackupFault.damaged(
                    path,
                    "batch \(damaged.lowerBound) of \(row.device) in the space \(space.id) is not "
                        + "what its author signed")
            }
        }
    }
}
