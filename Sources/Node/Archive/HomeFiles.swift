internal import ControlAPI
internal import Foundation

/// The files by which a home is somebody's.
enum HomeFiles {
    /// Removes the replica, the key, the record and everything beside them but the lock: that goes
    /// with the process that holds it.
    static func remove(_ home: Home) {
        let replica = ["", "-wal", "-shm", "-journal"].map { home.replicaFile + $0 }
        let own = [
            home.personRecordFile, home.deviceKeyFile, home.settingsFile, home.logFile,
            home.directory + "/starts",
        ]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.directory)) ?? []
        let markers = names.filter(PluginMarker.isOwn).map { home.directory + "/" + $0 }
        for path in own + replica + markers {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
