public import Records

/// A device's own word that it belongs to a person. An entry that adds the device carries it, so
/// that nobody lists a device that did not agree.
///
/// It names no signer: whoever may list the device uses the same consent, also one who lists it
/// again after the device that had listed it is gone. A consent that came from elsewhere is not
/// checked; ``PersonRecord`` checks it as a part of its entry.
public struct DeviceConsent: Hashable, Sendable {
    /// The device that agrees.
    public let device: DeviceID
    /// Whose device it is.
    public let person: PersonID
    /// What it is called, up to ``DeviceEntry/nameBytesMax`` bytes of UTF-8.
    public let name: String?
    /// Of the device, over the purpose's prefix, person, device and name.
    public let signature: Signature

    /// Agrees, on the device itself.
    /// - Throws: ``IdentityFault/deviceNameLength(bytes:limit:)``, ``IdentityFault/cannotSign``.
    public init(
        of key: DeviceKey, to person: PersonID, name: String? = nil
    ) throws(IdentityFault) {
        let signed = DeviceConsent.signed(key.id, person, name)
        try self.init(of: key.id, to: person, name: name, signature: key.sign(signed))
    }

    /// Joins what a device sent, unchecked but for the name.
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
