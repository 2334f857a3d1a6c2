internal import Foundation
internal import PluginKit
internal import Records
internal import Synchronization

/// Remembers across a trap which plugin was at work on what.
///
/// A plugin is in the node's process, so one that traps takes the node down. Before records are
/// handed to a plugin their names go into a small file, which is removed afterwards. A node that
/// finds the file at its start sets those records aside for that plugin, and after the third time
/// disables the plugin and says so.
final class PluginMarker: Sendable {
    /// How often a plugin may bring the node down before it is disabled.
    static let trapsMax = 3

    /// What is known of one plugin's traps.
    struct Record: Codable, Hashable {
        var trapsCount = 0
        var setAside: Set<String> = []
    }

    private let directory: String
    private let records: [String: Record]

    /// Reads what the last run left behind.
    /// - Parameters:
    ///   - directory: the node's home.
    ///   - plugins: the ids of the plugins there are.
    init(directory: String, plugins: [String]) throws {
        self.directory = directory
        let ledgerPath = directory + "/plugin-traps.json"
        var records: [String: Record] = [:]
        if let ledger = try? SafeFile.read(ledgerPath) {
            records =
                (try? JSONDecoder().decode([String: Record].self, from: Data(ledger))) ?? [:]
        }
        for plugin in plugins {
            let path = PluginMarker.path(directory, plugin)
            guard let left = try? SafeFile.read(path) else { continue }
            records[plugin, default: Record()].trapsCount += 1
            let names = String(decoding: left, as: UTF8.self).split(separator: "\n").map(String.init)
            records[plugin]?.setAside.formUnion(names)
            try SafeFile.write(Array(try JSONEncoder().encode(records)), to: ledgerPath)
            try FileManager.default.removeItem(atPath: path)
        }
        self.records = records
    }

    /// Plugins work beside one another, so each has a file of its own.
    private static func path(_ directory: String, _ plugin: String) -> String {
        "\(directory)/at-work-\(plugin)"
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
        let names = changes.map(\.entity.description).joined(separator: "\n")
        let path = PluginMarker.path(directory, plugin)
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(names.utf8), attributes: [.posixPermissions: 0o600])
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body()
    }
}
