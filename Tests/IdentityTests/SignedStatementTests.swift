import Identity
import Records
import TestSupport
import Testing

@Suite struct SignedStatementTests {
    private let key: DeviceKey
    private let record: PersonRecord

    init() throws {
        var generator = SeededGenerator(seed: 3)
        key = DeviceKey(using: &generator)
        let recovery = RecoveryWords(using: &generator).key
        record = try PersonRecord(
            founding: FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey),
            firstDevice: key)
    }

    private func read(_ bytes: [UInt8], topic: String = "notes") throws -> SignedStatement {
        var reader = ByteReader(bytes)
        return try SignedStatement(from: &reader, topic: topic)
    }

    @Test func `a statement names its person, and no changed byte of it verifies`() throws {
        let statement = try SignedStatement([1, 2, 3], topic: "notes", by: key, of: record)
        let bytes = statement.encoded
        let found = try read(bytes)
        #expect(found.person == record.person && found.content == [1, 2, 3])
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: IdentityFault.self, "byte \(index)") { try read(changed) }
        }
        for count in bytes.indices {
            #expect(throws: IdentityFault.self) { try read(Array(bytes.prefix(count))) }
        }
    }

    @Test func `a statement of one topic is none of another`() throws {
        let bytes = try SignedStatement([1], topic: "notes", by: key, of: record).encoded
        #expect(throws: IdentityFault.signatureMismatch(key.id)) { try read(bytes, topic: "other") }
    }

    @Test func `a device that the record does not list signs nothing for its person`() throws {
        var generator = SeededGenerator(seed: 4)
        let other = DeviceKey(using: &generator)
        let bytes = try SignedStatement([1], topic: "notes", by: other, of: record).encoded
        #expect(throws: IdentityFault.signatureMismatch(other.id)) { try read(bytes) }
    }

    @Test func `a content of 4096 bytes is signed, and one byte more is refused`() throws {
        let most = [UInt8](repeating: 1, count: SignedStatement.contentBytesMax)
        let bytes = try SignedStatement(most, topic: "notes", by: key, of: record).encoded
        #expect(try read(bytes).content == most)
        #expect(throws: IdentityFault.self) {
            try SignedStatement(most + [1], topic: "notes", by: key, of: record)
        }
    }
}
