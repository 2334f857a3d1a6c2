public import Records

/// A person and their devices: the founding record and a set of signed entries, all checked.
///
/// A record proves that every device it lists agreed to belong to this person: the first device
/// signed the founding record, each other device signed the consent in the entry that adds it.
///
/// Replicas that hold the same entries list the same devices, in any order of arrival. ``devices``
/// describes how contradicting entries are resolved.
public struct PersonRecord: Hashable, Sendable {
    /// The first device and the recovery key.
    public let founding: FoundingRecord
    /// The first device's signature over the purpose's prefix and the founding record. The person's
    /// id does not depend on it.
    public let foundingSignature: Signature
    /// The entries in the canonical order, without duplicates, at most ``Limits/personDevicesMax``.
    /// Each is signed by the recovery key, the first device, or a device that another entry adds.
    public let entries: [DeviceEntry]
    /// The person's present devices, which follow from the entries alone.
    ///
    /// Signers have levels. The recovery key is the most senior level; the founding record counts
    /// as its entry for the first device. The next level is the devices that the recovery key
    /// lists, then the devices that those list, and so on. The most senior level with an entry
    /// about a device decides about it, and within a level a removal overrules an addition. Entries
    /// signed by devices that are not listed have no effect.
    ///
    /// For example, the first device adds a phone and a laptop, and the phone removes the laptop.
    /// The laptop stays listed, because the first device is more senior than the phone. A removal
    /// by the recovery key would overrule both.
    public let devices: Set<DeviceID>

    /// Founds a person on their first device, or recreates the same record there.
    /// - Throws: the first ``IdentityFault`` found: ``IdentityFault/cannotSign``, then those of
    ///   ``init(founding:signature:entries:)``.
    public init(
        founding: FoundingRecord, firstDevice key: DeviceKey, entries: [DeviceEntry] = []
    ) throws(IdentityFault) {
        let signature = try key.sign(PersonRecord.signed(founding))
        try self.init(founding: founding, signature: signature, entries: entries)
    }

    /// Creates a record from a founding record and entries, and checks them.
    /// - Throws: the first ``IdentityFault`` found, in the order founding signature and then, for
    ///   each entry, person, consent, signature.
    public init(
        founding: FoundingRecord, signature: Signature, entries: [DeviceEntry]
    ) throws(IdentityFault) {
        try PersonRecord.check(signature, of: founding)
        for entry in entries { try PersonRecord.check(entry, under: founding) }
        self.init(founding, signature, checked: entries)
    }

    init(_ founding: FoundingRecord, _ signature: Signature, checked: [DeviceEntry]) {
        self.founding = founding
        foundingSignature = signature
        entries = PersonRecord.kept(checked, founding: founding)
        devices = Levels(entries, founding: founding).listed
    }

    static func check(
        _ signature: Signature, of founding: FoundingRecord
    ) throws(IdentityFault) {
        guard signature.verifies(signed(founding), by: founding.firstDevice.raw) else {
            throw .notFoundedBy(founding.firstDevice)
        }
    }

    static func check(
        _ entry: DeviceEntry, under founding: FoundingRecord
    ) throws(IdentityFault) {
        guard entry.person == founding.person else {
            throw .wrongPerson(expected: founding.person, found: entry.person)
        }
        guard entry.isConsented else { throw .noConsent(of: entry.device) }
        guard entry.isSigned(under: founding) else { throw .signatureMismatch(entry.device) }
    }

    private static func signed(_ founding: FoundingRecord) -> [UInt8] {
        Digest.founding.prefix + founding.encoded
    }

    /// The person: the hash of the founding record.
    public var person: PersonID { founding.person }

    /// Returns a record with the entries of both. If there are more than
    /// ``Limits/personDevicesMax`` entries, the least senior ones are dropped, beginning with those
    /// of devices that are not listed any more. So these displace no entry of a listed device. If
    /// one founding record has two signatures, the one with the lower bytes is kept.
    /// - Throws: ``IdentityFault/wrongPerson(expected:found:)``.
    public func merging(_ other: PersonRecord) throws(IdentityFault) -> PersonRecord {
        guard other.founding == founding else {
            throw .wrongPerson(expected: person, found: other.person)
        }
        let mine = foundingSignature.bytes
        let isTheirsLower = other.foundingSignature.bytes.lexicographicallyPrecedes(mine)
        return PersonRecord(
            founding, isTheirsLower ? other.foundingSignature : foundingSignature,
            checked: entries + other.entries)
    }

