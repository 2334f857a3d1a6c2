internal import ControlAPI
internal import Identity
internal import Logging
internal import PluginKit
internal import Replica

// How a node's plugins come to their services.
extension Node {
    /// Makes the plugins, each with what its manifest permits.
    nonisolated func loadPlugins() {
        let reference = NodeReference(host: host, events: events)
        reference.set(self)
        let core = host.catalogue.first { $0.manifest.provides != nil }
        let coreTables = core.map { PluginServices.tables(of: $0.manifest) } ?? []
        host.load { type in
            let services = PluginServices(
                manifest: type.manifest, coreTables: coreTables, node: reference)
            var pluginLogger = logger
            pluginLogger[metadataKey: "plugin"] = "\(type.manifest.id)"
            return PluginContext(
                me: identity.person.person, device: identity.key.id,
                formerDevices: identity.formerDevices, replica: services, topics: services,
                events: services, core: services, nearby: services, groups: services,
                location: services, clock: clock, random: random, logger: pluginLogger)
        }
    }
}

extension Replica {
    /// The replica of a home, with what its plugins declare.
    /// - Throws: ``CommandFault`` where the file cannot be used.
    init(
        home: Home, _ identity: NodeIdentity, _ host: PluginHost, _ random: any RandomSource,
        executor: (any SerialExecutor)?
    ) throws {
        do {
            try self.init(
                path: home.replicaFile, key: identity.key, collections: host.collections,
                views: host.views, randomness: RandomNumbers(source: random), executor: executor)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }
}
