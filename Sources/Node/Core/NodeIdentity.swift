public import ControlAPI
internal import Files
internal import Foundation
public import Identity
public import PluginKit
internal import Records

/// The identity of a node: its device's key and the person it belongs to.
public struct NodeIdentity: Sendable {
    /// The device's key.
    public let key: DeviceKey
    /// The record of the device's owner.
    public let person: PersonRecord
    /// The keys under which this home wrote before; ``continuedOnNewKey`` keeps them beside the new
    /// one.
    public let formerDevices: Set<DeviceID>
    /// The search for the person, if this home waits for them to come back; the person's record is
    /// then a provisional one.
    var search: RecoverySearch?
    /// The attempt to join a person, if this home waits for that; the record is provisional too.
    var attempt: JoinAttempt?

    /// Whether this home waits for its person.
    var isWaiting: Bool { wait != nil }

    /// The reason to wait, if it waits for its person.
    var wait: OwnLogs.Wait? { search != nil ? .recovery : attempt != nil ? .joining : nil }

    /// Creates a person with their first device in a home that has none.
    /// - Returns: the identity, and the recovery words, which are shown once and not stored.
    /// - Throws: ``CommandFault/conflict(_:)`` if an identity exists already or has lost its
    ///   record, ``HomeFault``, else why its key cannot be made.
    public static func create(in home: Home) throws -> (NodeIdentity, RecoveryWords) {
        var generator = SystemRandomNumberGenerator()
        return try create(in: home, using: &generator)
    }

    /// Creates a person as above, with the given randomness.
    package static func create(
        in home: Home, using generator: inout some RandomNumberGenerator
    ) throws -> (NodeIdentity, RecoveryWords) {
        guard !home.hasIdentity else {
            throw CommandFault.conflict(
                "there is an identity in \(home.directory) already; use it, or another --home")
        }
        guard !home.isRecovering else {
            throw CommandFault.conflict(
                "\(home.directory) waits for a person to come back by recovery words: start "
                    + "'waggle node' to go on; 'waggle recovery cancel' then begins as a new "
                    + "person")
        }
        guard !home.isJoining else {
            throw CommandFault.conflict(
                "\(home.directory) waits to join a person by a code: start 'waggle node' to go on; "
                    + "'waggle recovery cancel' then begins as a new person")
        }
        try requireNoData(in: home)
        try checkSocket(of: home)
        try home.prepare()
        let words = RecoveryWords(using: &generator)
        // A key that an interrupted start left behind is reused.
        let key = try loadOrCreateKey(
            DeviceKeyFile(path: home.deviceKeyFile), of: home, using: &generator)
        return (try found(on: key, by: words, in: home), words)
    }

