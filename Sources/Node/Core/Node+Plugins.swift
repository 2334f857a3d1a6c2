internal import ControlAPI
internal import Identity
internal import PluginHost
package import PluginKit
package import Records
internal import Replica
internal import Sync

// The services that a node offers its plugins.
extension Node: NodeServices {
    /// Reads the replica's tables.
    package nonisolated func read(
        _ sql: String, _ arguments: [Value], allowedTables: Set<String>
    ) async throws -> [Row] {
        try await replica.read(sql, arguments, allowedTables: allowedTables)
    }

    /// Returns the bytes that this person can still write today in an open space.
    package func dayBytesLeft(in space: SpaceDescriptor) async throws -> Int? {
        try await replica.dayBytesLeft(in: space.id, wallTime: clock.wallTime)
    }

    /// Returns all present and past members of a group.
    package nonisolated func members(of group: SpaceDescriptor) async -> [Member] {
        await replica.members(in: group.id)
    }

    /// Publishes an event to all followers of the node.
    package nonisolated func publish(_ message: EventMessage) { events.publish(message) }

    /// Shows a notice on the desktop, as the person's settings permit.
    package nonisolated func notify(_ notice: DesktopNotice) async {
        await notifier?.receive(notice)
    }
}

// Messages that are never stored.
extension Node {
    /// Sends a message to every linked member of a space, or only to the given people. If no one is
    /// linked, that is not an error: the message would be worthless later.
    package func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        expiry: Duration
    ) throws {
        guard body.count <= Limits.messageBytesMax else {
            throw CommandFault.usage("a message holds at most \(Limits.messageBytesMax) bytes")
        }
        for device in links.keys {
            guard var active = links[device], people?.contains(active.peer.person) != false else {
                continue
            }
            let effects = active.session.ephemeral(
                space.id, topic: topic, body: body, expiry: max(.milliseconds(1), expiry))
            links[device] = active
            queue(effects, on: device)
        }
    }

    /// Sends a message to one linked device.
    /// - Throws: ``CommandFault/notFound(_:)`` if it is not linked.
    package func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) throws {
        guard body.count <= Limits.messageBytesMax else {
            throw CommandFault.usage("a message holds at most \(Limits.messageBytesMax) bytes")
        }
        guard var active = links[device] else {
            throw CommandFault.notFound("device \(device.suffix) is not nearby now")
        }
        active.directCounter += 1
        links[device] = active
        let direct = Direct(topic: topic, counter: active.directCounter, body: body)
        put(.message(.direct(direct)), on: active)
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
                path: !identity.isWaiting ? home.replicaFile : home.recoveringReplicaFile,
                key: identity.key, collections: host.collections,
                views: host.views, randomness: RandomNumbers(source: random), quota: quota,
                diskSpace: diskSpace, executor: executor)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }
}
