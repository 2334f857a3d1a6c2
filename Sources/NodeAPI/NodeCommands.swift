public import Contract

/// The node's own commands: its state, its peers, and the maintenance of its home.
///
/// ```swift
/// let status = try await node.call(NodeCommands.status)
/// let isHere = status.links.contains { $0.person == mate }
/// ```
public enum NodeCommands {
    /// Shows this node, its links and its spaces.
    public static let status = Command<NoParameters, NodeStatus>(
        .query, "status", "show", help: "Shows the state of this device, its links and its spaces.",
        topics: [
            .example(
                .scripts, command: "waggle status show --timeout 5",
                effect: "gives up after five seconds")
        ])
    /// Shows how far this person was brought back by recovery words.
    public static let recovery = Command<NoParameters, RecoveryReport>(
        .query, "recovery", "show",
        help: "Shows what came back by your recovery words, and from whom.",
        follows: [StatusEvents.changed.declaration],
        topics: [
            .example(
                .start, command: "waggle recovery --follow",
                effect: "shows what comes back by your recovery words")
        ])
    /// Brings a person back by recovery words, in place of one who was just begun. The command line
    /// has `waggle init --recover` instead, since others can read what is typed there.
    public static let beginRecovery = Command<RecoveryStart, Done>(
        .action, "recovery", "begin",
        help: "Brings you back by your recovery words, in place of an identity without mates.")
    /// Ends the wait for the person of recovery words or of a code: this home begins as a new
    /// person. The node starts again.
    public static let cancelRecovery = Command<NoParameters, NewBeginning>(
        .action, "recovery", "cancel",
        help: "Waits no longer for your recovery words or a code, and begins as a new person.")
    /// Dials an address now and at every start.
    public static let addPeer = Command<PeerAddress, PeerAddress>(
        .action, "peer", "add", aliases: ["address"],
        help: "Saves an address, to connect to it now and at every start.")
    /// Stops dialling an address.
    public static let removePeer = Command<PeerAddress, PeerAddress>(
        .action, "peer", "remove", help: "Removes a saved address.")
    /// Lists the addresses that are dialled.
    public static let listPeers = Command<NoParameters, PeerList>(
        .query, "peer", "list", help: "Lists saved addresses.")
    /// Shows what is stored.
    public static let storage = Command<NoParameters, Storage>(
        .query, "storage", "show", help: "Shows what is stored here, and its limits.")
    /// Changes the limits of what is stored.
    public static let setStorage = Command<StorageLimits, Storage>(
        .action, "storage", "set", help: "Changes the limits of what is stored here.")
    /// Compares this node with linked peers.
    public static let verify = Command<Verify, Verification>(
        .query, "verify", "run",
        help: "Compares this device with linked ones, and repairs damage here.")
    /// Checks why people do not find each other.
    public static let diagnose = Command<NoParameters, NodeDiagnosis>(
        .query, "doctor", "run", help: "Shows why people do not find each other, and how to fix it."
    )
    /// Writes a backup.
    public static let backup = Command<NewFile, WrittenBackup>(
        .action, "backup", "run",
        help: "Writes a backup of everything, with the device's key, to a new file.")
    /// Writes an export.
    public static let export = Command<NewFile, WrittenExport>(
        .action, "export", "run", help: "Writes everything readable to a new file, as JSON.")
    /// Checks and repairs the store.
    public static let repair = Command<Repair, RepairResult>(
        .action, "repair", "run",
        help: "Checks everything that is stored, removes what is damaged and rebuilds the rest.")
    /// Erases this person's records everywhere, then the home.
    public static let deleteMe = Command<DeleteMe, Deletion>(
        .action, "me", "delete",
        help: "Erases all your data on every device in reach, then on this one.")
    /// Ends the node.
    public static let stop = Command<NoParameters, Done>(
        .action, "stop", "run", help: "Stops Waggle.")
}

/// The address of a peer.
public struct PeerAddress: CommandRequest {
    /// `host:port`, or `[address]:port` for IPv6.
    public var address: NetworkAddress

    /// Creates the value.
    public init(address: NetworkAddress) { self.address = address }

    /// The help of each property.
    public static let help = ["address": "host:port, or [address]:port for IPv6."]
    /// The properties read by position.
    public static let positional = ["address"]
}

/// The addresses that are dialled.
public struct PeerList: Codable, Hashable, Sendable {
    /// One address.
    public struct Peer: Codable, Hashable, Sendable {
        /// The address as `host:port`.
        public var address: NetworkAddress.Shown
        /// Whether a device is linked at this address now.
        public var linked: Bool
        /// The linked device.
        public var device: Key?

        /// Creates the value.
        public init(address: String, linked: Bool, device: Key?) {
            self.address = NetworkAddress.Shown(clipping: address)
            self.linked = linked
            self.device = device
        }
    }

    /// The addresses, in the order they were added.
    public var peers: [Peer]

    /// Creates the value.
    public init(peers: [Peer]) { self.peers = peers }
}
