import Foundation
import Identity
import PluginKit
import Records
import Replica

/// A replica like that of a node with the benchmark's plugin, with its space open.
enum BenchReplica {
    /// The present time, long after all writes of the workload.
    static let wallTime = Timestamp(milliseconds: 1_800_000_000_000)

    static func open(_ directory: String, _ household: Household, key: DeviceKey) async throws
        -> Replica
    {
        try await open(directory, record: household.record, key: key)
    }

    /// Opens the replica of a person's device.
    static func open(
        _ directory: String, record: PersonRecord, key: DeviceKey
    ) async throws -> Replica {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let manifests = Bench.plugins.map { $0.manifest }
        let replica = try Replica(
            path: directory + "/replica.db", key: key,
            collections: manifests.flatMap(\.collections),
            views: (manifests.flatMap(\.views) + SharedViews.views(over: Bench.plugins))
                .map { ReplicaView(name: $0.name, sql: $0.sql) })
        try await replica.learn(record)
        try await replica.open(.own(record.person))
        return replica
    }

    /// Returns the length of the database file and SQLite's files beside it, in bytes.
    static func bytes(in directory: String) throws -> Int {
        try ["", "-wal"].reduce(0) { sum, suffix in
            let path = directory + "/replica.db" + suffix
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
            return sum + (size?.intValue ?? 0)
        }
    }
}
