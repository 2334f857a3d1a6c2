package import ControlAPI
internal import Foundation
internal import PluginHost
internal import PluginKit

/// A new file that a person names, for a backup or an export.
enum NewFile {
    /// Checks that the directory of a file exists.
    /// - Throws: ``CommandFault/notFound(_:)``.
    static func requireDirectory(of path: String) throws(CommandFault) {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: directory).resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else {
            throw .notFound("there is no directory \(directory); create it, or name another file")
        }
    }
}

/// The files that hold a home's identity and replica.
package enum HomeFiles {
    /// Removes the replica, the key, the record and all files beside them except the lock, which is
    /// removed with the process that holds it. Former keys, SQLite's own files and drafts of
    /// interrupted commands have longer names with the same beginnings.
    package static func remove(_ home: Home) {
        let stems = [home.replicaFile, home.deviceKeyFile, home.personRecordFile]
        let others = [home.settingsFile, home.logFile, home.directory + "/starts"]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.directory)) ?? []
        for name in names {
            let path = home.directory + "/" + name
            let isOwn = others.contains(path) || stems.contains { path.hasPrefix($0) }
            guard isOwn || PluginMarker.isOwn(name) else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
