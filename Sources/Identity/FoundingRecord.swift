public import Records

/// The start of a person: the first device and the public half of the recovery key. Neither can
/// change, because the person's id is the hash of this record.
public struct FoundingRecord: Hashable, Sendable {
    /// The device on which the person was created. It needs no entry.
    public let firstDevice: DeviceID
    /// The Ed25519 public key whose private half is in the recovery words.
    public let recoveryKey: Bytes32

    /// The format version, which is the record's first byte.
    public static let version: UInt8 = 1
    /// The length of every founding record, in bytes.
    public static let encodedBytesCount = 65

    /// Creates a record from the two keys.
    public init(firstDevice: DeviceID, recoveryKey: Bytes32) {
        self.firstDevice = firstDevice
        self.recoveryKey = recoveryKey
    }

    /// The id of the person, which is the hash of this record.
    public var person: PersonID { PersonID(raw: Digest.person.hash(encoded)) }

    /// Version, first device and recovery key.
    public var encoded: [UInt8] {
        var bytes = [FoundingRecord.version]
        firstDevice.raw.append(to: &bytes)
        recoveryKey.append(to: &bytes)
        return bytes
    }

    /// Decodes exactly one record.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// Reads one record.
    init(from reader: inout ByteReader) throws(RecordFault) {
        let version = try reader.byte()
        guard version == FoundingRecord.version else { throw .unknownVersion(version) }
        firstDevice = try reader.identifier(DeviceID.self)
        guard let key = Bytes32(try reader.bytes(32)) else { throw .truncated }
        recoveryKey = key
    }
}
