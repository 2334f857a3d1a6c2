import Features
import Foundation
import GRDB
import Identity
import Location
import PluginKit
import Records
import Synchronization
import TestSupport
import Testing

@testable import Posts
@testable import Replica

/// A neighbourhood in a replica, whose posts one person writes on several days.
struct ListedTown {
    let replica: Replica
    let access: ReadLog
    private let space = SpaceDescriptor.open(name: "town")
    private let other = SpaceDescriptor.open(name: "other")
    private let directory: String

    static let plugins: [any Plugin.Type] = [CoreFeatures.self, Posts.self]
    static let middle = (latitude: 37.5665, longitude: 126.9780)
    private static let began = Timestamp(milliseconds: 1_800_000_000_000)

    /// Opens an empty neighbourhood.
    init() async throws {
        var generator = SeededGenerator(seed: 1)
        let key = DeviceKey(using: &generator)
        let recovery = RecoveryWords(using: &generator).key
        let record = try PersonRecord(
            founding: FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey),
            firstDevice: key)
        let manifests = Self.plugins.map { $0.manifest }
        directory = try TestDirectory.make("listed")
        replica = try Replica(
            path: directory + "/replica.db", key: key,
            collections: manifests.flatMap(\.collections),
            views: (manifests.flatMap(\.views) + SharedViews.views(over: Self.plugins))
                .map { ReplicaView(name: $0.name, sql: $0.sql) })
        access = ReadLog(replica: replica)
        try await replica.learn(record)
        for space in [.own(record.person), space, other] { try await replica.open(space) }
    }

    /// Closes the replica and removes its files.
    func end() async throws {
        try await replica.close()
        try FileManager.default.removeItem(atPath: directory)
    }

    /// A post to write.
    struct Draft {
        var category = "walk"
        var title: String? = "a title"
        var text = "words"
        var place: (latitude: Double, longitude: Double)?
        var isElsewhere = false
    }

    /// Writes posts, fifteen a day.
    func write(_ drafts: [Draft]) async throws {
        for (number, draft) in drafts.enumerated() {
            var nonce: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
            nonce.append(bigEndian: UInt64(number))
            let fields: [String: Value?] = [
                "category": .text(draft.category), "title": draft.title.map { .text($0) },
                "text": .text(draft.text), "latitude": draft.place.map { .real($0.latitude) },
                "longitude": draft.place.map { .real($0.longitude) },
            ]
            _ = try await replica.author(
                [
                    .create(
                        collection: Posts.post.name, nonce: try #require(Bytes16(nonce)),
                        fields: fields.compactMapValues { $0 })
                ], in: (draft.isElsewhere ? other : space).id,
                wallTime: Self.began + .seconds(number / 15 * 86_400 + number % 15))
        }
    }

    /// Returns the numbers of the two spaces in the replica.
    func spaces() async throws -> [Int64] {
        try await replica.read(
            "SELECT space FROM waggle_space WHERE kind = 'open' ORDER BY space",
            allowedTables: nil
        ).compactMap { $0.integer("space") }
    }

    /// Returns the steps of the plan of a statement.
    func plan(of read: ReadLog.Read) async throws -> [String] {
        try await replica.pool.read { database in
            try GRDB.Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN \(read.sql)",
                arguments: StatementArguments(read.arguments.map(\.sql))
            ).map { $0["detail"] as String }
        }
    }
}

/// Reads with the permissions of the plugin, and remembers the statements.
final class ReadLog: ReplicaAccess {
    private let replica: Replica
    private let reads = Mutex<[Read]>([])
    private static let tables = Set(
        Posts.manifest.collections.flatMap(\.tables) + Posts.manifest.views.map(\.name)
            + SharedViews.names)

    init(replica: Replica) { self.replica = replica }

    /// A statement and its arguments.
    struct Read {
        let sql: String
        var arguments: [Value] = []
    }

    /// Returns the reads since the last call.
    func drain() -> [Read] {
        reads.withLock { reads in
            defer { reads = [] }
            return reads
        }
    }

    func requireWritable() async throws {}

    func open(_ space: SpaceDescriptor) async throws { try await replica.open(space) }

    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID] { [] }

    func rows(_ sql: String, _ arguments: [Value]) async throws -> [Records.Row] {
        reads.withLock { $0.append(Read(sql: sql, arguments: arguments)) }
        return try await replica.read(sql, arguments, allowedTables: Self.tables)
    }
}
