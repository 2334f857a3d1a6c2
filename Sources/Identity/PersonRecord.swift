public import Records

/// A person and their devices: the founding record and a set of signed entries, all checked.
///
/// Two replicas that hold the same entries list the same devices, in whatever order the entries
/// came. See ``devices`` for how entries that contradict one another are settled.
public struct PersonRecord: Hashable, Sendable {
    /// How the person began.
    public let founding: FoundingRecord
    /// In the one order of the encoding, each once, at most ``Limits/personDevicesMax``.
    public let entries: [DeviceEntry]
    /// The person's devices of today; it follows from the entries alone.
    ///
    /// Level by level from the most senior signer: the recovery key first, whose word the founding
    /// record counts as for the first device; then the devices it lists; then those they list, and
    /// so on. About one device the most senior level that says anything decides, and within a
    /// level a removal beats an addition. Entries of a device that is not listed say nothing.
    public let devices: Set<DeviceID>

    /// A person who has the first device only.
    public init(founding: FoundingRecord) {
        self.founding = founding
        entries = []
        devices = [founding.firstDevice]
    }

    /// Checks entries and joins them to their person.
    /// - Throws: the first ``IdentityFault`` found, in the order person, signature.
    public init(founding: FoundingRecord, entries: [DeviceEntry]) throws(IdentityFault) {
        let person = founding.person
        for entry in entries {
            guard entry.person == person else {
                throw .wrongPerson(expected: person, found: entry.person)
            }
            guard entry.isSigned(under: founding) else { throw .signatureMismatch(entry.device) }
        }
        self.init(founding: founding, checked: entries)
    }

    private init(founding: FoundingRecord, checked: [DeviceEntry]) {
        self.founding = founding
        entries = PersonRecord.kept(checked, founding: founding)
        devices = PersonRecord.evaluate(entries, founding: founding)
    }

    /// The person: the hash of the founding record.
    public var person: PersonID { founding.person }

    /// What both records know together. Over ``Limits/personDevicesMax`` entries the last in the
    /// encoding's order go, the same on every replica; that order is by rank, so nobody can crowd
    /// out what the recovery key or the first device said.
    /// - Throws: ``IdentityFault/wrongPerson(expected:found:)``.
    public func merging(_ other: PersonRecord) throws(IdentityFault) -> PersonRecord {
        guard other.founding == founding else {
            throw .wrongPerson(expected: person, found: other.person)
        }
        return PersonRecord(founding: founding, checked: entries + other.entries)
    }

    /// This record with one more entry.
    /// - Throws: the first ``IdentityFault`` found, in the order person, signature.
    public func adding(_ entry: DeviceEntry) throws(IdentityFault) -> PersonRecord {
        try merging(PersonRecord(founding: founding, entries: [entry]))
    }

    /// What an owner called a device, or nil.
    public func name(of device: DeviceID) -> String? {
        entries.first { $0.device == device && $0.kind == .add && $0.name != nil }?.name
    }
}

extension PersonRecord {
    /// The founding record, a count and the entries in order.
    public var encoded: [UInt8] {
        var bytes = founding.encoded
        bytes.append(varint: UInt64(entries.count))
        for entry in entries { bytes += entry.encoded }
        return bytes
    }

    /// Decodes exactly one record and checks every entry of it.
    /// - Throws: the first ``IdentityFault`` found, in the order spelling, person, signature,
    ///   order of the entries.
    public init(decoding bytes: [UInt8]) throws(IdentityFault) {
        let (founding, entries) = try PersonRecord.parts(bytes)
        try self.init(founding: founding, entries: entries)
        guard self.entries == entries else { throw .malformed(.notCanonical("the entries' order")) }
    }

    private static func parts(
        _ bytes: [UInt8]
    ) throws(IdentityFault) -> (FoundingRecord, [DeviceEntry]) {
        do throws(RecordFault) {
            var reader = ByteReader(bytes)
            let founding = try FoundingRecord(from: &reader)
            let count = try reader.count("a person's entries", limit: Limits.personDevicesMax)
            var entries: [DeviceEntry] = []
            for _ in 0..<count { entries.append(try DeviceEntry(from: &reader)) }
            try reader.finish()
            return (founding, entries)
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
