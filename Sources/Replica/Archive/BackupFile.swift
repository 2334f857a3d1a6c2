internal import Foundation
internal import GRDB
internal import Glibc
internal import Identity
internal import Records

/// A backup: one SQLite file with a whole replica, the device's key and the person's record. Its
/// holder can act as this person, so only its owner can read it.
public struct BackupFile: Sendable {
    /// The path of the file, which need not exist yet.
    public let path: String

    /// Names the file; nothing is read or written yet.
    public init(path: String) { self.path = path }

    /// The parts of a backup that are not in the replica.
    public struct Identity: Hashable, Sendable {
        /// The device's private key, as its file holds it.
        public let key: [UInt8]
        /// The person's record, as its file holds it.
        public let person: [UInt8]

        /// Joins the two.
        public init(key: [UInt8], person: [UInt8]) {
            self.key = key
            self.person = person
        }
    }

    /// The application id in the header of every backup, which tells it from other databases:
    /// `wgbk`.
    static let applicationID: Int32 = 0x7767_626b

    // MARK: Writing

    /// Writes a backup of the replica's current state; a node may write to the replica at the same
    /// time. The file gets its name only after all of it is on the disk, and never replaces another
    /// file.
    /// - Throws: ``BackupFault``; nothing is left behind then.
    public func write(replica: String, _ identity: Identity) throws(BackupFault) {
        guard unsafe access(path, F_OK) != 0 else { throw .exists(path) }
        let draft = try PrivateDraft(beside: path)
        defer { draft.discard() }
        do throws(BackupFault) {
            try translating(replica) {
                try BackupFile.copy(replica, to: draft.path)
                try BackupFile.seal(draft.path, identity, of: replica)
            }
        } catch .damaged(_, let detail) {
            throw .replicaDamaged(replica, detail)
        }
        try draft.publish(as: path)
    }

    /// Copies a database in one read transaction, without deleted content.
    static func copy(_ source: String, to target: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: source, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [target])
        }
        try queue.close()
    }

    private static func seal(_ path: String, _ identity: Identity, of replica: String) throws {
        let queue = try DatabaseQueue(path: path)
        try BackupCheck(path: replica).run(queue)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;
                    CREATE TABLE backup (key BLOB NOT NULL, person BLOB NOT NULL);
                    PRAGMA application_id = \(applicationID)
                    """)
            try database.execute(
                sql: "INSERT INTO backup VALUES (?, ?)",
                arguments: [identity.key.sql, identity.person.sql])
            try BackupContent(database: database, files: BlobFiles(beside: replica)).add()
        }
        try queue.close()
        try BackupSeal(path: path).append()
    }

    // MARK: Reading

    /// Checks that the file is unchanged since it was written, and reads its identity.
    /// - Throws: the first ``BackupFault`` found, in the order existence, kind, length, hash.
    public func identity() throws(BackupFault) -> Identity {
        guard unsafe access(path, R_OK) == 0 else { throw .notFound(path) }
        return try translating(path) {
            try BackupSeal(path: path).check()
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read(storedIdentity)
        }
    }

    private func storedIdentity(_ database: Database) throws -> Identity {
        guard let row = try GRDB.Row.fetchOne(database, sql: "SELECT key, person FROM backup")
        else { throw BackupFault.damaged(path, "it contains no identity") }
        return Identity(key: row.bytes(0), person: row.bytes(1))
    }

    /// Makes a replica from the backup, without key and record, at a path that is free.
    ///
    /// The replica gets no start count file, so the next start detects that it was restored.
    /// - Throws: the first ``BackupFault`` found, in the order hash, version, file, log, owner;
    ///   nothing is left behind then.
    public func unpack(to replica: String) throws(BackupFault) {
        guard unsafe access(replica, F_OK) != 0 else { throw .exists(replica) }
        let files = BlobFiles(beside: replica)
        guard unsafe access(files.directory, F_OK) != 0 else { throw .exists(files.directory) }
        var isDone = false
        defer {
            if !isDone { files.removeAll() }
        }
        let draft = try PrivateDraft(beside: replica)
        defer { draft.discard() }
        try translating(path) {
            try BackupSeal(path: path).check()
            try BackupFile.copy(path, to: draft.path)
            let queue = try DatabaseQueue(path: draft.path)
            let check = BackupCheck(path: path)
            try check.run(queue)
            try queue.writeWithoutTransaction { database in
                let person = try PersonRecord(decoding: try storedIdentity(database).person)
                try check.run(database, of: person)
                try BackupContent(database: database, files: files).unpack(from: path)
                try database.execute(
                    sql: "PRAGMA secure_delete = ON; DROP TABLE backup; "
                        + "PRAGMA application_id = 0; VACUUM")
            }
            try queue.close()
        }
        try draft.publish(as: replica)
        isDone = true
    }

    private func translating<Result>(
        _ source: String, _ work: () throws -> Result
    ) throws(BackupFault) -> Result {
        do {
            return try work()
        } catch let fault as BackupFault {
            throw fault
        } catch let error as DatabaseError {
            throw BackupFault(ReplicaFault(error, path: source), path)
        } catch let fault as ReplicaFault {
            throw BackupFault(fault, path)
        } catch let fault as RecordFault {
            throw .damaged(source, "\(fault)")
        } catch {
            throw .failed(path, "\(error)")
        }
    }
}
