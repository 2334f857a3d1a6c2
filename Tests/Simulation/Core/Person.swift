package import Identity
package import Records
internal import TestSupport

/// A person with devices drawn from a seed, which the first device lists.
package struct Person: Sendable {
    /// The founding record and the entries.
    package let record: PersonRecord
    /// The keys of the devices.
    package let devices: [DeviceKey]
    /// The record after the first device removed the second; nil if it does not.
    package private(set) var afterRemoval: PersonRecord?

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

    /// Makes the first device remove the second.
    mutating func removeSecond() throws {
        afterRemoval = try record.removing(devices[1].id, by: devices[0])
    }

    /// The person's id.
    package var id: PersonID { record.person }
}
