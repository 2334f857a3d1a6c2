package import Identity
package import Records
internal import TestSupport

/// A person with devices drawn from a seed, which the first device lists.
package struct Person: Sendable {
    /// The founding record and the entries.
    package let record: PersonRecord
    /// The keys of the devices.
    package let devices: [DeviceKey]

    init(deviceCount: Int, using generator: inout SeededGenerator) throws {
        let keys = (0..<deviceCount).map { _ in DeviceKey(using: &generator) }
        let recovery = RecoveryWords(using: &generator).key
        let founding = FoundingRecord(firstDevice: keys[0].id, recoveryKey: recovery.publicKey)
        let entries = try keys.dropFirst().map {
            try DeviceEntry.adding(DeviceConsent(of: $0, to: founding.person), by: keys[0])
        }
        record = try PersonRecord(founding: founding, firstDevice: keys[0], entries: entries)
        devices = keys
    }

    /// The person's id.
    package var id: PersonID { record.person }
}
