import Records
import Testing

@testable import Identity

/// The part of a claimed record that is checked before anything is known of its sender.
struct ClaimedPersonRecordTests {
    private let family = Family(seed: 91)

    /// Returns a record as it arrives, with entries that nobody checked.
    private func claim(_ entries: [DeviceEntry]) throws -> ClaimedPersonRecord {
        let ordered = PersonRecord.inOrder(entries, founding: family.founding)
        let signature = try family.record().foundingSignature
        return try ClaimedPersonRecord(
            family.founding.encoded + signature.bytes + [UInt8(ordered.count)]
                + ordered.flatMap(\.encoded))
    }

    /// Returns entries that list one device after another, each signed by the one before.
    private func chain(_ count: Int) throws -> (entries: [DeviceEntry], last: DeviceID) {
        var (entries, signer): ([DeviceEntry], DeviceKey) = ([], family.first)
        for _ in 0..<count {
            let next = DeviceKey()
            entries.append(try family.adding(next, by: signer))
            signer = next
        }
        return (entries, signer.id)
    }

    /// An entry of the first device that another key signed.
    private func forged() throws -> DeviceEntry {
        let true1 = try family.adding(family.third, by: family.first)
        let false1 = try family.adding(DeviceKey(), by: family.first)
        return try DeviceEntry(
            decoding: true1.encoded.dropLast(64) + false1.encoded.suffix(64))
    }

    @Test func `only the entries that list a device are checked and returned`() throws {
        let second = try family.adding(family.second, by: family.first)
        let claim = try claim([second, try forged()])
        let listing = try #require(try claim.listing(of: family.second.id, known: nil))
        #expect(listing.entries == [second])
        #expect(listing.devices == [family.first.id, family.second.id])
        #expect(try claim.listing(of: family.first.id, known: nil)?.entries == [])
        #expect(try claim.listing(of: family.stranger.id, known: nil) == nil)
        #expect(throws: IdentityFault.signatureMismatch(family.third.id)) {
            try claim.listing(of: family.third.id, known: nil)
        }
    }

    @Test func `a founding signature that does not verify is refused`() throws {
        let false1 = try Family(seed: 92).record().foundingSignature
        let claim = try ClaimedPersonRecord(
            family.founding.encoded + false1.bytes + [0])
        #expect(throws: IdentityFault.notFoundedBy(family.first.id)) {
            try claim.listing(of: family.first.id, known: nil)
        }
    }

    @Test func `a chain costs two checks for each unknown entry, and one for the founding record`()
        throws
    {
        let (nine, ninth) = try chain(9)
        #expect(try claim(nine).listingChecksCount(of: ninth, known: nil) == 19)
        #expect(try claim(nine).listing(of: ninth, known: nil)?.entries.count == 9)
        let known = try family.record(Array(nine.prefix(1)))
        #expect(try claim(nine).listingChecksCount(of: ninth, known: known) == 16)
        #expect(try claim(nine).listing(of: ninth, known: known)?.entries.count == 9)
        #expect(try claim(nine).listingChecksCount(of: family.stranger.id, known: nil) == nil)
    }
}
