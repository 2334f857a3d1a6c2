public import PluginKit

/// The node's own commands, declared as any plugin's are.
enum CoreCommand: CaseIterable {
    case status, peerAdd, peerRemove, peerList, verify, doctor, backup, export, repair, deleteMe
    case stop

    /// What each is called, takes and gives.
    var declaration: CommandDeclaration {
        switch self {
        case .status:
            CommandDeclaration(
                "status", "show", .query, help: "Shows this node, its links and its spaces.",
                result: .object([
                    "version": .text, "person": .text, "device": .text, "suffix": .text,
                    "home": .text, "startedMs": .integer, "nowMs": .integer, "port": .integer,
                    "discovery": .object(["state": .text, "detail": .text]),
                    "clockSkewMs": .integer, "startsDisagree": .boolean,
                    "unsettled?": .text, "audited?": CoreCommand.auditShape,
                    "notices": .list(CoreCommand.noticeShape),
                    "links": .list(CoreCommand.linkShape),
                    "spaces": .list(CoreCommand.spaceShape),
                    "members": .list(
                        .object(["group": .text, "person": .text, "role": .text, "state": .text])),
                ]))
        case .peerAdd:
            CommandDeclaration(
                "peer", "add", .action, help: "Dials an address now and at every start.",
                parameters: [CoreCommand.address], result: .object(["address": .text]))
        case .peerRemove:
            CommandDeclaration(
                "peer", "remove", .action, help: "Stops dialling an address.",
                parameters: [CoreCommand.address], result: .object(["address": .text]))
        case .peerList:
            CommandDeclaration(
                "peer", "list", .query, help: "Lists the addresses that are dialled.",
                result: .object([
                    "peers": .list(
                        .object(["address": .text, "linked": .boolean, "device?": .text]))
                ]))
        case .verify:
            CommandDeclaration(
                "verify", "run", .query,
                help: "Compares this node with linked peers, and mends what is damaged here.",
                parameters: [
                    .optional(
                        "peer", .text, "a device's or person's key, or the start of one",
                        positional: true)
                ],
                result: .object([
                    "equal": .boolean, "content": .boolean, "audited": .integer,
                    "differing": .integer, "damaged": .integer, "mended": .integer,
                    "advice?": .text, "peers": .list(.text),
                    "spaces": .list(CoreCommand.comparisonShape),
                    "batches": .list(CoreCommand.damageShape),
                ]))
        case .doctor:
            CommandDeclaration(
                "doctor", "run", .query,
                help: "Says why people do not find each other, and how to mend it.",
                result: .any)
        case .backup:
            CommandDeclaration(
                "backup", "run", .action,
                help: "Writes a backup of everything, with the device's key, to a new file.",
                parameters: [.required("file", .text, "an absolute path", positional: true)],
                result: CoreCommand.backupShape)
        case .export:
            CommandDeclaration(
                "export", "run", .action,
                help: "Writes everything readable to a new file, as JSON.",
                parameters: [.required("file", .text, "an absolute path", positional: true)],
                result: .object(["file": .text, "spaces": .integer, "records": .integer]))
        case .repair:
            CommandDeclaration(
                "repair", "run", .action,
                help: "Checks every stored batch, cuts off what is damaged and merges all anew.",
                parameters: [.optional("space", .text, "only this space's id, or its start")],
                result: .object([
                    "findings": .list(.text), "isWhole": .boolean,
                    "newKey": .boolean, "spaces": .list(CoreCommand.repairShape),
                ]))
        case .deleteMe:
            CommandDeclaration(
                "me", "delete", .action,
                help: "Erases all that you wrote wherever it is in reach, then this home.",
                parameters: [
                    .optional("yes", .boolean, "says that you mean it; nothing happens without")
                ],
                result: .object([
                    "erased": .integer, "confirmed": .list(.text), "unconfirmed": .list(.text),
                ]))
        case .stop:
            CommandDeclaration(
                "stop", "run", .action, help: "Ends the node in good order.", result: .done)
        }
    }

    private static let address = Parameter.required(
        "address", .text, "host:port, or [address]:port for IPv6", positional: true)

    private static let backupShape = Shape.object([
        "file": .text, "bytes": .integer, "person": .text,
    ])

    private static let repairShape = Shape.object([
        "id": .text, "kind": .text, "batches": .integer,
        "damaged": .list(.object(["device": .text, "first": .integer, "last": .integer])),
    ])

    private static let comparisonShape = Shape.object([
        "id": .text, "kind": .text, "device": .text, "equal": .boolean, "mine": .text,
        "theirs?": .text,
    ])

    private static let damageShape = Shape.object([
        "space": .text, "kind": .text, "device": .text, "first": .integer, "last": .integer,
        "mended": .boolean,
    ])

    private static let auditShape = Shape.object([
        "atMs": .integer, "content": .boolean, "audited": .integer, "damaged": .integer,
        "mended": .integer, "advice?": .text,
    ])

    private static let linkShape = Shape.object([
        "device": .text, "person": .text, "address?": .text, "direction": .text,
        "sinceMs": .integer, "mate": .boolean, "clockOffsetMs": .integer, "sentBytes": .integer,
    ])

    private static let noticeShape = Shape.object([
        "kind": .text, "text": .text, "atMs": .integer,
    ])

    private static let spaceShape = Shape.object([
        "id": .text, "kind": .text, "withPerson?": .text, "digest": .text, "batches": .integer,
        "held": .integer, "nextDueMs?": .integer, "void": .integer, "waiting": .integer,
        "missing": .integer, "forkedDevices": .list(.text),
    ])
}

/// Every command of this build: the node's own, then each plugin's.
public enum NodeCommands {
    /// The declarations, from which the local API, its description and the command line come.
    public static let declarations = declarations(of: PluginCatalogue.all)

    /// The same for other plugins than this build's.
    public static func declarations(of plugins: [any Plugin.Type]) -> [CommandDeclaration] {
        CoreCommand.allCases.map(\.declaration)
            + plugins.flatMap { $0.commands.map(\.declaration) }
    }
}
