internal import Files
internal import PluginKit

/// The journals of plugins: a file of the home for each plugin that has one.
package struct PluginJournals: Sendable {
    private static let prefix = "journal-"

    private let directory: String

    /// Creates the journals in a directory, the node's home.
    package init(directory: String) { self.directory = directory }

    /// Whether a file of a home is a journal.
    package static func isOwn(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Returns the journal of a plugin.
    func journal(of plugin: String) -> JournalFile {
        JournalFile(
            path: "\(directory)/\(Self.prefix)\(plugin)",
            entryBytesMax: JournalLimits.entryBytesMax, bytesMax: JournalLimits.bytesMax)
    }
}

extension PluginServices: JournalAccess {
    func entries() async throws -> [[UInt8]] {
        try require(.journal)
        do { return try journal.entries() } catch { throw error.commandFault }
    }

    func append(_ entries: [[UInt8]]) async throws {
        try require(.journal)
        do { try journal.append(entries) } catch { throw error.commandFault }
    }

    func clear() async throws {
        try require(.journal)
        do { try journal.clear() } catch { throw error.commandFault }
    }
}

extension JournalFault {
    /// The same fault for the person or program that gave a command.
    fileprivate var commandFault: CommandFault {
        switch self {
        case .badEntry(let bytes, let limit):
            .refused("an entry of a journal must have 1 to \(limit) bytes; this one has \(bytes)")
        case .full(let limit): .refused("a journal has at most \(limit) bytes")
        case .tooLong(let path, let limit):
            .failed("\(path) is longer than the \(limit) bytes of a journal; move it away")
        case .foreign(let path): .failed("\(path) is not a journal of Waggle; move it away")
        case .failed(let path, let reason): .failed("\(path) cannot be used: \(reason)")
        }
    }
}
