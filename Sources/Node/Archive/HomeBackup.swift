public import ControlAPI
internal import Foundation
internal import Identity
public import PluginKit
internal import Replica

/// Backups of a home, and homes made from them.
public enum HomeBackup {
    /// Writes a backup of a home to a new file, also while its node runs.
    /// - Parameter path: absolute, or relative to where this process was started.
    /// - Returns: where the file is and how long, as the command tells it.
    /// - Throws: ``CommandFault``; no file is left behind then.
    public static func write(_ home: Home, to path: String) throws -> JSONValue {
        let identity = try NodeIdentity.load(from: home)
        guard FileManager.default.fileExists(atPath: home.replicaFile) else {
            throw CommandFault.notFound(
                "there is no replica in \(home.directory) yet: start the node once")
        }
        let file = BackupFile(path: path)
        do {
            try file.write(
                replica: home.replicaFile,
                BackupFile.Identity(
                    key: identity.key.rawRepresentation, person: identity.person.encoded))
        } catch {
            throw error.commandFault
        }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return [
            "file": .string(path), "bytes": .integer(size?.int64Value ?? 0),
            "person": .string(identity.person.person.description),
        ]
    }

    /// Makes an empty home what a backup holds. The next start sees that it was restored.
    /// - Throws: ``CommandFault/conflict(_:)`` where the home is in use or has an identity,
    ///   ``CommandFault`` for a file that cannot be used; the home stays empty then.
    public static func restore(_ path: String, into home: Home) throws -> JSONValue {
        do { try home.prepare() } catch { throw error.commandFault }
        let lock = try HomeLock(home)
        defer { withExtendedLifetime(lock) {} }
        try requireEmpty(home)
        let file = BackupFile(path: path)
        let (key, person): (DeviceKey, PersonRecord)
        do throws(BackupFault) {
            (key, person) = try contents(of: file)
            try file.unpack(to: home.replicaFile)
        } catch {
            throw error.commandFault
        }
        do {
            var generator = SystemRandomNumberGenerator()
            try DeviceKeyFile(path: home.deviceKeyFile).keep(key, using: &generator)
            // A home counts as founded when the record is there, so it comes last.
            try SafeFile.write(person.encoded, to: home.personRecordFile)
        } catch {
            HomeFiles.remove(home)
            throw CommandFault.failed("the backup could not be restored: \(error)")
        }
        return [
            "person": .string(person.person.description), "device": .string(key.id.description),
            "home": .string(home.directory),
        ]
    }

    private static func requireEmpty(_ home: Home) throws(CommandFault) {
        guard !home.hasIdentity else {
            throw .conflict(
                "there is an identity in \(home.directory) already; a backup is restored into an "
                    + "empty home: use another --home")
        }
        for path in leftovers(in: home) where FileManager.default.fileExists(atPath: path) {
            throw .conflict(
                "\(path) is there already; a backup is restored into an empty home: use another "
                    + "--home, or move the file away")
        }
    }

    /// What an earlier replica may have left. Its start count could agree with the restored one,
    /// so that the restore would go unseen, and SQLite takes a log beside the file for the file's.
    private static func leftovers(in home: Home) -> [String] {
        let replica = ["", "-wal", "-shm", "-journal"].map { home.replicaFile + $0 }
        return replica + [home.directory + "/starts", home.deviceKeyFile]
    }

    private static func contents(
        of file: BackupFile
    ) throws(BackupFault) -> (DeviceKey, PersonRecord) {
        let identity = try file.identity()
        guard let key = try? DeviceKey(rawRepresentation: identity.key),
            let person = try? PersonRecord(decoding: identity.person),
            person.devices.contains(key.id)
        else { throw .damaged(file.path, "its key is no device of its person") }
        return (key, person)
    }
}

extension BackupFault {
    /// The same for whoever gave a command.
    var commandFault: CommandFault {
        switch self {
        case .exists: .conflict(description)
        case .notFound: .notFound(description)
        case .foreign, .damaged, .replicaDamaged, .newer: .refused(description)
        case .diskFull, .failed: .failed(description)
        }
    }
}
