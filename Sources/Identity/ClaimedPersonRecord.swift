public import Records

/// A person's record as it arrived: its bytes. Only the founding record in them is decoded.
///
/// Checking a record costs up to 113 signatures. So a claim is first compared with the known
/// record. One that says nothing new costs none.
/// ```swift
/// let news = try claim.news(to: known)
/// guard !news.isEmpty else { return }
/// wait(for: allowance.spend(news.checksCount))
/// let merged = try news.checked()
/// ```
public struct ClaimedPersonRecord: Hashable, Sendable {
    /// The bytes that arrived, at most ``Limits/personBytesMax``.
    public let encoded: [UInt8]
    /// The person whom the record is about.
    public let person: PersonID
    private let founding: FoundingRecord

    /// Reads the founding record of an encoded record; the rest is not decoded.
    /// - Throws: ``IdentityFault/malformed(_:)``.
    public init(_ encoded: [UInt8]) throws(IdentityFault) {
        guard encoded.count <= Limits.personBytesMax else {
            throw .malformed(.overLimit("a person record", limit: Limits.personBytesMax))
        }
        do throws(RecordFault) {
            var reader = ByteReader(encoded)
            founding = try FoundingRecord(from: &reader)
        } catch {
            throw .malformed(error)
        }
        self.encoded = encoded
        person = founding.person
    }

    /// Claims a checked record, to be sent.
    public init(_ record: PersonRecord) {
        (encoded, person, founding) = (record.encoded, record.person, record.founding)
    }

    /// Returns the number of signatures that ``listing(of:known:)`` would check; nil if the claim
    /// does not list the device. No signature is checked.
    ///
    /// A home that continued under new keys again and again has a long chain: each key signed the
    /// addition of the next. Its tenth key costs 19 checks, and no key more than 113.
    /// - Throws: ``IdentityFault/malformed(_:)``.
    public func listingChecksCount(
        of device: DeviceID, known: PersonRecord?
    ) throws(IdentityFault) -> Int? {
        let (_, _, entries) = try PersonRecord.parts(encoded)
        guard let chain = PersonRecord.chain(to: device, entries, founding: founding) else {
            return nil
        }
        let unknown = Set(chain).subtracting(known?.entries ?? [])
        return unknown.reduce(known == nil ? 1 : 0) { $0 + ($1.kind == .add ? 2 : 1) }
    }

    /// Checks only the entries that list a device, and returns a record that contains these alone.
    /// Entries of the known record are not checked again.
    ///
    /// For example, a laptop sends a record with 56 entries, and the first device signed the one
    /// that adds it. Three signatures are checked: the founding record's, the laptop's consent and
    /// that of its entry.
    /// - Returns: nil if the claim does not list the device.
    /// - Throws: the first ``IdentityFault`` found, in the order encoding, founding signature and
    ///   then, for each entry, person, consent, signature.
    public func listing(
        of device: DeviceID, known: PersonRecord?
    ) throws(IdentityFault) -> PersonRecord? {
        precondition(known?.person ?? person == person, "a claim is compared with its person's")
        let (_, signature, entries) = try PersonRecord.parts(encoded)
        guard let chain = PersonRecord.chain(to: device, entries, founding: founding) else {
            return nil
        }
        let unknown = Set(chain).subtracting(known?.entries ?? [])
        if known == nil { try PersonRecord.check(signature, of: founding) }
        for entry in chain where unknown.contains(entry) {
            try PersonRecord.check(entry, under: founding)
        }
        return PersonRecord(founding, known?.foundingSignature ?? signature, checked: chain)
    }

    /// Returns what the claim says beyond a known record of the same person. No signature is
    /// checked.
    /// - Throws: ``IdentityFault/malformed(_:)``.
    public func news(to known: PersonRecord?) throws(IdentityFault) -> PersonRecordNews {
        precondition(known?.person ?? person == person, "a claim is compared with its person's")
        let (_, signature, entries) = try PersonRecord.parts(encoded)
        guard PersonRecord.inOrder(Array(Set(entries)), founding: founding) == entries else {
            throw .malformed(.notCanonical("the entries' order"))
        }
        let all = PersonRecord.kept(entries + (known?.entries ?? []), founding: founding)
        let fresh = Set(all).subtracting(known?.entries ?? [])
        let isSignatureNews =
            known.map {
                signature.bytes.lexicographicallyPrecedes($0.foundingSignature.bytes)
            } ?? true
        return PersonRecordNews(
            known: known, founding: founding, signature: isSignatureNews ? signature : nil,
            entries: Array(fresh))
    }
}

/// The part of a claimed record that is not known yet and not checked.
public struct PersonRecordNews: Sendable {
    let known: PersonRecord?
    let founding: FoundingRecord
    /// The founding signature, if it would replace the known one.
    let signature: Signature?
    let entries: [DeviceEntry]

    /// Whether the claim says nothing new.
    public var isEmpty: Bool { signature == nil && entries.isEmpty }

    /// The number of signatures that ``checked()`` checks.
    public var checksCount: Int {
        entries.reduce(signature == nil ? 0 : 1) { $0 + ($1.kind == .add ? 2 : 1) }
    }

    /// Checks what is new, and returns it merged with the known record.
    /// - Throws: the first ``IdentityFault`` found, in the order founding signature and then, for
    ///   each entry, person, consent, signature.
    public func checked() throws(IdentityFault) -> PersonRecord {
        guard let signature = signature ?? known?.foundingSignature else {
            preconditionFailure("a claim about an unknown person has a founding signature")
        }
        if self.signature != nil { try PersonRecord.check(signature, of: founding) }
        for entry in entries { try PersonRecord.check(entry, under: founding) }
        return PersonRecord(founding, signature, checked: (known?.entries ?? []) + entries)
    }
}
