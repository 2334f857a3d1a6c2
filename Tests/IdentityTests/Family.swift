import Identity
import Records
import TestSupport

/// A person with keys drawn from a seed: the first device, three more and the recovery key.
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

    func adding(_ device: DeviceID, by key: DeviceKey) throws -> DeviceEntry {
        try .adding(device, to: founding.person, by: key)
    }

    func removing(_ device: DeviceID, by key: DeviceKey) throws -> DeviceEntry {
        try .removing(device, from: founding.person, by: key)
    }

    func addingByRecovery(_ device: DeviceID) throws -> DeviceEntry {
        try .adding(device, to: founding.person, by: recovery)
    }

    func removingByRecovery(_ device: DeviceID) throws -> DeviceEntry {
        try .removing(device, from: founding.person, by: recovery)
    }

    /// Entries of every kind and signer that contradict one another as a draw says.
    func entries(
        count: Int, _ generator: inout SeededGenerator
    ) throws -> [DeviceEntry] {
        let keys = [first, second, third, stranger]
        return try (0..<count).map { _ in
            let device = keys[generator.number(0...3)].id
            let signer = keys[generator.number(0...3)]
            return switch generator.number(0...9) {
            case 0: try addingByRecovery(device)
            case 1: try removingByRecovery(device)
            case 2, 3: try removing(device, by: signer)
            default: try adding(device, by: signer)
            }
        }
    }
}
