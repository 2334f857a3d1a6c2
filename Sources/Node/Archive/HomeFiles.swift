package import ControlAPI
internal import Foundation

/// The files by which a home is somebody's.
package enum HomeFiles {
    /// Removes the replica, the key, the record and everything beside them but the lock: that goes
    /// with the process that holds it. Former keys, SQLite's own files and drafts that an
    /// interrupted command left have longer names that begin the same.
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
