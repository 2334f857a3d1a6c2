import Identity
import Records
import Testing

@testable import Sync

@Suite struct AnnouncedTests {
    private let sender = DeviceKey().id

    private func fields(_ values: KeyValuePairs<String, [UInt8]>) -> AnnouncedFields {
        var fields = AnnouncedFields()
        for (key, bytes) in values { fields.insert(key, bytes) }
        return fields
    }

    private func read(_ payload: [UInt8]) throws -> Message {
        try Message(type: 17, payload: payload, sender: sender)
    }

    /// One field as encoded in a payload.
    private func field(_ key: String, bytes count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text: key)
        bytes.append(block: [UInt8](repeating: 1, count: count))
        return bytes
    }

    @Test func `fields are unchanged after encoding`() throws {
        for announced in [AnnouncedFields(), fields(["n": [0xff], "f": [0], "abc": [1, 2, 3]])] {
            let message = Message.announced(announced)
            #expect(message.type == 17)
            #expect(try read(message.payload(sender: sender)) == message)
        }
    }

    @Test func `14 fields of 377 bytes are accepted, and one more or one longer is refused`() throws
    {
        let keys = "abcdefghijklmno".map { String($0) }
        let short = keys.prefix(10).flatMap { field($0, bytes: 1) }
        let rest = field("k", bytes: 96) + field("l", bytes: 96) + field("m", bytes: 96)
        #expect(throws: Never.self) { try read([14] + short + rest + field("n", bytes: 37)) }
        #expect(throws: RecordFault.overLimit("announced fields", limit: 377)) {
            try read([14] + short + rest + field("n", bytes: 38))
        }
        #expect(throws: RecordFault.overLimit("announced fields", limit: 14)) {
            try read([15] + keys.flatMap { field($0, bytes: 1) })
        }
    }

    @Test func `a field has 1 to 96 bytes, not 97`() throws {
        #expect(throws: Never.self) { try read([1] + field("a", bytes: 96)) }
        #expect(throws: RecordFault.self) { try read([1] + field("a", bytes: 97)) }
        #expect(throws: RecordFault.self) { try read([1] + field("a", bytes: 0)) }
    }

    @Test(arguments: [
        ["b", "a"], ["a", "a"], ["v"], ["t"], ["A"], [""], ["abcd"], ["é"],
    ])
    func `keys that a node never writes are refused`(keys: [String]) {
        #expect(throws: RecordFault.self) {
            try read([UInt8(keys.count)] + keys.flatMap { field($0, bytes: 1) })
        }
    }

    @Test func `random bytes never trap`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let count = Int.random(in: 0...60, using: &generator)
            let payload = (0..<count).map { _ in
                UInt8.random(in: 0...4, using: &generator) == 0
                    ? UInt8.random(in: 0...255, using: &generator)
                    : UInt8.random(in: 0x61...0x64, using: &generator) & 0x63
            }
            _ = try? read(payload)
        }
    }

    @Test func `the fields of version 1 are unchanged after PRESENCE`() {
        let fields = self.fields(["f": Array("ds".utf8), "n": Array("Mari".utf8), "xyz": [1]])
        let presence = Presence(fields)
        #expect(presence == Presence(dropOpen: true, seeking: true, nickname: "Mari"))
        #expect(presence.fields == fields.only(["f", "n", "g"]))
        #expect(Presence(AnnouncedFields()).fields.isEmpty)
    }

    @Test func `names that are no text or too long do no harm`() {
        #expect(Presence(fields(["n": [0xff, 0xfe]])).nickname.isEmpty)
        let long = Presence(dogName: String(repeating: "가", count: 42))
        #expect(long.fields["g"]?.count == 96)
        let oneCharacter = Presence(nickname: "a" + String(repeating: "\u{301}", count: 60))
        #expect(oneCharacter.fields.isEmpty)
    }

    @Test func `two nodes speak the highest version that both know`() throws {
        let key = DeviceKey()
        var generator = SystemRandomNumberGenerator()
        let recovery = RecoveryWords(using: &generator).key.publicKey
        let record = try PersonRecord(
            founding: FoundingRecord(firstDevice: key.id, recoveryKey: recovery), firstDevice: key)
        func common(_ versions: ClosedRange<UInt8>) -> UInt8? {
            Hello(
                versions: versions, bootID: .zero, startCount: 1, replicaEpoch: .zero,
                nonce: .zero, wallTime: .min, port: 1, person: ClaimedPersonRecord(record)
            ).commonVersion
        }
        #expect(common(1...1) == 1)
        #expect(common(1...2) == 2)
        #expect(common(2...9) == 7)
        #expect(common(5...9) == 7)
        #expect(common(7...9) == 7)
        #expect(common(8...9) == nil)
        #expect(common(0...0) == nil)
    }
}
