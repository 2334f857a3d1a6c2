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
        for _ in 0..<Limits.identityPersonsMax { waiting.keep(.init(try somebody().1)) }
        #expect(waiting.all.count == Limits.identityPersonsMax)
        waiting.keep(.init(try somebody().1))
        #expect(waiting.all.count == Limits.identityPersonsMax)
    }

    @Test func `records are kept up to the length of one frame`() throws {
        var waiting = WaitingRecords()
        var bytesCount = 0
        for _ in 0..<24 {
            let (key, record) = try somebody()
            let entries = try (0..<Limits.personDevicesMax).map { _ in
                try DeviceEntry.adding(
                    try DeviceConsent(of: DeviceKey(), to: record.person), by: key)
            }
            let full = try PersonRecord(
                founding: record.founding, firstDevice: key, entries: entries)
            bytesCount += full.encoded.count
            waiting.keep(.init(full))
        }
        let keptCount = waiting.all.reduce(0) { $0 + $1.encoded.count }
        #expect(bytesCount > WaitingRecords.bytesMax)
        #expect(keptCount <= WaitingRecords.bytesMax)
        #expect(waiting.all.count == WaitingRecords.bytesMax / (bytesCount / 24))
    }

    @Test func `a later record of a person replaces the earlier`() throws {
        var waiting = WaitingRecords()
        let (key, record) = try somebody()
        let consent = try DeviceConsent(of: DeviceKey(), to: record.person, name: "laptop")
        let more = try record.adding(try DeviceEntry.adding(consent, by: key))
        waiting.keep(.init(record))
        waiting.keep(.init(more))
        #expect(waiting.all == [.init(more)])
        waiting.remove(record.person)
        #expect(waiting.isEmpty)
    }
}
