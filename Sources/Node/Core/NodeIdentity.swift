public import ControlAPI
internal import Foundation
public import Identity
public import PluginKit
internal import Records

/// Who this node is: its device's key and the person it belongs to.
public struct NodeIdentity: Sendable {
    public let key: DeviceKey
    public let person: PersonRecord
    /// The keys under which this home wrote before: ``continuedOnNewKey`` kept them beside the new.
    public let formerDevices: Set<DeviceID>

    /// Creates a person with their first device in a home that has none.
    /// - Returns: the identity, and the recovery words, which are shown once and kept nowhere.
    /// - Throws: ``CommandFault/conflict(_:)`` where an identity is there already, or has lost its
    ///   record, ``HomeFault``, ``KeyFileFault``.
    public static func create(in home: Home) throws -> (NodeIdentity, RecoveryWords) {
        var generator = SystemRandomNumberGenerator()
        return try create(in: home, using: &generator)
    }

    /// The same, with the randomness handed in.
    package static func create(
        in home: Home, using generator: inout some RandomNumberGenerator
    ) throws -> (NodeIdentity, RecoveryWords) {
        guard !home.hasIdentity else {
            throw CommandFault.conflict(
                "there is an identity in \(home.directory) already; use it, or another --home")
        }
        // What a person wrote is signed by the identity that is lost: a new one could not read it.
        guard !FileManager.default.fileExists(atPath: home.replicaFile) else {
            throw CommandFault.conflict(
                "there is a replica in \(home.directory) and no person.record: "
                    + "put person.record back from a backup, or use another --home")
        }
        try checkSocket(of: home)
        try home.prepare()
        let words = RecoveryWords(using: &generator)
        // A key that an interrupted start left behind is taken up; the record comes last, and a
        // home counts as founded when it is there.
        let key = try DeviceKeyFile(path: home.deviceKeyFile).loadOrCreate(using: &generator)
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: words.key.publicKey)
        let person = try PersonRecord(founding: founding, firstDevice: key)
        try SafeFile.write(person.encoded, to: home.personRecordFile)
        return (NodeIdentity(key: key, person: person, formerDevices: []), words)
    }

    /// Loads the identity of a home.
    /// - Throws: ``CommandFault/notFound(_:)`` where there is none, else why it cannot be read.
    public static func load(from home: Home) throws -> NodeIdentity {
        guard home.hasIdentity else { throw missing(in: home) }
        let key = try loadKey(of: home)
        let person: PersonRecord
        do {
            person = try PersonRecord(decoding: try SafeFile.read(home.personRecordFile))
        } catch {
            throw CommandFault.failed(
                "\(home.personRecordFile) cannot be read (\(error)): put it back from a backup")
        }
        guard person.devices.contains(key.id) else {
            throw CommandFault.failed(
                "the key in \(home.deviceKeyFile) is no device of the person beside it")
        }
        return NodeIdentity(
            key: key, person: person, formerDevices: formerDevices(of: person, in: home))
    }

    /// Goes on under a new key of the same person, which this device's key adds to the record. The
    /// old key is kept beside the new one. A kill at any moment leaves an identity that loads.
    /// - Parameter known: what is known of the person by now, which may be more than this says.
    /// - Throws: ``CommandFault/refused(_:)`` where the person's record takes no further device,
    ///   ``KeyFileFault``.
    func continuedOnNewKey(
        in home: Home, known: PersonRecord?, using generator: inout some RandomNumberGenerator
    ) throws -> NodeIdentity {
        // A key that an interrupted attempt left behind is taken up.
        let next = DeviceKeyFile(path: home.deviceKeyFile + ".next")
        let fresh = try next.loadOrCreate(using: &generator)
        let before = try known?.merging(person) ?? person
        let consent = try DeviceConsent(
            of: fresh, to: before.person, name: before.name(of: key.id))
        let record = try before.adding(try DeviceEntry.adding(consent, by: key))
        guard record.devices.contains(fresh.id) else {
            throw CommandFault.refused(
                "this device can add no other to its person's: it was removed, or there are "
                    + "\(Limits.personDevicesMax) entries already. Use another home")
        }
        // The record lists both keys, so it may come first.
        try SafeFile.write(record.encoded, to: home.personRecordFile)
        try DeviceKeyFile(path: home.deviceKeyFile)
            .replace(by: next, keeping: NodeIdentity.formerKeyFile(of: key.id, in: home))
        return NodeIdentity(
            key: fresh, person: record, formerDevices: formerDevices.union([key.id]))
    }

    /// The fault of a home in which nothing was created yet.
    public static func missing(in home: Home) -> CommandFault {
        .notFound("there is no identity in \(home.directory): run 'waggle init' first")
    }

    /// A home in which no node could listen is refused before an identity is in it. A missing
    /// runtime directory is none of the home's.
    private static func checkSocket(of home: Home) throws(HomeFault) {
        do {
            _ = try home.socketPath()
        } catch .noRuntimeDirectory {
            return
        }
    }

    /// Where a key is kept that this home goes on without.
    private static func formerKeyFile(of device: DeviceID, in home: Home) -> String {
        "\(home.deviceKeyFile).\(device.suffix)"
    }

    /// The person's devices whose keys are kept in this home beside its own. Nothing is signed by
    /// them any more, so one that cannot be read is none, and keeps nobody from starting.
    private static func formerDevices(of person: PersonRecord, in home: Home) -> Set<DeviceID> {
        Set(
            person.devices.filter { device in
                let kept = DeviceKeyFile(path: formerKeyFile(of: device, in: home))
                return (try? kept.load())?.id == device
            })
    }

    private static func loadKey(of home: Home) throws -> DeviceKey {
        do {
            return try DeviceKeyFile(path: home.deviceKeyFile).load()
        } catch KeyFileFault.notFound {
            throw CommandFault.failed(
                "there is a person.record in \(home.directory) and no device.key: "
                    + "put device.key back from a backup, or use another --home")
        }
    }
}
