public import ControlAPI
public import Identity
internal import PluginKit
internal import Records

/// Who this node is: its device's key and the person it belongs to.
public struct NodeIdentity: Sendable {
    public let key: DeviceKey
    public let person: PersonRecord

    /// Creates a person with their first device in a home that has none.
    /// - Returns: the identity, and the recovery words, which are shown once and kept nowhere.
    /// - Throws: ``CommandFault/conflict(_:)`` where an identity is there already, ``HomeFault``,
    ///   ``KeyFileFault``.
    public static func create(in home: Home) throws -> (NodeIdentity, RecoveryWords) {
        guard !home.hasIdentity else {
            throw CommandFault.conflict(
                "there is an identity in \(home.directory) already; use it, or another --home")
        }
        try home.prepare()
        var generator = SystemRandomNumberGenerator()
        let words = RecoveryWords(using: &generator)
        // A key that an interrupted start left behind is taken up; the record comes last, and a
        // home counts as founded when it is there.
        let key = try DeviceKeyFile(path: home.deviceKeyFile).loadOrCreate(using: &generator)
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: words.key.publicKey)
        let person = try PersonRecord(founding: founding, firstDevice: key)
        try SafeFile.write(person.encoded, to: home.personRecordFile)
        return (NodeIdentity(key: key, person: person), words)
    }

    /// Loads the identity of a home.
    /// - Throws: ``CommandFault/notFound(_:)`` where there is none, else why it cannot be read.
    public static func load(from home: Home) throws -> NodeIdentity {
        guard home.hasIdentity else {
            throw CommandFault.notFound(
                "there is no identity in \(home.directory): run 'waggle init' first")
        }
        let key = try DeviceKeyFile(path: home.deviceKeyFile).load()
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
        return NodeIdentity(key: key, person: person)
    }
}
