internal import Records
internal import Replica

/// What honest devices authored, kept outside of every replica.
struct Ledger {
    /// One batch that was acknowledged to its writer.
    struct Entry: Hashable {
        let hash: BatchHash
        let stamp: Stamp
    }

    private(set) var spaces: [SpaceID: [DeviceID: [UInt64: Entry]]] = [:]

    /// Writes a batch down.
    /// - Throws: a ``Violation`` where its number was used, or numbers were left out.
    mutating func enter(_ commit: Commit) throws(Violation) {
        let (space, device) = (commit.space, commit.log.device)
        let numbers = spaces[space]?[device] ?? [:]
        if let present = numbers[commit.number] {
            throw Violation(
                .numbering,
                "\(device.suffix) signed \(present.hash.suffix) and \(commit.hash.suffix) under "
                    + "number \(commit.number) of \(space.suffix)")
        }
        guard commit.number == UInt64(numbers.count) + 1 else {
            throw Violation(
                .numbering,
                "\(device.suffix) went from \(numbers.count) to \(commit.number) in \(space.suffix)"
            )
        }
        spaces[space, default: [:]][device, default: [:]][commit.number] = Entry(
            hash: commit.hash, stamp: commit.stamp)
    }

    /// Strikes what a device wrote after a number and nobody holds any more.
    mutating func strike(_ device: DeviceID, in space: SpaceID, after number: UInt64) -> Int {
        let lost = (spaces[space]?[device] ?? [:]).keys.filter { $0 > number }
        for number in lost { spaces[space]?[device]?[number] = nil }
        return lost.count
    }

    /// What a device wrote under a number.
    func entry(_ space: SpaceID, _ device: DeviceID, _ number: UInt64) -> Entry? {
        spaces[space]?[device]?[number]
    }

    /// How many batches of a space were acknowledged, by device.
    func counts(in space: SpaceID) -> [DeviceID: Int] {
        (spaces[space] ?? [:]).mapValues(\.count)
    }
}
