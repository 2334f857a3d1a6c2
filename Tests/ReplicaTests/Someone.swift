import Identity
import Records
import TestSupport

/// A person with devices drawn from a seed, each listed by the first.
struct Someone {
    let record: PersonRecord
    let devices: [DeviceKey]
    /// The key that outranks all devices.
    let recovery: RecoveryKey

    init(seed: UInt64, deviceCount: Int = 1) throws {
        var generator = SeededGenerator(seed: seed)
        let keys = (0..<deviceCount).map { _ in DeviceKey(using: &generator) }
        try self.init(keys, &generator)
    }

    /// Makes another person on devices that a person has already.
    init(seed: UInt64, on keys: [DeviceKey]) throws {
        var generator = SeededGenerator(seed: seed)
        try self.init(keys, &generator)
    }

    private init(_ keys: [DeviceKey], _ generator: inout SeededGenerator) throws {
        recovery = RecoveryWords(using: &generator).key
        let founding = FoundingRecord(firstDevice: keys[0].id, recoveryKey: recovery.publicKey)
        let entries = try keys.dropFirst().map {
            try DeviceEntry.adding(DeviceConsent(of: $0, to: founding.person), by: keys[0])
        }
        record = try PersonRecord(founding: founding, firstDevice: keys[0], entries: entries)
        devices = keys
    }

    /// Returns the record after a removal of the first device, which only the recovery key can
    /// make.
    func removingFirstDevice() throws -> PersonRecord {
        try record.adding(.removing(device, from: person, by: recovery))
    }

    /// Returns the record with one more device, which the first one lists.
    func adding(_ device: DeviceKey) throws -> PersonRecord {
        try record.adding(.adding(DeviceConsent(of: device, to: person), by: key))
    }

    var person: PersonID { record.person }
    var key: DeviceKey { devices[0] }
    var device: DeviceID { devices[0].id }
}
