import Identity
import Records
import Testing

@testable import Sync

/// The bytes of the messages of a device that joins by a code.
struct JoinMessageTests {
    private let sender = DeviceKey()

    private func read(_ type: UInt8, _ payload: [UInt8]) throws -> Message {
        try Message(type: type, payload: payload, sender: sender.id)
    }

    private func record() throws -> ClaimedPersonRecord {
        var generator = SystemRandomNumberGenerator()
        let founding = FoundingRecord(
            firstDevice: sender.id, recoveryKey: RecoveryWords(using: &generator).key.publicKey)
        return ClaimedPersonRecord(try PersonRecord(founding: founding, firstDevice: sender))
    }

    @Test func `each message is read as it was written`() throws {
        let record = try record()
        let signature = try DeviceConsent(of: sender, to: record.person).signature
        let question = JoinQuestion(code: JoinCodeName(raw: .max - 1), proof: sender.id.raw)
        for (type, message) in [
            (22, Message.joinQuestion(question)), (23, .joinAnswer(nil)),
            (23, .joinAnswer(JoinAnswer(person: record, proof: sender.id.raw))),
            (24, .joinConsent(JoinConsent(signature: signature, name: "Laptop"))),
            (24, .joinConsent(JoinConsent(signature: signature, name: ""))),
            (25, .joined(nil)), (25, .joined(record)),
        ] as [(UInt8, Message)] {
            #expect(message.versionMin == 5)
            #expect(message.type == type)
            #expect(try read(type, message.payload(sender: sender.id)) == message)
        }
        #expect(Message.joinAnswer(nil).payload(sender: sender.id) == [0])
    }

    @Test func `a question of 40 bytes is read, and one byte more or less is refused`() throws {
        #expect(throws: Never.self) { try read(22, [UInt8](repeating: 1, count: 40)) }
        for count in [0, 39, 41] {
            #expect(throws: RecordFault.self) { try read(22, [UInt8](repeating: 1, count: count)) }
        }
    }

    @Test func `a name of 40 bytes is read, and a longer one is refused`() throws {
        let signature = [UInt8](repeating: 1, count: 64)
        func consent(_ length: Int) -> [UInt8] {
            signature + [UInt8(length)] + [UInt8](repeating: 0x61, count: length)
        }
        #expect(throws: Never.self) { try read(24, consent(40)) }
        #expect(throws: RecordFault.self) { try read(24, consent(41)) }
        #expect(throws: RecordFault.self) { try read(24, signature) }
        #expect(throws: RecordFault.self) { try read(24, consent(3) + [0]) }
        #expect(throws: RecordFault.self) { try read(24, signature + [1, 0xFF]) }
    }

    @Test func `an answer without a proof, with bytes after it, or over the limit is refused`()
        throws
    {
        let record = try record()
        let whole = Message.joinAnswer(JoinAnswer(person: record, proof: sender.id.raw))
            .payload(sender: sender.id)
        #expect(throws: RecordFault.self) { try read(23, Array(whole.dropLast())) }
        #expect(throws: RecordFault.self) { try read(23, whole + [0]) }
        #expect(throws: RecordFault.self) { try read(23, [0] + sender.id.bytes) }
        for type in [23, 25] as [UInt8] {
            #expect(throws: RecordFault.self) { try read(type, [0x81, 0x80, 0x01]) }
            #expect(throws: RecordFault.self) { try read(type, []) }
            #expect(throws: IdentityFault.self) { try read(type, [1, 1]) }
        }
    }
}
