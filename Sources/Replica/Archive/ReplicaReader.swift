internal import Foundation
internal import GRDB
public import Identity
public import Records

/// Reads all readable content of a replica's file in one snapshot; a node may write to it at the
/// same time.
public struct ReplicaReader {
    private let database: Database
    private let catalog: Catalog
    private let files: BlobFiles

    /// Lends a reader of the file at a path.
    /// - Parameter collections: the collections to read; records of others are not read.
    /// - Throws: ``ReplicaFault``, and what `work` throws.
    public static func reading<Result>(
        _ path: String, collections: [RecordCollection],
        _ work: (ReplicaReader) throws -> Result
    ) throws -> Result {
        let catalog = try Catalog(collections)
        return try ReplicaFault.translating(path: path) {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(10)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            guard try !queue.read(Schema.migrator.hasBeenSuperseded) else {
                throw ReplicaFault.newerVersion(path: path)
            }
            let reader =
                try queue.read(Schema.migrator.hasCompletedMigrations)
                ? queue : migratedCopy(of: queue, path: path)
            defer {
                if reader !== queue { removeCopy(path) }
            }
            return try reader.read { database in
                try work(
                    ReplicaReader(
                        database: database, catalog: catalog, files: BlobFiles(beside: path)))
            }
        }
    }

    /// Copies the file of a program before this one, and migrates the copy: the file itself may
    /// only be read.
    private static func migratedCopy(of queue: DatabaseQueue, path: String) throws -> DatabaseQueue
    {
        removeCopy(path)
        let copy = try DatabaseQueue(path: copyPath(path))
        try queue.backup(to: copy)
        try Schema.migrator.migrate(copy)
        return copy
    }

    private static func copyPath(_ path: String) -> String { path + ".migrated" }

    private static func removeCopy(_ path: String) {
        for end in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: copyPath(path) + end)
        }
    }

    /// All stored people, ordered by id.
    public func people() throws -> [PersonRecord] {
        try StateLoader(database: database).people().sorted { $0.person < $1.person }
    }

    /// All spaces with their members, ordered by id.
    public func spaces() throws -> [Space] {
        try StateLoader(database: database).spaces().sorted { $0.id < $1.id }.map { state in
            Space(
                number: state.number, descriptor: state.descriptor,
                members: state.membership.members, batchCount: state.batchCount)
        }
    }

    /// One space.
    public struct Space {
        let number: Int64
        /// The kind of the space and its people.
        public let descriptor: SpaceDescriptor
        /// The people who have or had a role in it.
        public let members: [Member]
        /// The number of batches that count.
        public let batchCount: Int
    }

    /// Reads the content of all blobs, one at a time. Damaged content, and content that was removed
    /// since the snapshot, is left out.
    public func blobs(_ visit: (BlobHash, [UInt8]) throws -> Void) throws {
        for hash in try BlobTable(database: database).hashes() {
            let content = try files.read(hash, from: 0, count: Limits.blobBytesMax)
            if let content, BlobHash(of: content) == hash { try visit(hash, content) }
        }
    }

    /// One record as its table shows it.
    public struct Record {
        /// The record's id.
        public let entity: EntityID
        /// The person who created it.
        public let creator: PersonID
        /// The time of its creation, by its author's clock.
        public let began: Stamp
        /// The values of its fields by name, sets as lists; empty fields are left out.
        public let fields: [String: Value]
    }

    /// Reads the records of a collection in a space, one at a time, ordered by id.
    public func records(
        of collection: RecordCollection, in space: Space, _ visit: (Record) throws -> Void
    ) throws {
        guard let table = catalog.table(named: collection.name),
            try database.tableExists(table.name)
        else { return }
        let rows = try GRDB.Row.fetchCursor(
            database, sql: "SELECT * FROM \"\(table.name)\" WHERE space = ? ORDER BY entity",
            arguments: [space.number])
        while let row = try rows.next() {
            let entity: EntityID = try identifier(row["entity"])
            var fields: [String: Value] = [:]
            for field in collection.fields {
                let value = try value(of: field, row, entity, table, space)
                if let value { fields[field.name] = value }
            }
            let stamp: Int64 = row["stamp"]
            try visit(
                Record(
                    entity: entity, creator: try identifier(row["creator"]),
                    began: Stamp(rawValue: UInt64(clamping: stamp)) ?? .max, fields: fields))
        }
    }

    private func value(
        of field: RecordCollection.Field, _ row: GRDB.Row, _ entity: EntityID,
        _ table: MaterialisedTable, _ space: Space
    ) throws -> Value? {
        guard field.merge == .addWinsSet else {
            let value = Value(stored: row[field.name])
            return value == .null ? nil : value
        }
        let name = table.name(of: field)
        let elements = try DatabaseValue.fetchAll(
            database,
            sql: """
                SELECT element FROM "\(name)" WHERE space = ? AND entity = ? ORDER BY element
                """, arguments: [space.number, entity.sql])
        return elements.isEmpty ? nil : .list(elements.map(Value.init(stored:)))
    }

    private func identifier<ID: Identifier32>(_ bytes: Data) throws(RecordFault) -> ID {
        guard let id = ID(bytes: Array(bytes)) else { throw .truncated }
        return id
    }

    private func identifier<ID: Identifier16>(_ bytes: Data) throws(RecordFault) -> ID {
        guard let id = ID(bytes: Array(bytes)) else { throw .truncated }
        return id
    }
}
