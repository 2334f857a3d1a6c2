internal import Records
internal import Replica

/// The batches that honest devices wrote, stored outside of all replicas.
struct Ledger {
    /// A batch that was acknowledged to its writer.
    struct Entry: Hashable {
        let log: LogName
        let number: UInt64
        let hash: BatchHash
        /// Whether the database was later replaced by an older one, so that the batch may be lost
        /// unless another device has it.
        var isEndangered = false
        /// The people that its writer had removed from the group before.
        let removed: Set<PersonID>
    }

    private(set) var spaces: [SpaceID: [DeviceID: [Entry]]] = [:]
    private var hashes: Set<BatchHash> = []

    /// Records a batch.
    /// - Parameters:
    ///   - removed: the people that the same log removed from the space before.
    ///   - mayFork: whether an older database was restored on the device.
    /// - Throws: a ``Violation`` if its number was used before or does not follow the last one.
    mutating func enter(
        _ head: LogHead, in space: SpaceID, removed: Set<PersonID>, mayFork: Bool
    ) throws(Violation) {
        let device = head.log.device
        let log = (spaces[space]?[device] ?? []).filter { $0.log == head.log }
        let isNext = head.number == (log.last?.number ?? 0) + 1
        guard isNext || mayFork else {
            throw Violation(
                .numbering,
                "\(device.suffix) signed number \(head.number) in \(space.suffix) after "
                    + "\(log.last?.number ?? 0)")
        }
        hashes.insert(head.hash)
        spaces[space, default: [:]][device, default: []].append(
            Entry(log: head.log, number: head.number, hash: head.hash, removed: removed))
    }

    /// Marks the batches of a device that its restored database lacks, because they may be lost.
    mutating func endanger(_ device: DeviceID, present: Set<BatchHash>) {
        for space in spaces.keys {
            for index in (spaces[space]?[device] ?? []).indices {
                guard let entry = spaces[space]?[device]?[index], !present.contains(entry.hash)
                else { continue }
                spaces[space]?[device]?[index].isEndangered = true
            }
        }
    }

    /// Whether an honest device wrote a batch.
    func contains(_ hash: BatchHash) -> Bool { hashes.contains(hash) }

    /// Returns the batches that a device wrote in a space, in order.
    func entries(_ space: SpaceID, _ device: DeviceID) -> [Entry] {
        spaces[space]?[device] ?? []
    }
}
