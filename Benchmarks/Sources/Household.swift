import ControlAPI
import Foundation
import Identity
import Records

/// A person and their devices, the same in every process: the eight that write the workload, and the
/// two whose nodes are measured.
struct Household: Sendable {
    let record: PersonRecord
    let writers: [DeviceKey]
    /// The device that creates the records, and whose node has all data.
    let first: DeviceKey
    /// The device whose node is empty at first.
    let second: DeviceKey

    /// Creates the keys.
    init() throws {
        first = Node.first.key
        second = Node.second.key
        writers = (0..<Workload.actorsCount).map { Household.key(seed: 100 + UInt64($0)) }
        var generator = SplitMix(seed: 0)
        let recovery = RecoveryWords(using: &generator).key
        let founding = FoundingRecord(firstDevice: first.id, recoveryKey: recovery.publicKey)
        let entries = try ([second] + writers).map { [first] key in
            try DeviceEntry.adding(DeviceConsent(of: key, to: founding.person), by: first)
        }
        record = try PersonRecord(founding: founding, firstDevice: first, entries: entries)
    }

    /// One of the two measured nodes, by the seed of its device's key.
    enum Node: UInt64 {
        case first = 1
        case second = 2

        var key: DeviceKey { Household.key(seed: rawValue) }
    }

    private static func key(seed: UInt64) -> DeviceKey {
        var generator = SplitMix(seed: seed)
        return DeviceKey(using: &generator)
    }

    /// The space of the workload.
    var space: SpaceDescriptor { .own(record.person) }

    /// Creates the home of one of the two nodes.
    func makeHome(_ home: Home, of node: Node) throws {
        try home.prepare()
        var generator = SplitMix(seed: node.rawValue)
        _ = try DeviceKeyFile(path: home.deviceKeyFile).create(using: &generator)
        try Data(record.encoded).write(to: URL(fileURLWithPath: home.personRecordFile))
    }
}
