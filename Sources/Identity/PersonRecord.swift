public import Records

/// A person and their devices: the founding record and a set of signed entries, all checked.
///
/// A record proves that every device it lists agreed to be this person's: the first one signed
/// the founding record, and each other one the consent in the entry that adds it.
///
/// Two replicas that hold the same entries list the same devices, in whatever order the entries
/// came. See ``devices`` for how entries that contradict one another are settled.
public struct PersonRecord: Hashable, Sendable {
    /// How the person began.
    public let founding: FoundingRecord
    /// Of the first device, over the purpose's prefix and the founding record. It is no part of
    /// what the person's id is made from.
    public let foundingSignature: Signature
    /// In the one order of the encoding, each once, at most ``Limits/personDevicesMax``.
    public let entries: [DeviceEntry]
    /// The person's devices of today; it follows from the entries alone.
    ///
    /// Level by level from the most senior signer: the recovery key first, whose word the founding
    /// record counts as for the first device; then the devices it lists; then those they list, and
    /// so on. About one device the most senior level that says anything decides, and within a
    /// level a removal beats an addition. Entries of a device that is not listed say nothing.
    public let devices: Set<DeviceID>

    /// Founds a person on their first device, or repeats how they were founded there.
    /// - Throws: the first ``IdentityFault`` found: ``IdentityFault/cannotSign``, then those of
    ///   ``init(founding:signature:entries:)``.
    public init(
        founding: FoundingRecord, firstDevice key: DeviceKey, entries: [DeviceEntry] = []
    ) throws(IdentityFault) {
        let signature = try key.sign(PersonRecord.signed(founding))
        try self.init(founding: founding, signature: signature, entries: entries)
    }

    /// Checks a founding and entries and joins them.
    /// - Throws: the first ``IdentityFault`` found, in the order founding and then, entry by
    ///   entry, person, consent, signature.
    public init(
        founding: FoundingRecord, signature: Signature, entries: [DeviceEntry]
    ) throws(IdentityFault) {
        let key = founding.firstDevice.raw
        guard signature.verifies(PersonRecord.signed(founding), by: key) else {
            throw .notFoundedBy(founding.firstDevice)
        }
        for entry in entries { try PersonRecord.check(entry, under: founding) }
        self.init(founding, signature, checked: entries)
    }

    private init(_ founding: FoundingRecord, _ signature: Signature, checked: [DeviceEntry]) {
        self.founding = founding
        foundingSignature = signature
        entries = PersonRecord.kept(checked, founding: founding)
        devices = PersonRecord.evaluate(entries, founding: founding)
    }

    private static func check(
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

    /// What both records know together. Over ``Limits/personDevicesMax`` entries the last in the
    /// encoding's order go, the same on every replica; that order is by rank, so nobody can crowd
    /// out what the recovery key or the first device said. Of two signatures of one founding the
    /// one with the lower bytes stays.
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

    /// This record with one more entry.
    /// - Throws: the first ``IdentityFault`` found, in the order person, consent, signature.
    public func adding(_ entry: DeviceEntry) throws(IdentityFault) -> PersonRecord {
        try PersonRecord.check(entry, under: founding)
        return PersonRecord(founding, foundingSignature, checked: entries + [entry])
    }

    /// What an owner called a device, or nil.
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

    /// Decodes exactly one record and checks every entry of it.
    /// - Throws: the first ``IdentityFault`` found, in the order spelling, founding, then
    ///   entry by entry person, consent, signature, then the order of the entries.
    public init(decoding bytes: [UInt8]) throws(IdentityFault) {
        let (founding, signature, entries) = try PersonRecord.parts(bytes)
        try self.init(founding: founding, signature: signature, entries: entries)
        guard self.entries == entries else { throw .malformed(.notCanonical("the entries' order")) }
    }

    /// Decodes a record that was checked before it was stored here. Its signatures are not checked
    /// again, which for very many people would take long.
    /// - Throws: ``IdentityFault/malformed(_:)``.
    public init(stored bytes: [UInt8]) throws(IdentityFault) {
        let (founding, signature, entries) = try PersonRecord.parts(bytes)
        self.init(founding, signature, checked: entries)
    }

    private static func parts(
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

    /// The entries in order, each once, cut at the limit. The order is the entry's own (rank of
    /// its signer, then its bytes), so cutting commutes with merging.
    private static func kept(_ entries: [DeviceEntry], founding: FoundingRecord) -> [DeviceEntry] {
        let ordered = Set(entries).map { (rank: rank($0, founding), bytes: $0.encoded, entry: $0) }
            .sorted { left, right in
                left.rank != right.rank
                    ? left.rank < right.rank : left.bytes.lexicographicallyPrecedes(right.bytes)
            }
        return ordered.prefix(Limits.personDevicesMax).map(\.entry)
    }

    private static func rank(_ entry: DeviceEntry, _ founding: FoundingRecord) -> Int {
        switch entry.signer {
        case .recovery: 0
        case .device(founding.firstDevice): 1
        case .device: 2
        }
    }

    private static func evaluate(
        _ entries: [DeviceEntry], founding: FoundingRecord
    ) -> Set<DeviceID> {
        let bySigner = Dictionary(grouping: entries, by: \.signer)
        var listed: Set<DeviceID> = []
        var removed: Set<DeviceID> = []
        var added: Set<DeviceID> = [founding.firstDevice]
        var level: [DeviceEntry.Signer] = [.recovery]
        while !level.isEmpty {
            let said = level.flatMap { bySigner[$0] ?? [] }
            for entry in said where !listed.contains(entry.device) {
                if entry.kind == .add {
                    added.insert(entry.device)
                } else {
                    removed.insert(entry.device)
                }
            }
            added.subtract(removed)
            listed.formUnion(added)
            level = added.map { .device($0) }
            added = []
        }
        return listed
    }
}
