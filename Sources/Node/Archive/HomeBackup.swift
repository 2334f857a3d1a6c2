public import ControlAPI
internal import Files
internal import Foundation
internal import Identity
public import NodeAPI
internal import PluginKit
internal import PluginHost
internal import Replica

/// Backups of a home, and homes made from them.
public enum HomeBackup {
    /// Writes a backup of a home to a new file, also while its node runs.
    /// - Parameter path: absolute, or relative to the working directory of this process.
    /// - Returns: the answer of the command.
    /// - Throws: ``CommandFault``; no file is left behind then.
    public static func write(_ home: Home, to path: String) throws -> WrittenBackup {
        try NewFile.check(path)
        let identity = try NodeIdentity.load(from: home)
        guard FileManager.default.fileExists(atPath: home.replicaFile) else {
            throw CommandFault.notFound(
                "there is no data in \(home.directory) yet: start Waggle once with 'waggle node'")
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
        return WrittenBackup(
            file: path, bytes: size?.intValue ?? 0, person: Key(identity.person.person))
    }

    /// Restores a backup into an empty home. The next start detects the restore.
    /// - Throws: ``CommandFault/conflict(_:)`` if the home is in use or has an identity,
    ///   ``CommandFault`` if the file cannot be used; the home stays empty then.
    public static func restore(_ path: String, into home: Home) throws -> RestoredHome {
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
            // A home counts as founded as soon as it has a person record, so the record is written
            // last.
            try SafeFile.write(person.encoded, to: home.personRecordFile)
        } catch {
            HomeFiles.remove(home)
            throw CommandFault.failed("the backup could not be restored: \(error)")
        }
        return RestoredHome(
            person: Key(person.person), device: Key(key.id), home: home.directory)
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

    /// Returns the files that an earlier replica left. Its start count could match the restored
    /// one, which would hide the restore, and SQLite would apply a leftover log to the restored
    /// file.
    private static func leftovers(in home: Home) -> [String] {
        let replica = ["", "-wal", "-shm", "-journal"].map { home.replicaFile + $0 }
        return replica + [home.directory + "/starts", home.deviceKeyFile, home.blobsDirectory]
    }

    private static func contents(
        of file: BackupFile
    ) throws(BackupFault) -> (DeviceKey, PersonRecord) {
        let identity = try file.identity()
        guard let key = try? DeviceKey(rawRepresentation: identity.key),
            let person = try? PersonRecord(decoding: identity.person),
            person.devices.contains(key.id)
        else { throw .damaged(file.path, "its key is not a device of its person") }
        return (key, person)
    }
}

extension BackupFault {
    /// Converts the fault to the error that the command's caller receives.
    var commandFault: CommandFault {
        switch self {
        case .exists: .conflict(sentence)
        case .notFound: .notFound(sentence)
        case .foreign, .damaged, .replicaDamaged, .newer: .refused(sentence)
        case .diskFull, .failed: .failed(sentence)
        }
    }
}
