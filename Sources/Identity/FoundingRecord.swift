public import Records

/// How a person begins: the first device and the public half of the recovery key. Both stand for
/// ever, because the person is the hash of them.
public struct FoundingRecord: Hashable, Sendable {
    /// The device the person was made on. It needs no entry.
    public let firstDevice: DeviceID
    /// The Ed25519 public key whose private half is in the recovery words.
    public let recoveryKey: Bytes32

    /// The format's version, the record's first byte.
    public static let version: UInt8 = 1
    /// Every founding record has this many bytes.
    public static let encodedBytesCount = 65

    /// Joins the two keys.
    public init(firstDevice: DeviceID, recoveryKey: Bytes32) {
        self.firstDevice = firstDevice
        self.recoveryKey = recoveryKey
    }

    /// The person this record founds.
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
