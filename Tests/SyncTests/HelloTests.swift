import Identity
import Records
import Sync
import TestSupport
import Testing

/// HELLO has a frame that is shorter than all others and no second try.
@Suite struct HelloTests {
    /// A record with as many entries as there may be, each as long as one can be.
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
                nonce: .zero, wallMilliseconds: 0, port: .max, frameBytesMax: .max,
                person: try fullest(key)))
        let payload = hello.payload(sender: key.id)
        #expect(payload.count + 1 == 83 + 15_138)
        #expect(payload.count + 1 <= Limits.helloFrameBytesMax)
        #expect(try Message(type: hello.type, payload: payload, sender: key.id) == hello)
    }
}
