package import ControlAPI
internal import Foundation
internal import PluginHost
internal import PluginKit

/// A new file that a person names, for a backup or an export.
enum NewFile {
    /// The maximum length of its name, in bytes of UTF-8: that of Linux, less the longest ending of
    /// a file that is written beside it.
    static let nameBytesMax = 255 - ".XXXXXX-journal".utf8.count
    /// The ending of the file that an export writes first.
    static let draftEnding = ".new"

    /// Checks that a file can be made at a path, before anything is written.
    /// - Throws: ``CommandFault/refused(_:)`` if the name is too long or the directory cannot be
    ///   written, ``CommandFault/notFound(_:)`` if there is no such directory,
    ///   ``CommandFault/conflict(_:)`` if there is something at the path.
    static func check(_ path: String) throws(CommandFault) {
        let (directory, name) = (
            URL(fileURLWithPath: path).deletingLastPathComponent().path,
            URL(fileURLWithPath: path).lastPathComponent
        )
        guard name.utf8.count <= nameBytesMax else {
            throw .refused("the name of the file is too long; choose one of fewer characters")
        }
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: directory).resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else {
            throw .notFound("there is no directory \(directory); create it, or name another file")
        }
        guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
            throw .conflict(
                "there is already a file at \(path), which is not replaced; choose another name")
        }
        guard FileManager.default.isWritableFile(atPath: directory) else {
            throw .refused("no file can be written in \(directory); choose another directory")
        }
    }
}

/// The files that hold a home's identity and replica.
package enum HomeFiles {
    /// Removes the replicas that a home that waits for its person does not need: that of a person
    /// who was abandoned for the search, and that of the provisional person of the last start.
    static func removeReplicas(ofWaiting home: Home) {
        for directory in [home.directory, home.recoveringDirectory] {
            let replica = ["", "-wal", "-shm", "-journal"].map { "\(directory)/replica.db\($0)" }
            for path in replica + ["\(directory)/starts"] {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Removes the replica, the key, the record and all files beside them except the lock, which is
    /// removed with the process that holds it. Former keys, SQLite's own files and drafts of
    /// interrupted commands have longer names with the same beginnings.
    package static func remove(_ home: Home) {
        let stems = [home.replicaFile, home.deviceKeyFile, home.personRecordFile]
        let others = [
            home.settingsFile, home.logFile, home.practiceLogFile, home.recoveryWordsFile,
            home.tipsFile, home.draggedDirectory, home.practiceDirectory, home.recoveringDirectory,
            home.regainedFile, home.blobsDirectory,
            home.directory + "/starts",
        ]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.directory)) ?? []
        for name in names {
            let path = home.directory + "/" + name
            let isOwn = others.contains(path) || stems.contains { path.hasPrefix($0) }
            guard isOwn || PluginMarker.isOwn(name) || PluginJournals.isOwn(name) else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
