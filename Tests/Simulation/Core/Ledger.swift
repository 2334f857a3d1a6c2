internal import Records
internal import Replica

/// What honest devices authored, kept outside of every replica.
struct Ledger {
    /// One batch that was acknowledged to its writer.
    struct Entry: Hashable {
        let log: LogName
        let number: UInt64
        let hash: BatchHash
        /// Whether the database it was written to was replaced by an older one, so that it may be
        /// gone unless somebody else had it.
        var isEndangered = false
        /// Whom its writer had removed from the group before.
        let removed: Set<PersonID>
    }

    private(set) var spaces: [SpaceID: [DeviceID: [Entry]]] = [:]
    private var hashes: Set<BatchHash> = []

    /// Writes a batch down.
    /// - Parameters:
    ///   - removed: whom the same log removed from the space before.
    ///   - mayFork: whether the device got an older database back.
    /// - Throws: a ``Violation`` where its number was used, or numbers were left out.
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

    /// What a device wrote and an older database lacks may be gone.
    mutating func endanger(_ device: DeviceID, present: Set<BatchHash>) {
        for space in spaces.keys {
            for index in (spaces[space]?[device] ?? []).indices {
                guard let entry = spaces[space]?[device]?[index], !present.contains(entry.hash)
                else { continue }
                spaces[space]?[device]?[index].isEndangered = true
            }
        }
    }

    /// Whether some honest device wrote a batch.
    func contains(_ hash: BatchHash) -> Bool { hashes.contains(hash) }

    /// What a device wrote in a space, in order.
    func entries(_ space: SpaceID, _ device: DeviceID) -> [Entry] {
        spaces[space]?[device] ?? []
    }
}
