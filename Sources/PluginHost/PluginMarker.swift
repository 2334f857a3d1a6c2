internal import Files
internal import Foundation
internal import Glibc
package import PluginKit
internal import Records
internal import Synchronization

/// Remembers across a trap which plugin was processing which records.
///
/// A plugin is in the node's process, so one that traps ends the node. Before records are delivered
/// to a plugin their names are written into a small file, which is removed afterwards. A node that
/// finds the file at its start sets those records aside for that plugin. After the third such start
/// in a row it disables the plugin and says so. Work that ends normally in between resets the
/// count, since a kill during work looks like a trap.
package final class PluginMarker: Sendable {
    /// The number of traps after which a plugin is disabled.
    package static let trapsMax = 3

    /// The recorded traps of one plugin.
    struct Record: Codable, Hashable {
        var trapsCount = 0
        var setAside: Set<String> = []
    }

    private let directory: String
    private let disabled: Set<String>
    private let records: Mutex<[String: Record]>

    /// Reads the files that the last run left.
    /// - Parameters:
    ///   - directory: the node's home.
    ///   - plugins: the ids of all plugins.
    package init(directory: String, plugins: [String]) throws {
        self.directory = directory
        var records: [String: Record] = [:]
        if let ledger = try? SafeFile.read(PluginMarker.ledgerPath(directory)) {
            records =
                (try? JSONDecoder().decode([String: Record].self, from: Data(ledger))) ?? [:]
        }
        for plugin in plugins {
            let path = PluginMarker.path(directory, plugin)
            guard let left = try? SafeFile.read(path) else { continue }
            records[plugin, default: Record()].trapsCount += 1
            let names = String(decoding: left, as: UTF8.self).split(separator: "\n").map(
                String.init)
            records[plugin]?.setAside.formUnion(names)
            try PluginMarker.write(records, directory)
            try FileManager.default.removeItem(atPath: path)
        }
        disabled = Set(records.filter { $0.value.trapsCount >= PluginMarker.trapsMax }.keys)
        self.records = Mutex(records)
    }

    private static func ledgerPath(_ directory: String) -> String {
        directory + "/plugin-traps.json"
    }

    /// Whether a file of a home is one of these files.
    package static func isOwn(_ name: String) -> Bool {
        name == "plugin-traps.json" || name.hasPrefix("at-work-")
    }

    private static func write(_ records: [String: Record], _ directory: String) throws {
        try SafeFile.write(Array(try JSONEncoder().encode(records)), to: ledgerPath(directory))
    }

    /// Returns the path of a plugin's own file: plugins work at the same time, so each has one.
    private static func path(_ directory: String, _ plugin: String) -> String {
        "\(directory)/at-work-\(plugin)"
    }

    /// Whether a plugin trapped too often before this start.
    package func isDisabled(_ plugin: String) -> Bool { disabled.contains(plugin) }

    /// Whether a record is withheld from a plugin that trapped on it.
    package func isSetAside(_ plugin: String, _ change: RecordChange) -> Bool {
        records.withLock { $0[plugin]?.setAside.contains(change.entity.description) ?? false }
    }

    /// Performs work while the marker's file exists. The file names the records that are delivered,
    /// and none if the work is something else.
    package func guarding(
        _ plugin: String, _ changes: [RecordChange] = [], _ body: () async throws -> Void
    ) async throws {
        let names = changes.map(\.entity.description).joined(separator: "\n")
        let path = PluginMarker.path(directory, plugin)
        SafeFile.leave(Array(names.utf8), at: path)
        defer {
            unsafe unlink(path)
            endedWell(plugin)
        }
        try await body()
    }

    /// Resets the count of a plugin that did not trap.
    private func endedWell(_ plugin: String) {
        records.withLock { records in
            guard records[plugin, default: Record()].trapsCount > 0 else { return }
            records[plugin]?.trapsCount = 0
            try? PluginMarker.write(records, directory)
        }
    }
}
