internal import Records
internal import Replica

/// The stored batches known to be damaged on this device, as a value, and the time of each space's
/// last check.
struct DamageLedger: Sendable {
    /// The shortest interval between checks of a space that peers cause. A check reads and verifies
    /// the whole space.
    static let pauseMin: Duration = .seconds(600)

    private(set) var damaged: [SpaceID: [DamagedRange]] = [:]
    /// The number of batches repaired since the start.
    private(set) var mendedCount = 0
    private var looks: [SpaceID: Duration] = [:]
    private var begunChecksCount = 0
    /// The latest begun check of each space that has ended.
    private var endedChecks: [SpaceID: Int] = [:]

    /// Checks whether a space may be checked because a peer reports a difference, and records the
    /// check.
    /// - Parameter now: time since the node's start.
    mutating func permitCheck(of space: SpaceID, now: Duration) -> Bool {
        if let last = looks[space], now - last < DamageLedger.pauseMin { return false }
        looks[space] = now
        return true
    }

    /// Begins a check of a space.
    /// - Returns: its number, for ``finishCheck(_:found:in:)``.
    mutating func beginCheck() -> Int {
        begunChecksCount += 1
        return begunChecksCount
    }

    /// Records the damage that a check found. The findings of a check that began before another
    /// one that has already ended are older, and are ignored.
    mutating func finishCheck(_ number: Int, found: [DamagedRange], in space: SpaceID) {
        guard number > endedChecks[space] ?? 0 else { return }
        endedChecks[space] = number
        set(found, in: space)
    }

    private mutating func set(_ found: [DamagedRange], in space: SpaceID) {
        damaged[space] = found.isEmpty ? nil : found
    }

    /// Whether a run contains a batch that is damaged on this device.
    func isWanted(_ run: Run, in space: SpaceID) -> Bool {
        (damaged[space] ?? []).contains { range in
            range.log.device == run.log.device
                && range.numbers.overlaps(run.firstNumber...run.lastNumber)
        }
    }

    /// Records that a run replaced damaged batches.
    /// - Parameter count: the number of batches it replaced.
    /// - Returns: whether no other damage is known in the space.
    mutating func recordMended(_ count: Int, with run: Run, in space: SpaceID) -> Bool {
        mendedCount += count
        let left = (damaged[space] ?? []).flatMap { range in
            range.log.device == run.log.device
                ? range.without(run.firstNumber...run.lastNumber) : [range]
        }
        set(left, in: space)
        return left.isEmpty
    }
}

extension DamagedRange {
    /// The number of batches in the range.
    var count: Int { Int(clamping: numbers.upperBound - numbers.lowerBound) + 1 }

    /// Returns the parts of the range outside the given numbers.
    fileprivate func without(_ mended: ClosedRange<UInt64>) -> [DamagedRange] {
        var left: [DamagedRange] = []
        if numbers.lowerBound < mended.lowerBound {
            let end = min(numbers.upperBound, mended.lowerBound - 1)
            left.append(DamagedRange(log: log, numbers: numbers.lowerBound...end))
        }
        if numbers.upperBound > mended.upperBound {
            let start = max(numbers.lowerBound, mended.upperBound + 1)
            left.append(DamagedRange(log: log, numbers: start...numbers.upperBound))
        }
        return left
    }
}
