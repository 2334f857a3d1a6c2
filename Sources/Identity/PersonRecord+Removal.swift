public import Records

// The removal of a device from its person.
extension PersonRecord {
    /// The devices that once belonged to this person and are not listed any more.
    ///
    /// For example, the first device adds a phone, the phone adds a watch, and then the first
    /// device removes the phone: both are here, since only the phone had added the watch.
    public var removedDevices: Set<DeviceID> { Set(claims.keys).subtracting(devices) }

    /// Returns the record after one of the person's devices removed another one. Devices that only
    /// the removed one had added are added anew, with the consents that they gave.
    ///
    /// For example, a phone added a watch, and the first device removes the phone. The first
    /// device's entries say: the phone is removed, the watch is added.
    /// - Throws: the first ``IdentityFault`` found, in the order
    ///   ``IdentityFault/notListed(_:)``, ``IdentityFault/cannotSign``,
    ///   ``IdentityFault/outranked(_:)``, ``IdentityFault/recordFull(limit:)``.
    public func removing(
        _ device: DeviceID, by key: DeviceKey
    ) throws(IdentityFault) -> PersonRecord {
        guard devices.contains(device) else { throw .notListed(device) }
        return try removing(.removing(device, from: person, by: key)) {
            consent throws(IdentityFault) in try .adding(consent, by: key)
        }
    }

    /// Returns the record after the recovery key removed a device, as above. It outranks all
    /// devices.
    public func removing(
        _ device: DeviceID, by key: RecoveryKey
    ) throws(IdentityFault) -> PersonRecord {
        guard devices.contains(device) else { throw .notListed(device) }
        return try removing(.removing(device, from: person, by: key)) {
            consent throws(IdentityFault) in try .adding(consent, by: key)
        }
    }

    /// Whether a device's removal of another one would have an effect: the device is of an earlier
    /// level.
    public func permits(key device: DeviceID, toRemove other: DeviceID) -> Bool {
        let signers = Levels(entries, founding: founding).signers
        func level(_ device: DeviceID) -> Int? {
            signers.firstIndex { $0.contains(.device(device)) }
        }
        guard let own = level(device), let others = level(other) else { return false }
        return own < others
    }

    private func removing(
        _ removal: DeviceEntry,
        _ adding: (DeviceConsent) throws(IdentityFault) -> DeviceEntry
    ) throws(IdentityFault) -> PersonRecord {
        var record = PersonRecord(founding, foundingSignature, checked: entries + [removal])
        guard !record.devices.contains(removal.device) else {
            throw .outranked(removal.device)
        }
        let staying = devices.subtracting([removal.device])
        var added: [DeviceEntry] = []
        for device in staying.subtracting(record.devices).sorted() {
            guard let consent = consent(of: device) else { continue }
            added.append(try adding(consent))
        }
        record = PersonRecord(
            founding, foundingSignature, checked: entries + [removal] + added)
        guard record.devices == staying else {
            throw .recordFull(limit: Limits.personDevicesMax)
        }
        return record
    }

    /// Returns a consent that a device gave, the one without a name if there are several.
    private func consent(of device: DeviceID) -> DeviceConsent? {
        let added = entries.filter { $0.device == device && $0.kind == .add }
        guard let entry = added.first(where: { $0.name == nil }) ?? added.first,
            let signature = entry.consent
        else { return nil }
        return try? DeviceConsent(
            of: device, to: person, name: entry.name, signature: signature)
    }

    /// Returns a record with only the entries that show that a device was removed: those about the
    /// device, and those that list a device that signed one of them. Returns nil if the device is
    /// listed, or never was.
    public func showing(removalOf device: DeviceID) -> PersonRecord? {
        guard removedDevices.contains(device) else { return nil }
        let about = entries.filter { $0.device == device }
        let signers = about.compactMap { entry -> DeviceID? in
            if case .device(let signer) = entry.signer { signer } else { nil }
        }
        let chains = signers.flatMap {
            PersonRecord.chain(to: $0, entries, founding: founding) ?? []
        }
        return PersonRecord(founding, foundingSignature, checked: about + chains)
    }
}
