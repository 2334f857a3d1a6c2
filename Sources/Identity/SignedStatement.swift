public import Records

/// Bytes that a person signed with one of their devices, and everything needed to check them:
/// unlike a batch, they prove their author to people who share no space with the author.
///
/// Its encoding is `u8 1 ‖ varint length ‖ person record ‖ device ‖ varint length ‖ content ‖
/// signature`. The record has only the entries that list the device. The signature is over the
/// prefix of the purpose, the topic with its length, the device, the person and the content.
///
/// It does not prove that the device is still listed: a record that lacks a removal verifies.
public struct SignedStatement: Hashable, Sendable {
    /// The person's record, with the entries that list the device.
    public let record: PersonRecord
    /// The device that signed.
    public let device: DeviceID
    /// The signed bytes.
    public let content: [UInt8]
    private let signature: Signature

    /// The person who signed.
    public var person: PersonID { record.person }

    /// The maximum length of the content, in bytes.
    public static let contentBytesMax = 4096
    /// The maximum number of entries that list the device: each costs two signature checks.
    public static let entriesMax = 8
    private static let version: UInt8 = 1

    /// Signs bytes for a topic, such as the id of a plugin. The statement is not valid for another
    /// topic.
    /// - Throws: the first ``IdentityFault`` found: ``IdentityFault/malformed(_:)`` if the content
    ///   is too long or too many entries list the device, then ``IdentityFault/cannotSign``.
    public init(
        _ content: [UInt8], topic: String, by key: DeviceKey, of record: PersonRecord
    ) throws(IdentityFault) {
        self.record = record.showing(only: key.id)
        device = key.id
        self.content = content
        guard content.count <= Self.contentBytesMax else {
            throw .malformed(.overLimit("a statement's bytes", limit: Self.contentBytesMax))
        }
        guard self.record.entries.count <= Self.entriesMax else {
            throw .malformed(.overLimit("a statement's entries", limit: Self.entriesMax))
        }
        signature = try key.sign(Self.signed(content, topic, device, record.person))
    }

    /// The statement's bytes.
    public var encoded: [UInt8] {
        let person = record.encoded
        var bytes = [Self.version]
        bytes.append(varint: UInt64(person.count))
        bytes += person + device.bytes
        bytes.append(varint: UInt64(content.count))
        return bytes + content + signature.bytes
    }

    /// Reads one statement from the front of untrusted bytes and checks it.
    /// - Throws: the first ``IdentityFault`` found, in the order encoding, number of entries,
    ///   person record, device, signature.
    public init(from reader: inout ByteReader, topic: String) throws(IdentityFault) {
        let parts = try Self.parts(&reader)
        record = try PersonRecord(decoding: parts.record)
        (device, content, signature) = (parts.device, parts.content, parts.signature)
        guard record.devices.contains(device),
            signature.verifies(
                Self.signed(content, topic, device, record.person), by: device.raw)
        else { throw .signatureMismatch(device) }
    }

    private typealias Parts = (
        record: [UInt8], device: DeviceID, content: [UInt8], signature: Signature
    )

    private static func parts(_ reader: inout ByteReader) throws(IdentityFault) -> Parts {
        do throws(RecordFault) {
            let found = try reader.byte()
            guard found == version else { throw .unknownVersion(found) }
            let count = try reader.count("a person's record", limit: Limits.personBytesMax)
            let record = Array(try reader.bytes(count))
            let device = try reader.identifier(DeviceID.self)
            let length = try reader.count("a statement's bytes", limit: contentBytesMax)
            let content = Array(try reader.bytes(length))
            let signature = try reader.signature()
            // Counted before any signature is checked.
            guard record.count <= recordBytesMax else {
                throw .overLimit("a statement's entries", limit: entriesMax)
            }
            return (record, device, content, signature)
        } catch {
            throw .malformed(error)
        }
    }

    /// The length of a record with ``entriesMax`` entries, of which each has at least 202 bytes.
    private static let recordBytesMax = 130 + entriesMax * 268

    private static func signed(
        _ content: [UInt8], _ topic: String, _ device: DeviceID, _ person: PersonID
    ) -> [UInt8] {
        var bytes = Digest.statement.prefix
        bytes.append(varint: UInt64(topic.utf8.count))
        bytes += Array(topic.utf8) + device.bytes + person.bytes
        return bytes + content
    }
}
