public import Records

/// A device's signed consent to belong to a person. An entry that adds the device contains it, so
/// that no device is listed without its agreement.
///
/// The consent names no signer: any key that may list the device can use it, and it can be used
/// again after the device that first listed it was removed. A received consent is not checked on
/// its own; ``PersonRecord`` checks it as part of its entry.
public struct DeviceConsent: Hashable, Sendable {
    /// The device that agrees.
    public let device: DeviceID
    /// The person that the device belongs to.
    public let person: PersonID
    /// The device's name, up to ``DeviceEntry/nameBytesMax`` bytes of UTF-8.
    public let name: String?
    /// The device's signature over the purpose's prefix, person, device and name.
    public let signature: Signature

    /// Signs a consent on the device itself.
    /// - Throws: ``IdentityFault/deviceNameLength(bytes:limit:)``, ``IdentityFault/cannotSign``.
    public init(
        of key: DeviceKey, to person: PersonID, name: String? = nil
    ) throws(IdentityFault) {
        let signed = DeviceConsent.signed(key.id, person, name)
        try self.init(of: key.id, to: person, name: name, signature: key.sign(signed))
    }

    /// Creates a consent from received fields. Only the length of the name is checked.
    /// - Throws: ``IdentityFault/deviceNameLength(bytes:limit:)``.
    public init(
        of device: DeviceID, to person: PersonID, name: String? = nil, signature: Signature
    ) throws(IdentityFault) {
        if let name, !(1...DeviceEntry.nameBytesMax).contains(name.utf8.count) {
            throw .deviceNameLength(bytes: name.utf8.count, limit: DeviceEntry.nameBytesMax)
        }
        (self.device, self.person) = (device, person)
        (self.name, self.signature) = (name, signature)
    }

    /// Whether the device's key made a signature over this device, person and name.
    static func holds(
        _ signature: Signature, of device: DeviceID, to person: PersonID, name: String?
    ) -> Bool {
        signature.verifies(signed(device, person, name), by: device.raw)
    }

    private static func signed(
        _ device: DeviceID, _ person: PersonID, _ name: String?
    ) -> [UInt8] {
        var bytes = Digest.deviceConsent.prefix
        person.raw.append(to: &bytes)
        device.raw.append(to: &bytes)
        bytes.append(text: name ?? "")
        return bytes
    }
}
