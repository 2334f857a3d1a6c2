public import ControlAPI
public import Discovery
internal import Files
internal import Foundation
internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization

/// The settings of a node: its start options, and those it stores, which are the addresses it
/// dials, the receiver it asks for its location and the limits of what it stores.
public final class NodeSettings: Sendable {
    /// The home that the node runs on.
    public let home: Home
    /// The port to listen on; 0 for any free port.
    public let listenPort: UInt16
    /// Interfaces that discovery ignores.
    public let interfacesLeftOut: InterfacePatterns
    /// Whether the node uses the Avahi daemon.
    public let usesAvahi: Bool
    /// Whether the node shows notices on the desktop.
    public let usesDesktop: Bool
    /// The first name of this device, for this person's other devices; nil gives it none.
    public let deviceName: String?

    /// The content of the settings file.
    private struct Stored: Codable {
        var peers: [String] = []
        var gpsd: Receiver?
        var quota: Quota?
        /// The settings that differ from their standard, by name.
        var values: [String: String]?
    }

    /// The limits of what is stored.
    private struct Quota: Codable {
        let authorBytesMax: Int
        let totalBytesMax: Int
        let freeBytesMin: Int
        /// Nil in the file of a version without photos.
        let fetchedBytesMax: Int?
    }

    /// The host and port of a gpsd.
    struct Receiver: Codable, Hashable {
        let host: String
        let port: Int
    }

    /// The maximum number of addresses to dial.
    static let peersMax = 64

    private let stored: Mutex<Stored>

    /// Loads the settings of a home, with the addresses that were added to it before.
    /// - Throws: ``CommandFault/failed(_:)`` if the settings file cannot be read.
    public init(
        home: Home, listenPort: UInt16 = 0, interfacesLeftOut: InterfacePatterns = .usual,
        usesAvahi: Bool = true, usesDesktop: Bool = false, deviceName: String? = nil
    ) throws {
        self.home = home
        self.listenPort = listenPort
        self.interfacesLeftOut = interfacesLeftOut
        self.usesAvahi = usesAvahi
        self.usesDesktop = usesDesktop
        self.deviceName = deviceName
        var stored = Stored()
        if FileManager.default.fileExists(atPath: home.settingsFile) {
            do {
                stored = try JSONDecoder().decode(
                    Stored.self, from: Data(try SafeFile.read(home.settingsFile)))
            } catch {
                throw CommandFault.failed(
                    "\(home.settingsFile) is not a valid settings file: fix it or move it away")
            }
        }
        self.stored = Mutex(stored)
    }

    /// The addresses to dial.
    var peers: [String] { stored.withLock { $0.peers } }

    /// Stores an address.
    func addPeer(_ address: String) throws {
        try change { stored in
            guard !stored.peers.contains(address) else { return }
            guard stored.peers.count < NodeSettings.peersMax else {
                throw CommandFault.refused(
                    "at most \(NodeSettings.peersMax) addresses are allowed; remove one first")
            }
            stored.peers.append(address)
        }
    }

    /// Removes an address.
    /// - Returns: whether it was there.
    func removePeer(_ address: String) throws -> Bool {
        guard peers.contains(address) else { return false }
        try change { $0.peers.removeAll { $0 == address } }
        return true
    }

    /// The gpsd that is asked at every start, or nil.
    var receiver: Receiver? { stored.withLock { $0.gpsd } }

    /// Stores which gpsd is asked, or that none is.
    func setReceiver(_ receiver: Receiver?) throws {
        guard receiver != self.receiver else { return }
        try change { $0.gpsd = receiver }
    }

    /// The limits of what is stored.
    var quota: StorageQuota {
        stored.withLock { stored in
            guard let quota = stored.quota else { return StorageQuota() }
            return StorageQuota(
                authorBytesMax: quota.authorBytesMax, totalBytesMax: quota.totalBytesMax,
                freeBytesMin: quota.freeBytesMin,
                fetchedBytesMax: quota.fetchedBytesMax ?? Limits.fetchedBytesMax)
        }
    }

    /// Stores the limits of what is stored.
    func setQuota(_ quota: StorageQuota) throws {
        try change { stored in
            stored.quota = Quota(
                authorBytesMax: quota.authorBytesMax, totalBytesMax: quota.totalBytesMax,
                freeBytesMin: quota.freeBytesMin, fetchedBytesMax: quota.fetchedBytesMax)
        }
    }

    /// Returns the value of a setting. A value that this version does not allow counts as none.
    func value(of setting: SettingDeclaration) -> String {
        stored.withLock { $0.values?[setting.name] }.flatMap(setting.type.canonical)
            ?? setting.standard
    }

    /// Stores the value of a setting, which was checked.
    func setValue(_ value: String, of setting: SettingDeclaration) throws {
        try change { stored in
            stored.values = stored.values ?? [:]
            stored.values?[setting.name] = value == setting.standard ? nil : value
        }
    }

    private func change(_ body: (inout Stored) throws -> Void) throws {
        try stored.withLock { stored in
            var fresh = stored
            try body(&fresh)
            try SafeFile.write(Array(try JSONEncoder().encode(fresh)), to: home.settingsFile)
            stored = fresh
        }
    }
}