    /// Returns this record with one more entry.
    /// - Throws: the first ``IdentityFault`` found, in the order person, consent, signature.
    public func adding(_ entry: DeviceEntry) throws(IdentityFault) -> PersonRecord {
        try PersonRecord.check(entry, under: founding)
        return PersonRecord(founding, foundingSignature, checked: entries + [entry])
    }

    /// Returns this record with one more device that a listed one adds; nil if there is no room. If
    /// the record is full, entries of devices that are not listed any more make room, but none that
    /// lists or removes a device.
    /// - Throws: the first ``IdentityFault`` found, in the order person, consent, signature.
    public func addingDevice(_ entry: DeviceEntry) throws(IdentityFault) -> PersonRecord? {
        let record = try adding(entry)
        return record.devices == devices.union([entry.device]) ? record : nil
    }

    /// Whether a device with this key may add another one, and there is room for it: it is tried
    /// with a key that is made for that.
    /// - Throws: ``IdentityFault/cannotSign``.
    public func hasRoom(forDeviceOf signer: DeviceKey) throws(IdentityFault) -> Bool {
        let consent = try DeviceConsent(of: DeviceKey(), to: person)
        return try addingDevice(try DeviceEntry.adding(consent, by: signer)) != nil
    }

    /// Returns a record with only the entries that list a device: its addition by a listed device
    /// or the recovery key, the addition of that device, and so on. Returns the whole record if it
    /// does not list the device.
    ///
    /// The entries are as they were signed, so a name that a device was given stays in its entry.
    public func showing(only device: DeviceID) -> PersonRecord {
        guard let chain = PersonRecord.chain(to: device, entries, founding: founding) else {
            return self
        }
        return PersonRecord(founding, foundingSignature, checked: chain)
    }

    /// Returns the name that a device was given, or nil.
    public func name(of device: DeviceID) -> String? {
        entries.first { $0.device == device && $0.kind == .add && $0.name != nil }?.name
    }
}

extension PersonRecord {
    /// The founding record, its signature, a count and the entries in order.
    public var encoded: [UInt8] {
        var bytes = founding.encoded + foundingSignature.bytes
        bytes.append(varint: UInt64(entries.count))
        for entry in entries { bytes += entry.encoded }
        return bytes
    }

    /// Decodes exactly one record and checks all its entries. Entries without effect, whose signer
    /// no entry adds, are left out of the result.
    /// - Throws: the first ``IdentityFault`` found, in the order encoding, founding signature, then
    ///   for each entry person, consent, signature, then the order of the entries.
    public init(decoding bytes: [UInt8]) throws(IdentityFault) {
        let (founding, signature, entries) = try PersonRecord.parts(bytes)
        try self.init(founding: founding, signature: signature, entries: entries)
        let ordered = PersonRecord.inOrder(Array(Set(entries)), founding: founding)
        guard ordered == entries else { throw .malformed(.notCanonical("the entries' order")) }
    }

    /// Decodes a record that was checked before it was stored here. Its signatures are not checked
    /// again, because that would take long for very many people.
    /// - Throws: ``IdentityFault/malformed(_:)``.
    public init(stored bytes: [UInt8]) throws(IdentityFault) {
        let (founding, signature, entries) = try PersonRecord.parts(bytes)
        self.init(founding, signature, checked: entries)
    }

    static func parts(
        _ bytes: [UInt8]
    ) throws(IdentityFault) -> (FoundingRecord, Signature, [DeviceEntry]) {
        do throws(RecordFault) {
            var reader = ByteReader(bytes)
            let founding = try FoundingRecord(from: &reader)
            let signature = try reader.signature()
            let count = try reader.count("a person's entries", limit: Limits.personDevicesMax)
            var entries: [DeviceEntry] = []
            for _ in 0..<count { entries.append(try DeviceEntry(from: &reader)) }
            try reader.finish()
            return (founding, signature, entries)
        } catch {
            throw .malformed(error)
        }
    }
}
