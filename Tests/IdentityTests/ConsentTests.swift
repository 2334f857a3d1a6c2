import Identity
import Records
import Testing

/// Tests that one person's device cannot be listed as another person's.
@Suite struct ConsentTests {
    private let alice = Family(seed: 71)
    private let thief = Family(seed: 72)

    private var theft: FoundingRecord {
        FoundingRecord(firstDevice: alice.first.id, recoveryKey: thief.recovery.publicKey)
    }

    /// A second signature of the key whose seed is 32 bytes 1, over its founding record with 32
    /// zeros. It verifies, but was made with another nonce than RFC 8032 requires, as a malicious
    /// device can.
    private let secondSignature = Hexadecimal.bytes(
        "9330f7dc8b557a6c9e16891965affea050193dde27924872b5cd9e25ea54e480"
            + "a55ad28c1172ea56122b8e9a8c5d6130972592bd7411ac16a0cb23246fbda201")

    private func record(_ entry: DeviceEntry) throws -> PersonRecord {
        try thief.record().adding(entry)
    }

    /// Returns an entry by the thief that adds a device with this signature as its consent.
    private func adding(
        _ device: DeviceID, name: String? = nil, signature: Signature
    ) throws -> DeviceEntry {
        let consent = try DeviceConsent(
            of: device, to: thief.founding.person, name: name, signature: signature)
        return try .adding(consent, by: thief.first)
    }

    @Test func `a record with another person's first device is refused`() throws {
        let refusal = IdentityFault.notFoundedBy(alice.first.id)
        #expect(throws: refusal) {
            try PersonRecord(founding: theft, firstDevice: thief.first)
        }
        for stolen in [try alice.record(), try thief.record()] {
            #expect(throws: refusal) {
                try PersonRecord(
                    founding: theft, signature: stolen.foundingSignature, entries: [])
            }
            #expect(throws: refusal) {
                try PersonRecord(decoding: theft.encoded + stolen.foundingSignature.bytes + [0])
            }
        }
    }

    @Test func `a record whose first device signed for another purpose is refused`() throws {
        for prefix in [Digest.deviceEntry.prefix, Digest.deviceConsent.prefix, []] {
            let signature = try alice.first.sign(prefix + alice.founding.encoded)
            #expect(throws: IdentityFault.notFoundedBy(alice.first.id)) {
                try PersonRecord(founding: alice.founding, signature: signature, entries: [])
            }
        }
    }

    @Test func `every replica keeps the same one of two founding signatures`() throws {
        let key = try DeviceKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: Bytes32.zero)
        let usual = try PersonRecord(founding: founding, firstDevice: key)
        let signature = try #require(secondSignature.flatMap { Signature($0) })
        let other = try PersonRecord(founding: founding, signature: signature, entries: [])
        #expect(usual != other)
        #expect(usual.person == other.person)
        #expect(try usual.merging(other) == other.merging(usual))
    }

    @Test func `an addition with the consent of another device is refused`() throws {
        let signature = try thief.consent(of: thief.second).signature
        #expect(throws: IdentityFault.noConsent(of: alice.first.id)) {
            try record(adding(alice.first.id, signature: signature))
        }
    }

    @Test func `an addition with the consent to another person is refused`() throws {
        let signature = try alice.consent(of: alice.second).signature
        #expect(throws: IdentityFault.noConsent(of: alice.second.id)) {
            try record(adding(alice.second.id, signature: signature))
        }
    }

    @Test func `an addition with the consent to another name is refused`() throws {
        let consent = try thief.consent(of: thief.second, name: "phone")
        #expect(try record(.adding(consent, by: thief.first)).devices.contains(consent.device))
        for name in ["laptop", nil] {
            #expect(throws: IdentityFault.noConsent(of: consent.device)) {
                try record(adding(consent.device, name: name, signature: consent.signature))
            }
        }
    }

    @Test func `an addition without a consent is refused`() throws {
        let entry = try thief.adding(thief.second, by: thief.first)
        let without = entry.encoded.dropLast(2 * Signature.bytesCount) + entry.signature.bytes
        #expect(throws: RecordFault.truncated) { try DeviceEntry(decoding: Array(without)) }
        #expect(throws: IdentityFault.malformed(.truncated)) {
            try PersonRecord(decoding: thief.record().encoded.dropLast() + [1] + without)
        }
    }

    @Test func `the recovery key adds no device that did not consent`() throws {
        let signature = try alice.consent(of: alice.first).signature
        let consent = try DeviceConsent(
            of: alice.first.id, to: thief.founding.person, signature: signature)
        #expect(throws: IdentityFault.noConsent(of: alice.first.id)) {
            try record(.adding(consent, by: thief.recovery))
        }
    }

    @Test func `one consent serves any signer who lists the device`() throws {
        let consent = try alice.consent(of: alice.third)
        let entries = [
            try alice.adding(alice.second, by: alice.first),
            try DeviceEntry.adding(consent, by: alice.second),
            try alice.removing(alice.second.id, by: alice.first),
        ]
        #expect(try alice.record(entries).devices == [alice.first.id])
        let again = try DeviceEntry.adding(consent, by: alice.first)
        #expect(
            try alice.record(entries + [again]).devices == [alice.first.id, alice.third.id])
    }
}
