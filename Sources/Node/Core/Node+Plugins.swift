internal import ControlAPI
internal import Identity
internal import PluginHost
package import PluginKit
package import Records
internal import Replica

// The services that a node offers its plugins.
extension Node: NodeServices {
    /// Reads the replica's tables.
    package nonisolated func read(
        _ sql: String, _ arguments: [Value], allowedTables: Set<String>
    ) async throws -> [Row] {
        try await replica.read(sql, arguments, allowedTables: allowedTables)
    }

    /// Returns all present and past members of a group.
    package nonisolated func members(of group: SpaceDescriptor) async -> [Member] {
        await replica.members(in: group.id)
    }

    /// Publishes an event to all followers of the node.
    package nonisolated func publish(_ topic: String, _ event: JSONValue) {
        events.publish(topic, event)
    }
}

extension Replica {
    /// Opens the replica of a home with its plugins' declarations.
    /// - Throws: ``CommandFault`` if the file cannot be used.
    init(
        home: Home, _ identity: NodeIdentity, _ host: PluginHost, _ random: any RandomSource,
        _ quota: StorageQuota, _ diskSpace: any DiskSpace, executor: (any SerialExecutor)?
    ) throws {
        do {
            try self.init(
                path: home.replicaFile, key: identity.key, collections: host.collections,
                views: host.views, randomness: RandomNumbers(source: random), quota: quota,
                diskSpace: diskSpace, executor: executor)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }
}
