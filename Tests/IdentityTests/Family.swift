@testable import Identity
import Records
import TestSupport

/// A person whose keys are drawn from a seed: the first device, three more and the recovery key.
struct Family {
    let first, second, third, stranger: DeviceKey
    let recovery: RecoveryKey
    let founding: FoundingRecord

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        first = DeviceKey(using: &generator)
        second = DeviceKey(using: &generator)
        third = DeviceKey(using: &generator)
        stranger = DeviceKey(using: &generator)
        recovery = RecoveryWords(using: &generator).key
        founding = FoundingRecord(firstDevice: first.id, recoveryKey: recovery.publicKey)
    }

    /// Returns the family's record with these entries.
    func record(_ entries: [DeviceEntry] = []) throws -> PersonRecord {
        try PersonRecord(founding: founding, firstDevice: first, entries: entries)
    }

    func consent(of device: DeviceKey, name: String? = nil) throws -> DeviceConsent {
        try DeviceConsent(of: device, to: founding.person, name: name)
    }

    func adding(_ device: DeviceKey, by key: DeviceKey) throws -> DeviceEntry {
        try .adding(consent(of: device), by: key)
    }

    func removing(_ device: DeviceID, by key: DeviceKey) throws -> DeviceEntry {
        try .removing(device, from: founding.person, by: key)
    }

    func addingByRecovery(_ device: DeviceKey) throws -> DeviceEntry {
        try .adding(consent(of: device), by: recovery)
    }

    func removingByRecovery(_ device: DeviceID) throws -> DeviceEntry {
        try .removing(device, from: founding.person, by: recovery)
    }

    /// Draws entries of every kind and signer, which may contradict one another.
    func entries(
        count: Int, _ generator: inout SeededGenerator
    ) throws -> [DeviceEntry] {
        let keys = [first, second, third, stranger]
        return try (0..<count).map { _ in
            let device = keys[generator.number(0...3)]
            let signer = keys[generator.number(0...3)]
            return switch generator.number(0...9) {
            case 0: try addingByRecovery(device)
            case 1: try removingByRecovery(device.id)
            case 2, 3: try removing(device.id, by: signer)
            default: try adding(device, by: signer)
            }
        }
    }
}

extension Family {
    /// Returns an encoded record with these entries, even those that a record would drop.
    func claim(_ entries: [DeviceEntry]) throws -> [UInt8] {
        let ordered = PersonRecord.inOrder(entries, founding: founding)
        return Array(try record().encoded.dropLast()) + [UInt8(ordered.count)]
            + ordered.flatMap(\.encoded)
    }
}

extension PersonRecord {
    /// Returns those of some entries that this record holds, with all that they rest on: the
    /// additions of their signers, and so on.
    func closed(over some: some Sequence<DeviceEntry>) -> [DeviceEntry] {
        var closed = Set(some).intersection(entries)
        while true {
            let signers = Set(closed.map(\.signer))
            let more = entries.filter { $0.kind == .add && signers.contains(.device($0.device)) }
            guard !Set(more).isSubset(of: closed) else { return Array(closed) }
            closed.formUnion(more)
        }
    }
}
