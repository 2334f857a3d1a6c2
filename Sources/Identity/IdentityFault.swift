public import Records

/// The reason a person record, device entry or key was refused.
public enum IdentityFault: Error, Equatable, Sendable {
    /// The bytes cannot be decoded.
    case malformed(RecordFault)
    /// A private key does not have 32 bytes.
    case wrongKeyLength(bytes: Int)
    /// An entry or record belongs to another person.
    case wrongPerson(expected: PersonID, found: PersonID)
    /// The founding record is not signed by the first device.
    case notFoundedBy(DeviceID)
    /// An entry adds this device without the device's consent.
    case noConsent(of: DeviceID)
    /// An entry about this device is not signed by the key it names.
    case signatureMismatch(DeviceID)
    /// A device's name is empty or longer than its limit.
    case deviceNameLength(bytes: Int, limit: Int)
    /// The cryptographic library failed to sign.
    case cannotSign
    /// The person does not list this device.
    case notListed(DeviceID)
    /// A more senior key listed this device, so the removal has no effect.
    case outranked(DeviceID)
    /// The person's record has no room for the entries.
    case recordFull(limit: Int)
}

extension IdentityFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .malformed(let fault): fault.description
        case .wrongKeyLength(let bytes): "the private key has \(bytes) bytes instead of 32"
        case .wrongPerson(let expected, let found):
            "the record is of person \(found.suffix), not of \(expected.suffix)"
        case .notFoundedBy(let device):
            "device \(device.suffix) did not sign the founding record that names it"
        case .noConsent(let device):
            "device \(device.suffix) is added without its consent"
        case .signatureMismatch(let device):
            "the entry about device \(device.suffix) is not signed by the key it names"
        case .deviceNameLength(let bytes, let limit):
            "a device's name has 1 to \(limit) bytes, this one has \(bytes)"
        case .cannotSign: "the signature could not be made"
        case .notListed(let device): "the person has no device \(device.suffix)"
        case .outranked(let device):
            "device \(device.suffix) was listed by a more senior key, which alone can remove it"
        case .recordFull(let limit): "the person's record is full: it has \(limit) entries"
        }
    }
}
