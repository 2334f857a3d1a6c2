public import Records

/// Why something that claims to be a person, a device or a key is refused.
public enum IdentityFault: Error, Equatable, Sendable {
    /// The bytes are no record at all.
    case malformed(RecordFault)
    /// A private key does not have 32 bytes.
    case wrongKeyLength(bytes: Int)
    /// An entry or a record of one person stands among another's.
    case wrongPerson(expected: PersonID, found: PersonID)
    /// The first device did not sign the founding record that names it.
    case notFoundedBy(DeviceID)
    /// An entry adds this device without its consent.
    case noConsent(of: DeviceID)
    /// An entry about this device was not signed by the key it names.
    case signatureMismatch(DeviceID)
    /// A device's name is empty or over its limit.
    case deviceNameLength(bytes: Int, limit: Int)
    /// The cryptographic library would not sign.
    case cannotSign
}

extension IdentityFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let fault): fault.description
        case .wrongKeyLength(let bytes): "the private key has \(bytes) bytes where 32 are needed"
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
        }
    }
}