    /// Founds a person on a device. The record is written last, and a home counts as founded as
    /// soon as it has one.
    static func found(
        on key: DeviceKey, by words: RecoveryWords, in home: Home
    ) throws -> NodeIdentity {
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: words.key.publicKey)
        // Only with an entry by the recovery key can the words find this person again.
        let consent = try DeviceConsent(of: key, to: founding.person)
        let entry = try DeviceEntry.adding(consent, by: words.key)
        let person = try PersonRecord(founding: founding, firstDevice: key, entries: [entry])
        try SafeFile.write(person.encoded, to: home.personRecordFile)
        return NodeIdentity(key: key, person: person, formerDevices: [])
    }

    /// Loads the identity of a home, or that of a home that waits for its person to come back.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none, else why it cannot be read.
    public static func load(from home: Home) throws -> NodeIdentity {
        var generator = SystemRandomNumberGenerator()
        return try load(from: home, using: &generator)
    }

    /// Loads an identity as above. The given randomness is for the provisional record of a home
    /// that waits.
    package static func load(
        from home: Home, using generator: inout some RandomNumberGenerator
    ) throws -> NodeIdentity {
        guard !home.isWaiting else { return try loadWaiting(from: home, using: &generator) }
        guard home.hasIdentity else { throw missing(in: home) }
        try? FileManager.default.removeItem(atPath: home.recoveringDirectory)
        let key = try loadKey(of: home)
        let person: PersonRecord
        do {
            person = try PersonRecord(decoding: try SafeFile.read(home.personRecordFile))
        } catch {
            throw CommandFault.failed(
                "\(home.personRecordFile) cannot be read (\(error)): put it back from a backup")
        }
        // A device that was removed reads what it has.
        guard person.claims[key.id] != nil else {
            throw CommandFault.failed(
                "the key in \(home.deviceKeyFile) is not a device of the person beside it")
        }
        return NodeIdentity(
            key: key, person: person, formerDevices: formerDevices(of: person, in: home))
    }

    /// Continues under a new key of the same person, which this device's key adds to the record.
    /// The old key is kept beside the new one. If the process is killed at any moment, the identity
    /// still loads.
    /// - Parameter known: the latest known record of the person, which may say more than this one.
    /// - Throws: ``CommandFault/refused(_:)`` if the person's record has no room for another
    ///   device, else why its key cannot be made.
    func continuedOnNewKey(
        in home: Home, known: PersonRecord?, using generator: inout some RandomNumberGenerator
    ) throws -> NodeIdentity {
        // A key that an interrupted attempt left behind is reused.
        let next = DeviceKeyFile(path: home.deviceKeyFile + ".next")
        let fresh = try Self.loadOrCreateKey(next, of: home, using: &generator)
        let before = try known?.merging(person) ?? person
        let consent = try DeviceConsent(
            of: fresh, to: before.person, name: before.name(of: key.id))
        let record = try before.adding(try DeviceEntry.adding(consent, by: key))
        guard record.devices.contains(fresh.id) else {
            throw CommandFault.refused(
                "this device cannot add another to its person: it was removed, or there are "
                    + "\(Limits.personDevicesMax) entries already. Use another home")
        }
        // The record lists both keys, so it may come first.
        try SafeFile.write(record.encoded, to: home.personRecordFile)
        try DeviceKeyFile(path: home.deviceKeyFile)
            .replace(by: next, keeping: NodeIdentity.formerKeyFile(of: key.id, in: home))
        return NodeIdentity(
            key: fresh, person: record, formerDevices: formerDevices.union([key.id]))
    }

    /// The number of new keys at which the owner is told how many are left.
    static let newKeysLeftFew = 8

    /// The number of times that this home can continue under a new key: each one adds an entry to
    /// the person's record.
    var newKeysLeft: Int { Limits.personDevicesMax - person.entries.count }

    /// A sentence if few new keys are left; otherwise nothing.
    var newKeysWarning: Sentence {
        switch newKeysLeft {
        case ...0:
            " This was the last time: its person's record has no room for another key. Move to "
                + "another home before a backup is restored here again."
        case ...NodeIdentity.newKeysLeftFew:
            Sentence(
                count: newKeysLeft,
                one: " It can do so 1 more time, then its person's record is full: move to another "
                    + "home before that.",
                other: " It can do so \(newKeysLeft) more times, then its person's record is full: "
                    + "move to another home before that.")
        default: ""
        }
    }

    /// Returns the fault of a home without an identity.
    public static func missing(in home: Home) -> CommandFault {
        .notFound("there is no identity in \(home.directory): run 'waggle init' first")
    }

    /// Refuses a home in which no node could listen, before it gets an identity. A missing runtime
    /// directory is not a fault of the home.
    static func checkSocket(of home: Home) throws(HomeFault) {
        do {
            _ = try home.socketPath()
        } catch .noRuntimeDirectory {
            return
        }
    }

    /// Returns the file of a key that this home no longer uses.
    private static func formerKeyFile(of device: DeviceID, in home: Home) -> String {
        "\(home.deviceKeyFile).\(device.suffix)"
    }

    /// Returns the person's devices whose keys are kept in this home beside its own. They sign
    /// nothing any more, so an unreadable key is ignored and does not prevent a start.
    private static func formerDevices(of person: PersonRecord, in home: Home) -> Set<DeviceID> {
        Set(
            person.devices.filter { device in
                let kept = DeviceKeyFile(path: formerKeyFile(of: device, in: home))
                return (try? kept.load())?.id == device
            })
    }

    static func loadOrCreateKey(
        _ file: DeviceKeyFile, of home: Home, using generator: inout some RandomNumberGenerator
    ) throws -> DeviceKey {
        do throws(KeyFileFault) {
            return try file.loadOrCreate(using: &generator)
        } catch {
            throw error.commandFault(in: home)
        }
    }

    static func loadKey(of home: Home) throws -> DeviceKey {
        do throws(KeyFileFault) {
            return try DeviceKeyFile(path: home.deviceKeyFile).load()
        } catch {
            throw error.commandFault(in: home)
        }
    }
}

extension KeyFileFault {
    /// The fault and its remedy, for the person whose home it is.
    fileprivate func commandFault(in home: Home) -> CommandFault {
        switch self {
        case .notFound:
            .failed(
                "there is a person.record in \(home.directory) but no device.key: put device.key "
                    + "back from a backup, or use another --home")
        case .notAFile(let path):
            .failed("the key file \(path) is not a regular file: put it back from a backup")
        case .wrongPermissions(let path, let mode):
            .failed(
                "the key file \(path) is accessible to other users (mode "
                    + "\(String(mode, radix: 8))): run 'chmod 600 \(path)'")
        case .wrongLength(let path, let bytes):
            .failed(
                "the key file \(path) has \(bytes) bytes instead of 32: put it back from a backup")
        case .failed(let path, _, let reason): .failed("\(path) cannot be used: \(reason)")
        case .alreadyExists(let path):
            .conflict("there is a key file at \(path) already; it is not replaced")
        }
    }
}
