import Identity
import Records
import TestSupport
import Testing

@Suite struct PersonRecordTests {
    private let family = Family(seed: 41)

    private func devices(_ entries: [DeviceEntry]) throws -> Set<DeviceID> {
        try family.record(entries).devices
    }

    @Test func `the first device needs no entry`() throws {
        #expect(try family.record().devices == [family.first.id])
    }

    @Test func `a listed device adds another, and that one a third`() throws {
        let second = try family.adding(family.second, by: family.first)
        let third = try family.adding(family.third, by: family.second)
        #expect(
            try devices([third, second]) == [family.first.id, family.second.id, family.third.id])
        #expect(try devices([third]) == [family.first.id])
    }

    @Test func `a device that is not listed can neither add nor remove devices`() throws {
        let entries = [
            try family.adding(family.third, by: family.stranger),
            try family.removing(family.first.id, by: family.stranger),
            try family.adding(family.stranger, by: family.stranger),
        ]
        #expect(try devices(entries) == [family.first.id])
    }

    @Test func `the recovery key removes a stolen first device and all devices it adds`() throws {
        let entries = [
            try family.adding(family.second, by: family.first),
            try family.adding(family.stranger, by: family.first),
            try family.removingByRecovery(family.first.id),
            try family.addingByRecovery(family.second),
        ]
        #expect(try devices(entries) == [family.second.id])
        let later = try family.adding(family.third, by: family.first)
        #expect(try devices(entries + [later]) == [family.second.id])
    }

    @Test func `entries by a removed device do not count`() throws {
        let entries = [
            try family.adding(family.second, by: family.first),
            try family.adding(family.third, by: family.second),
            try family.removing(family.second.id, by: family.first),
        ]
        #expect(try devices(entries) == [family.first.id])
        let kept = try family.adding(family.third, by: family.first)
        #expect(try devices(entries + [kept]) == [family.first.id, family.third.id])
    }

    @Test func `a junior device cannot remove a senior one or a device that it added`() throws {
        let entries = [
            try family.adding(family.second, by: family.first),
            try family.adding(family.third, by: family.first),
            try family.removing(family.first.id, by: family.second),
            try family.removing(family.third.id, by: family.second),
        ]
        #expect(
            try devices(entries) == [family.first.id, family.second.id, family.third.id])
    }

    @Test func `within one level a removal overrules an addition`() throws {
        let entries = [
            try family.adding(family.second, by: family.first),
            try family.removing(family.second.id, by: family.first),
        ]
        #expect(try devices(entries) == [family.first.id])
        let peers = [
            try family.adding(family.second, by: family.first),
            try family.adding(family.third, by: family.first),
            try family.adding(family.stranger, by: family.second),
            try family.removing(family.stranger.id, by: family.third),
        ]
        #expect(try !devices(peers).contains(family.stranger.id))
    }

    @Test func `a senior device's removal overrules every junior addition`() throws {
        let entries = [
            try family.adding(family.second, by: family.first),
            try family.removing(family.third.id, by: family.first),
            try family.adding(family.third, by: family.second),
        ]
        #expect(try devices(entries) == [family.first.id, family.second.id])
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `the list is the same for any order of arrival and any grouping`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let entries = try family.entries(count: generator.number(0...14), &generator)
        let whole = try family.record(entries)
        for _ in 0..<4 {
            let shuffled = entries.shuffled(using: &generator)
            #expect(try family.record(shuffled) == whole)
            // A node sends a person's entries together with all entries that they depend on.
            let middle = generator.number(0...entries.count)
            let left = try family.record(whole.closed(over: shuffled[..<middle]))
            let right = try family.record(whole.closed(over: shuffled[middle...]))
            #expect(try left.merging(right) == whole)
            #expect(try right.merging(left) == whole)
            #expect(try whole.merging(left) == whole)
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `a record is unchanged after encoding and has one encoding`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let record = try family.record(family.entries(count: 3, &generator))
        let bytes = record.encoded
        #expect(try PersonRecord(decoding: bytes) == record)
        for position in bytes.indices {
            var mutated = bytes
            mutated[position] ^= 1 << UInt8(generator.number(0...7))
            #expect(throws: IdentityFault.self) { try PersonRecord(decoding: mutated) }
        }
        for count in bytes.indices {
            #expect(throws: IdentityFault.self) {
                try PersonRecord(decoding: Array(bytes[..<count]))
            }
        }
        #expect(throws: IdentityFault.malformed(.trailingBytes(count: 1))) {
            try PersonRecord(decoding: bytes + [0])
        }
    }

    @Test func `entries in another order, or one twice, are refused`() throws {
        let entries = [
            try family.addingByRecovery(family.second),
            try family.adding(family.third, by: family.first),
        ]
        let founded = try family.record().encoded.dropLast()
        func encoded(_ entries: [DeviceEntry]) -> [UInt8] {
            founded + [UInt8(entries.count)] + entries.flatMap(\.encoded)
        }
        #expect(throws: Never.self) { try PersonRecord(decoding: encoded(entries)) }
        for wrong in [entries.reversed(), [entries[0], entries[0]]] {
            #expect(throws: IdentityFault.malformed(.notCanonical("the entries' order"))) {
                try PersonRecord(decoding: encoded(wrong))
            }
        }
    }

    @Test func `an entry of another person or with a false signer is refused`() throws {
        let other = Family(seed: 99)
        let alien = try other.adding(family.second, by: other.first)
        #expect(
            throws: IdentityFault.wrongPerson(
                expected: family.founding.person, found: other.founding.person)
        ) { try devices([alien]) }
        #expect(throws: IdentityFault.self) {
            try family.record().merging(other.record())
        }
        let impostor = try DeviceEntry.adding(
            family.consent(of: family.second), by: other.recovery)
        #expect(throws: IdentityFault.signatureMismatch(family.second.id)) {
            try devices([impostor])
        }
    }

    @Test func `56 entries are read and 57 are refused`() throws {
        var generator = SeededGenerator(seed: 42)
        let entries = try (0..<Limits.personDevicesMax).map { _ in
            try family.adding(DeviceKey(using: &generator), by: family.first)
        }
        let full = try family.record(entries)
        #expect(full.entries.count == Limits.personDevicesMax)
        #expect(try PersonRecord(decoding: full.encoded) == full)
        let countPlace = FoundingRecord.encodedBytesCount + Signature.bytesCount
        #expect(full.encoded[countPlace] == 56)
        var over = full.encoded + (try family.adding(family.second, by: family.first)).encoded
        over[countPlace] = 57
        #expect(throws: IdentityFault.malformed(.overLimit("a person's entries", limit: 56))) {
            try PersonRecord(decoding: over)
        }
    }

    @Test func `entries whose signer no entry adds are dropped`() throws {
        var generator = SeededGenerator(seed: 44)
        let flood = try (0..<56).map { _ in
            try family.removing(DeviceKey(using: &generator).id, by: family.stranger)
        }
        let rightful = [
            try family.adding(family.second, by: family.first),
            try family.adding(family.third, by: family.second),
        ]
        let record = try family.record(flood + rightful)
        #expect(record == (try family.record(rightful)))
        #expect(try family.record(rightful).merging(family.record(flood)) == record)
        let known = try family.record(rightful)
        #expect(try ClaimedPersonRecord(try family.claim(flood)).news(to: known).isEmpty)
        // A record that holds them already is still read.
        #expect(try PersonRecord(decoding: try family.claim(flood)) == family.record())
    }

    @Test func `a home on its third key stays listed beside a stolen device's entries`() throws {
        for seed: UInt64 in 1...8 {
            var generator = SeededGenerator(seed: seed)
            let stolen = family.stranger
            let rightful = [
                try family.adding(stolen, by: family.first),
                try family.adding(family.second, by: family.first),
                try family.adding(family.third, by: family.second),
            ]
            let flood = try (0..<80).map { index in
                index.isMultiple(of: 2)
                    ? try family.adding(DeviceKey(using: &generator), by: stolen)
                    : try family.removing(DeviceKey(using: &generator).id, by: stolen)
            }
            let record = try family.record(flood + rightful)
            #expect(record.entries.count == Limits.personDevicesMax)
            #expect(record.devices.contains(family.third.id))
            // The removed device's flood displaces nothing either.
            let removal = try family.removingByRecovery(stolen.id)
            let after = try record.adding(removal)
            #expect(after.entries.contains(removal))
            #expect(after.devices == [family.first.id, family.second.id, family.third.id])
        }
    }

    @Test func `a stolen first device's entries displace no recovered device`() throws {
        var generator = SeededGenerator(seed: 45)
        let flood = try (0..<56).map { _ in
            try family.adding(DeviceKey(using: &generator), by: family.first)
        }
        let rightful = [
            try family.removingByRecovery(family.first.id),
            try family.addingByRecovery(family.second),
            try family.adding(family.third, by: family.second),
        ]
        for record in [
            try family.record(flood + rightful),
            try family.record(flood).merging(family.record(rightful)),
        ] {
            #expect(record.devices == [family.second.id, family.third.id])
            #expect(Set(rightful).isSubset(of: record.entries))
        }
    }

    @Test func `the record shown for a device has only the entries that list it`() throws {
        let chain = [
            try family.adding(family.second, by: family.first),
            try family.adding(family.third, by: family.second),
        ]
        let rest = [
            try family.adding(family.stranger, by: family.first),
            try family.removing(family.stranger.id, by: family.second),
        ]
        let record = try family.record(chain + rest)
        #expect(record.showing(only: family.first.id) == (try family.record()))
        #expect(record.showing(only: family.second.id) == (try family.record([chain[0]])))
        #expect(record.showing(only: family.third.id) == (try family.record(chain)))
        #expect(record.showing(only: DeviceKey().id) == record)
        let recovered = try record.adding(family.removingByRecovery(family.first.id))
            .adding(family.addingByRecovery(family.third))
        #expect(
            recovered.showing(only: family.third.id).entries
                == [try family.addingByRecovery(family.third)])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the record shown for a device lists it and merges into the full record`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let record = try family.record(family.entries(count: 12, &generator))
        for device in record.devices {
            let shown = record.showing(only: device)
            #expect(shown.devices.contains(device))
            #expect(shown.entries.count <= 4)
            #expect(try shown.merging(record) == record)
            #expect(try PersonRecord(decoding: shown.encoded) == shown)
        }
    }

    @Test func `a claim's news are the entries a record lacks, and cost their signatures`() throws {
        let known = try family.record([try family.adding(family.second, by: family.first)])
        #expect(try ClaimedPersonRecord(known).news(to: known).isEmpty)
        #expect(try ClaimedPersonRecord(known).news(to: nil).checksCount == 3)
        let removal = try family.removing(family.second.id, by: family.first)
        let more = try known.adding(removal)
        let news = try ClaimedPersonRecord(more).news(to: known)
        #expect(news.checksCount == 1)
        #expect(try news.checked() == more)
        #expect(try ClaimedPersonRecord(known).news(to: more).isEmpty)
        var forged = more.encoded
        forged[forged.count - 1] ^= 1
        #expect(throws: IdentityFault.self) {
            try ClaimedPersonRecord(forged).news(to: known).checked()
        }
    }

    @Test func `a flood of entries cannot displace the recovery key or the first device`() throws {
        var generator = SeededGenerator(seed: 43)
        let senior = [
            try family.removingByRecovery(family.second.id),
            try family.adding(family.third, by: family.first),
            try family.adding(family.second, by: family.first),
        ]
        let flood = try (0..<80).map { _ in
            try family.adding(DeviceKey(using: &generator), by: family.second)
        }
        let record = try family.record(flood + senior)
        #expect(record.entries.count == Limits.personDevicesMax)
        #expect(record.devices == [family.first.id, family.third.id])
    }

    @Test func `entries of a removed device make room for another one, and listed devices do not`()
        throws
    {
        var generator = SeededGenerator(seed: 44)
        let thief = try family.adding(family.second, by: family.first)
        let flood = try (0..<80).map { _ in
            try family.adding(DeviceKey(using: &generator), by: family.second)
        }
        let removal = try family.removingByRecovery(family.second.id)
        let full = try family.record(flood + [thief, removal])
        #expect(full.entries.count == Limits.personDevicesMax)
        #expect(try full.hasRoom(forDeviceOf: family.first))
        // A device that is not listed adds none.
        #expect(try !full.hasRoom(forDeviceOf: family.second))
        let grown = try #require(
            try full.addingDevice(try family.adding(family.third, by: family.first)))
        #expect(grown.devices == [family.first.id, family.third.id])

        var listed = try family.record()
        for _ in 0..<Limits.personDevicesMax {
            #expect(try listed.hasRoom(forDeviceOf: family.first))
            let entry = try family.adding(DeviceKey(using: &generator), by: family.first)
            listed = try #require(try listed.addingDevice(entry))
        }
        #expect(listed.devices.count == Limits.personDevicesMax + 1)
        #expect(try !listed.hasRoom(forDeviceOf: family.first))
        // None of them makes room, wherever the new entry is in the order.
        for _ in 0..<20 {
            let entry = try family.adding(DeviceKey(using: &generator), by: family.first)
            #expect(try listed.addingDevice(entry) == nil)
        }
    }
}
