import Identity
import Records
import Sync
import TestSupport
import Testing

/// Tests the length of HELLO, whose frame limit is smaller than all others.
@Suite struct HelloTests {
    /// Returns a record with the maximum number of entries, each of maximum length.
    private func fullest(_ first: DeviceKey) throws -> PersonRecord {
        var generator = SeededGenerator(seed: 81)
        let founding = FoundingRecord(
            firstDevice: first.id, recoveryKey: RecoveryWords(using: &generator).key.publicKey)
        let name = String(repeating: "n", count: DeviceEntry.nameBytesMax)
        let entries = try (0..<Limits.personDevicesMax).map { _ in
            let consent = try DeviceConsent(
                of: DeviceKey(using: &generator), to: founding.person, name: name)
            return try DeviceEntry.adding(consent, by: first)
        }
        return try PersonRecord(founding: founding, firstDevice: first, entries: entries)
    }

    @Test func `the longest HELLO fits its frame and is read back`() throws {
        var generator = SeededGenerator(seed: 82)
        let key = DeviceKey(using: &generator)
        let hello = Message.hello(
            Hello(
                versions: 1...255, bootID: .zero, startCount: .max, replicaEpoch: .zero,
                nonce: .zero, wallTime: .min, port: .max, frameBytesMax: .max,
                person: ClaimedPersonRecord(try fullest(key))))
        let payload = hello.payload(sender: key.id)
        #expect(payload.count + 1 == 83 + 15_138)
        #expect(payload.count + 1 <= Limits.helloFrameBytesMax)
        #expect(try Message(type: hello.type, payload: payload, sender: key.id) == hello)
    }
}
