public import Identity
public import Records

/// The question of a new device: do you show this code?
public struct JoinQuestion: Hashable, Sendable {
    /// The name of the code.
    public var code: JoinCodeName
    /// The proof of the new device that it knows the code.
    public var proof: Bytes32

    /// Creates a question from its fields.
    public init(code: JoinCodeName, proof: Bytes32) {
        self.code = code
        self.proof = proof
    }
}

/// The answer of the device that shows the code.
public struct JoinAnswer: Hashable, Sendable {
    /// The record of the person whom the new device is to belong to.
    public var person: ClaimedPersonRecord
    /// The proof of this device that it knows the code.
    public var proof: Bytes32

    /// Creates an answer from its fields.
    public init(person: ClaimedPersonRecord, proof: Bytes32) {
        self.person = person
        self.proof = proof
    }
}

/// The new device's consent to belong to the person, and what its owner calls it.
public struct JoinConsent: Hashable, Sendable {
    /// The signature of a ``DeviceConsent`` without a name.
    public var signature: Signature
    /// The suggested name, at most ``DeviceEntry/nameBytesMax`` bytes of UTF-8; may be empty.
    public var name: String

    /// Creates a message from its fields.
    public init(signature: Signature, name: String) {
        self.signature = signature
        self.name = name
    }
}

extension JoinQuestion {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: code.raw)
        proof.append(to: &bytes)
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        code = JoinCodeName(raw: try reader.integer(UInt64.self))
        proof = try reader.proof()
    }
}

extension JoinAnswer {
    /// Appends an answer; nil is that of a device that does not show the code.
    static func encode(_ answer: JoinAnswer?, into bytes: inout [UInt8]) {
        bytes.append(block: answer?.person.encoded ?? [])
        answer?.proof.append(to: &bytes)
    }

    static func read(from reader: inout ByteReader) throws -> JoinAnswer? {
        let record = try reader.block("a person record", limit: Limits.helloFrameBytesMax)
        guard !record.isEmpty else { return nil }
        return JoinAnswer(person: try ClaimedPersonRecord(record), proof: try reader.proof())
    }
}

extension JoinConsent {
    func encode(into bytes: inout [UInt8]) {
        bytes += signature.bytes
        bytes.append(text: name)
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        guard let signature = Signature(try reader.bytes(Signature.bytesCount)) else {
            throw .truncated
        }
        self.signature = signature
        name = try reader.text("a device's name", limit: DeviceEntry.nameBytesMax)
    }
}

extension ByteReader {
    fileprivate mutating func proof() throws(RecordFault) -> Bytes32 {
        guard let proof = Bytes32(try bytes(32)) else { throw .truncated }
        return proof
    }
}
