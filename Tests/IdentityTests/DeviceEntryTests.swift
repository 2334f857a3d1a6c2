import Identity
import Records
import TestSupport
import Testing

@Suite struct DeviceEntryTests {
    private let family = Family(seed: 61)

    private func named(_ name: String?) throws -> DeviceEntry {
        try .adding(family.consent(of: family.second, name: name), by: family.first)
    }

    @Test func `entries of every kind are unchanged after encoding`() throws {
        for entry in [
            try named("Mari's phone"), try named(nil),
            try family.removing(family.second.id, by: family.first),
            try family.addingByRecovery(family.third),
            try family.removingByRecovery(family.first.id),
        ] {
            #expect(try DeviceEntry(decoding: entry.encoded) == entry)
        }
    }

    @Test func `every changed byte is refused or encodes another entry`() throws {
        for entry in [try named("phone"), try family.removingByRecovery(family.first.id)] {
            for position in entry.encoded.indices {
                for value in UInt8.min ... .max {
                    var bytes = entry.encoded
                    bytes[position] = value
                    let again = (try? DeviceEntry(decoding: bytes))?.encoded
                    if let again, again != bytes { Issue.record("\(bytes) has two encodings") }
                }
            }
        }
    }

    @Test func `a name of 40 bytes is accepted, one of 41 or 0 is refused`() throws {
        let limit = DeviceEntry.nameBytesMax
        let entry = try named(String(repeating: "a", count: limit))
        #expect(try DeviceEntry(decoding: entry.encoded) == entry)
        #expect(throws: IdentityFault.deviceNameLength(bytes: 41, limit: 40)) {
            try named(String(repeating: "a", count: limit + 1))
        }
        #expect(throws: IdentityFault.deviceNameLength(bytes: 0, limit: 40)) { try named("") }
    }

    @Test func `a received name of 41 bytes is refused`() throws {
        var bytes = try named(String(repeating: "a", count: 40)).encoded
        let lengthPlace = 1 + 32 + 33 + 1 + 32
        #expect(bytes[lengthPlace] == 40)
        bytes[lengthPlace] = 41
        #expect(throws: RecordFault.overLimit("a device's name", limit: 40)) {
            try DeviceEntry(decoding: bytes)
        }
    }

    @Test func `a removal with a name is refused`() throws {
        var bytes = try named("x").encoded
        bytes[1 + 32 + 33] = DeviceEntry.Kind.remove.rawValue
        #expect(throws: RecordFault.notCanonical("a removal with a name")) {
            try DeviceEntry(decoding: bytes)
        }
    }

    @Test func `a record has the name that a device was given`() throws {
        let record = try family.record([named("laptop")])
        #expect(record.name(of: family.second.id) == "laptop")
        #expect(record.name(of: family.first.id) == nil)
    }
}
