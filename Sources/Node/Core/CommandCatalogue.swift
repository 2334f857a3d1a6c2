internal import FeaturesAPI
internal import NodeAPI
public import PluginKit

/// One of the node's own commands together with the function that performs it.
struct NodeCommandHandler: Sendable {
    let declaration: CommandDeclaration
    let perform: @Sendable (Node, Arguments) async throws -> JSONValue
}

extension Node {
    /// The node's own commands, in the order of the help.
    static let commands: [NodeCommandHandler] = [
        handle(NodeCommands.status) { node, _ in try await node.status() },
        handle(NodeCommands.recovery) { node, _ in await node.recoveryReport() },
        handle(NodeCommands.beginRecovery) { node, request in
            try await node.beginRecovery(by: request.words.string)
        },
        handle(NodeCommands.cancelRecovery) { node, _ in try await node.cancelRecovery() },
        handle(DeviceCommands.list) { node, _ in try await node.listDevices() },
        handle(DeviceCommands.rename) { node, request in try await node.renameDevice(request) },
        handle(DeviceCommands.remove) { node, request in try await node.removeDevice(request) },
        handle(PairingCommands.add) { node, _ in try await node.beginAdding() },
        handle(PairingCommands.show) { node, _ in await node.pairing() },
        handle(PairingCommands.cancel) { node, _ in try await node.cancelAdding() },
        handle(PairingCommands.join) { node, request in try await node.beginJoining(request) },
        handle(NodeCommands.addPeer) { node, request in try await node.addPeer(request) },
        handle(NodeCommands.removePeer) { node, request in try await node.removePeer(request) },
        handle(NodeCommands.listPeers) { node, _ in await node.peers() },
        handle(NodeCommands.storage) { node, _ in try await node.storage() },
        handle(NodeCommands.setStorage) { node, request in
            try await node.setStorage(request)
        },
        handle(ConfigCommands.list) { node, _ in try await node.listSettings() },
        handle(ConfigCommands.get) { node, request in try await node.getSetting(request) },
        handle(ConfigCommands.set) { node, request in try await node.setSetting(request) },
        handle(NodeCommands.verify) { node, request in
            try await node.verify(request.peer).answer
        },
        handle(NodeCommands.diagnose) { node, _ in
            NodeDiagnosis(await node.diagnose(), recovery: await node.recoverySentence)
        },
        handle(NodeCommands.backup) { node, request in
            try await node.backup(to: request.file.string)
        },
        handle(NodeCommands.export) { node, request in
            try await node.export(to: request.file.string)
        },
        handle(CalendarCommands.save) { node, request in
            try await node.saveCalendar(request)
        },
        handle(NodeCommands.repair) { node, request in try await node.repair(request.space) },
        handle(NodeCommands.deleteMe) { node, request in
            try await node.deleteMe(isMeant: request.yes ?? false)
        },
        handle(NodeCommands.stop) { node, _ in
            await node.requestStop()
            return Done()
        },
    ]

    private static func handle<Request, Answer>(
        _ command: Command<Request, Answer>,
        by perform: @escaping @Sendable (Node, Request) async throws -> Answer
    ) -> NodeCommandHandler {
        NodeCommandHandler(declaration: command.declaration) { node, arguments in
            JSONValue(encoding: try await perform(node, try arguments.request(as: Request.self)))
        }
    }
}

/// Every command of this build: the node's own, then each plugin's.
public enum CommandCatalogue {
    /// The declarations; the local API, its description and the command line derive from them.
    public static let declarations = declarations(of: PluginCatalogue.all)

    /// Returns the declarations for a given list of plugins.
    public static func declarations(of plugins: [any Plugin.Type]) -> [CommandDeclaration] {
        Node.commands.map(\.declaration) + plugins.flatMap { $0.commands.map(\.declaration) }
    }
}
