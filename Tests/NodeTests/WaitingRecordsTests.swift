import Identity
import Records
import Sync
import Testing

@testable import Node

@Suite struct WaitingRecordsTests {
    private func somebody() throws -> (DeviceKey, PersonRecord) {
        let key = DeviceKey()
        var generator = SystemRandomNumberGenerator()
        let words = RecoveryWords(using: &generator)
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: words.key.publicKey)
        return (key, try PersonRecord(founding: founding, firstDevice: key))
    }

    @Test func `records are kept for at most as many people as one IDENTITY may name`() throws {
        var waiting = WaitingRecords()
        for _ in 0..<Limits.identityPersonsMax { waiting.keep(try somebody().1) }
        #expect(waiting.all.count == Limits.identityPersonsMax)
        waiting.keep(try somebody().1)
        #expect(waiting.all.count == Limits.identityPersonsMax)
    }

    @Test func `two records of one person are joined`() throws {
        var waiting = WaitingRecords()
        let (key, record) = try somebody()
        let consent = try DeviceConsent(of: DeviceKey(), to: record.person, name: "laptop")
        let more = try record.adding(try DeviceEntry.adding(consent, by: key))
        waiting.keep(more)
        waiting.keep(record)
        #expect(waiting.all == [more])
        waiting.remove(record.person)
        #expect(waiting.isEmpty)
    }
}
