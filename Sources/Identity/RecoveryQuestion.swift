public import Records

/// The question of a new device that has only a recovery key: who is the person of this key?
///
/// The signature names the device that asks and the device that is asked, as the link between them
/// proved both. So a question that was overheard, or sent on to a third device, proves nothing.
public struct RecoveryQuestion: Hashable, Sendable {
    /// The public half of the recovery key.
    public let key: Bytes32
    /// The recovery key's signature over the purpose's prefix and both devices.
    public let signature: Signature

    /// Signs a question.
    /// - Throws: ``IdentityFault/cannotSign``.
    public init(
        from asker: DeviceID, to asked: DeviceID, by key: RecoveryKey
    ) throws(IdentityFault) {
        let signed = RecoveryQuestion.signed(from: asker, to: asked)
        self.init(key: key.publicKey, signature: try key.sign(signed))
    }

    /// Creates a question from received fields. Nothing is checked.
    public init(key: Bytes32, signature: Signature) {
        (self.key, self.signature) = (key, signature)
    }

    /// Whether the recovery key signed the question for a link between these two devices. This
    /// checks one signature.
    public func isSigned(from asker: DeviceID, to asked: DeviceID) -> Bool {
        signature.verifies(RecoveryQuestion.signed(from: asker, to: asked), by: key)
    }

    private static func signed(from asker: DeviceID, to asked: DeviceID) -> [UInt8] {
        Digest.recoveryQuestion.prefix + asker.bytes + asked.bytes
    }
}

extension PersonRecord {
    /// Whether the recovery key itself vouches that it is this person's: it signed an entry, of
    /// which a new person has one about the first device.
    ///
    /// The founding record alone does not show it, since anyone can found a person and name another
    /// person's recovery key. A device that comes back believes only a record with this.
    public var isVouchedByRecoveryKey: Bool { entries.contains { $0.signer == .recovery } }

    /// The present devices, apart from the first one, that the recovery key added: the person came
    /// back on them.
    public var recoveredDevices: Set<DeviceID> {
        Set(
            entries.filter { $0.signer == .recovery && $0.kind == .add }.map(\.device)
        ).intersection(devices).subtracting([founding.firstDevice])
    }
}
