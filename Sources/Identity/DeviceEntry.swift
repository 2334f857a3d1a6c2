public import Records

/// A signed statement about a person's devices: it adds or removes one device.
///
/// A decoded entry is not checked; ``PersonRecord`` holds checked ones only.
public struct DeviceEntry: Hashable, Sendable {
    /// The person that the entry is about.
    public let person: PersonID
    /// The key that signed.
    public let signer: Signer
    /// Whether the device is added or removed.
    public let kind: Kind
    /// The device that is added or removed.
    public let device: DeviceID
    /// The owner's name for an added device, up to ``nameBytesMax`` bytes of UTF-8.
    public let name: String?
    /// The consent of an added device; nil in a removal.
    public let consent: Signature?
    /// The signer's signature over the purpose's prefix and all bytes before the signature.
    public let signature: Signature

    /// The format version, which is the entry's first byte.
    public static let version: UInt8 = 1
    /// The length of a device's name, in bytes of UTF-8.
    public static let nameBytesMax = 40

    /// The key that signed an entry.
    public enum Signer: Hashable, Sendable {
        /// The person's recovery key, which outranks all devices.
        case recovery
        /// A device of the person.
        case device(DeviceID)
    }

    /// The statement of an entry. Removals sort first, so that a full record keeps them.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// The device does not belong to the person any more.
        case remove = 1
        /// The device belongs to the person.
        case add = 2
    }

    /// Returns an entry that adds a consenting device, signed by one of the person's devices.
    /// - Throws: ``IdentityFault/cannotSign``.
    public static func adding(
        _ consent: DeviceConsent, by key: DeviceKey
    ) throws(IdentityFault) -> DeviceEntry {
        try DeviceEntry(adding: consent, .device(key.id), sign: key.sign)
    }

    /// Returns an entry that adds a consenting device, signed by the recovery key.
    /// - Throws: ``IdentityFault/cannotSign``.
    public static func adding(
        _ consent: DeviceConsent, by key: RecoveryKey
    ) throws(IdentityFault) -> DeviceEntry {
        try DeviceEntry(adding: consent, .recovery, sign: key.sign)
    }

    /// Returns an entry that removes a device, signed by one of the person's devices.
    /// - Throws: ``IdentityFault/cannotSign``.
    public static func removing(
        _ device: DeviceID, from person: PersonID, by key: DeviceKey
    ) throws(IdentityFault) -> DeviceEntry {
        try DeviceEntry(person, .device(key.id), removing: device, sign: key.sign)
    }

    /// Returns an entry that removes a device, signed by the recovery key.
    /// - Throws: ``IdentityFault/cannotSign``.
    public static func removing(
        _ device: DeviceID, from person: PersonID, by key: RecoveryKey
    ) throws(IdentityFault) -> DeviceEntry {
        try DeviceEntry(person, .recovery, removing: device, sign: key.sign)
    }

    private init(
        adding consent: DeviceConsent, _ signer: Signer, sign: Sign
    ) throws(IdentityFault) {
        (person, device, name) = (consent.person, consent.device, consent.name)
        (self.signer, kind, self.consent) = (signer, .add, consent.signature)
        let unsigned = DeviceEntry.unsigned(person, signer, .add, device, name, self.consent)
        signature = try sign(Digest.deviceEntry.prefix + unsigned)
    }

    private init(
        _ person: PersonID, _ signer: Signer, removing device: DeviceID, sign: Sign
    ) throws(IdentityFault) {
        (self.person, self.device, name) = (person, device, nil)
        (self.signer, kind, consent) = (signer, .remove, nil)
        let unsigned = DeviceEntry.unsigned(person, signer, .remove, device, nil, nil)
        signature = try sign(Digest.deviceEntry.prefix + unsigned)
    }

    private typealias Sign = ([UInt8]) throws(IdentityFault) -> Signature

    /// Whether the added device consented; a removal needs no consent.
    var isConsented: Bool {
        guard let consent else { return kind == .remove }
        return DeviceConsent.holds(consent, of: device, to: person, name: name)
    }

    /// Whether the signature was made with the key that the entry names.
    func isSigned(under founding: FoundingRecord) -> Bool {
        let key =
            switch signer {
            case .recovery: founding.recoveryKey
            case .device(let device): device.raw
            }
        return signature.verifies(Digest.deviceEntry.prefix + unsigned, by: key)
    }
}

extension DeviceEntry {
    /// Version, person, signer, kind, device, name, consent if there is one, and signature.
    public var encoded: [UInt8] { unsigned + signature.bytes }

    private var unsigned: [UInt8] {
        DeviceEntry.unsigned(person, signer, kind, device, name, consent)
    }

    private static func unsigned(
        _ person: PersonID, _ signer: Signer, _ kind: Kind, _ device: DeviceID, _ name: String?,
        _ consent: Signature?
    ) -> [UInt8] {
        var bytes = [version]
        person.raw.append(to: &bytes)
        switch signer {
        case .recovery: bytes.append(0)
        case .device(let device):
            bytes.append(1)
            device.raw.append(to: &bytes)
        }
        bytes.append(kind.rawValue)
        device.raw.append(to: &bytes)
        bytes.append(text: name ?? "")
        bytes += consent?.bytes ?? []
        return bytes
    }

    /// Decodes exactly one entry without checking it.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// Reads one entry without checking it.
    init(from reader: inout ByteReader) throws(RecordFault) {
        let version = try reader.byte()
        guard version == DeviceEntry.version else { throw .unknownVersion(version) }
        person = try reader.identifier(PersonID.self)
        signer = try Signer(from: &reader)
        let tag = try reader.byte()
        guard let kind = Kind(rawValue: tag) else { throw .unknownTag("entry", UInt64(tag)) }
        self.kind = kind
        device = try reader.identifier(DeviceID.self)
        let name = try reader.text("a device's name", limit: DeviceEntry.nameBytesMax)
        guard name.isEmpty || kind == .add else { throw .notCanonical("a removal with a name") }
        self.name = name.isEmpty ? nil : name
        consent = kind == .add ? try reader.signature() : nil
        signature = try reader.signature()
    }
}

extension ByteReader {
    /// Reads a signature.
    mutating func signature() throws(RecordFault) -> Signature {
        guard let signature = Signature(try bytes(Signature.bytesCount)) else { throw .truncated }
        return signature
    }
}

extension DeviceEntry.Signer {
    fileprivate init(from reader: inout ByteReader) throws(RecordFault) {
        switch try reader.byte() {
        case 0: self = .recovery
        case 1: self = .device(try reader.identifier(DeviceID.self))
        case let tag: throw .unknownTag("signer", UInt64(tag))
        }
    }
}
