internal import Foundation
internal import PluginKit
internal import Records
internal import Synchronization

/// Remembers across a trap which plugin was at work on what.
///
/// A plugin is in the node's process, so one that traps takes the node down. Before records are
/// handed to a plugin their names go into a small file, and out of it afterwards. A node that finds
/// the file at its start sets those records aside for that plugin, and after the third time
/// disables the plugin and says so.
final class PluginMarker: Sendable {
    /// How often a plugin may bring the node down before it is disabled.
    static let trapsMax = 3

    /// What is known of one plugin's traps.
    struct Record: Codable, Hashable {
        var trapsCount = 0
        var setAside: Set<String> = []
    }

    private let markerPath: String
    private let records: [String: Record]

    /// Reads what the last run left behind.
    /// - Parameter directory: the node's home.
    init(directory: String) throws {
        markerPath = directory + "/plugin-at-work"
        let ledgerPath = directory + "/plugin-traps.json"
        var records: [String: Record] = [:]
        if FileManager.default.fileExists(atPath: ledgerPath) {
            records =
                (try? JSONDecoder().decode(
                    [String: Record].self, from: Data(SafeFile.read(ledgerPath)))) ?? [:]
        }
        if let left = try? SafeFile.read(markerPath), !left.isEmpty {
            let lines = String(decoding: left, as: UTF8.self).split(separator: "\n").map(
                String.init)
            if let plugin = lines.first {
                records[plugin, default: Record()].trapsCount += 1
                records[plugin]?.setAside.formUnion(lines.dropFirst())
                try SafeFile.write(Array(try JSONEncoder().encode(records)), to: ledgerPath)
            }
        }
        try? FileManager.default.removeItem(atPath: markerPath)
        self.records = records
    }

    /// Whether a plugin trapped too often.
    func isDisabled(_ plugin: String) -> Bool {
        (records[plugin]?.trapsCount ?? 0) >= PluginMarker.trapsMax
    }

    /// Whether a record is kept from a plugin that trapped on it.
    func isSetAside(_ plugin: String, _ change: RecordChange) -> Bool {
        records[plugin]?.setAside.contains(change.entity.description) ?? false
    }

    /// Does something with the marker standing.
    func guarding(
        _ plugin: String, _ changes: [RecordChange], _ body: () async throws -> Void
    ) async throws {
        guard !changes.isEmpty else { return }
        let lines = [plugin] + changes.map(\.entity.description)
        _ = FileManager.default.createFile(
            atPath: markerPath, contents: Data(lines.joined(separator: "\n").utf8),
            attributes: [.posixPermissions: 0o600])
        defer { try? FileManager.default.removeItem(atPath: markerPath) }
        try await body()
    }
}
