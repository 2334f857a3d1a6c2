internal import Records
internal import Replica

/// The stored batches that are known to be damaged here, as a value, and when each space was
/// looked through.
struct DamageLedger: Sendable {
    /// How often peers may have a space looked through; a look reads and checks all of it.
    static let pauseMin: Duration = .seconds(600)

    private(set) var damaged: [SpaceID: [DamagedRange]] = [:]
    /// How many batches were put right since the start.
    private(set) var mendedCount = 0
    private var looks: [SpaceID: Duration] = [:]

    /// Takes the right to look a space through because a peer says that it differs.
    /// - Parameter now: time since the node's start.
    mutating func takeLook(at space: SpaceID, now: Duration) -> Bool {
        if let last = looks[space], now - last < DamageLedger.pauseMin { return false }
        looks[space] = now
        return true
    }

    /// A look found these.
    mutating func set(_ found: [DamagedRange], in space: SpaceID) {
        damaged[space] = found.isEmpty ? nil : found
    }

    /// Whether a run holds something that is damaged here.
    func isWanted(_ run: Run, in space: SpaceID) -> Bool {
        (damaged[space] ?? []).contains { range in
            range.log.device == run.log.device
                && range.numbers.overlaps(run.firstNumber...run.lastNumber)
        }
    }

    /// A run was put in the place of what was damaged among its numbers.
    /// - Parameter count: how many batches it replaced.
    /// - Returns: whether nothing else is known to be damaged in the space.
    mutating func noteMended(_ count: Int, with run: Run, in space: SpaceID) -> Bool {
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
    /// How many batches it has.
    var count: Int { Int(clamping: numbers.upperBound - numbers.lowerBound) + 1 }

    /// What is left of it beside some numbers.
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
