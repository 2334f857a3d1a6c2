internal import Records

/// The work of merging a whole space again, in units that take about the same time.
struct RebuildWork {
    /// The number of operations, or of erases that are applied again, that make one unit.
    static let operationsPerUnit = 16

    /// The number of batches that were read.
    var batchesCount = 0
    /// The number of their operations that were merged, and of the erases that were applied.
    var operationsCount = 0

    /// Each batch is one unit, and so are ``operationsPerUnit`` operations.
    var units: Int { batchesCount + operationsCount / RebuildWork.operationsPerUnit }
}

/// The work of rebuilds that is not paid for yet. Time pays for it.
struct RebuildDebt {
    /// The units that may be owed, unless one rebuild alone takes more.
    static let unitsMax = 20_000
    /// The units that are forgiven per second.
    static let unitsPerSecond = 1000

    private var units = 0
    /// The time of the last charge.
    private(set) var since = Timestamp.min

    /// Returns the units that are left at a time. A clock that was set back forgives nothing for
    /// the time in between.
    func units(at wallTime: Timestamp) -> Int {
        guard units > 0 else { return 0 }
        let elapsed = max(0, (wallTime - since).milliseconds)
        let limit = Int64(units) * 1000 / Int64(RebuildDebt.unitsPerSecond) + 1
        return max(0, units - Int(min(elapsed, limit)) * RebuildDebt.unitsPerSecond / 1000)
    }

    /// Whether a rebuild may begin: nothing is owed, or with it at most ``unitsMax``.
    func allows(_ more: Int, at wallTime: Timestamp) -> Bool {
        let owed = units(at: wallTime)
        return owed == 0 || owed + more <= RebuildDebt.unitsMax
    }

    /// Returns the first time at which a rebuild may begin, or `.min` if it may begin at any time.
    func firstTime(for more: Int) -> Timestamp {
        let unpaid = units - max(0, RebuildDebt.unitsMax - more)
        guard unpaid > 0 else { return .min }
        let perSecond = RebuildDebt.unitsPerSecond
        return since + .milliseconds((min(unpaid, units) * 1000 + perSecond - 1) / perSecond)
    }

    /// Adds work that was done, or corrects an estimate with a negative number.
    mutating func add(_ more: Int, wallTime: Timestamp) {
        units = max(0, units(at: wallTime) + more)
        since = wallTime
    }
}

/// The rebuilds of one step, which may concern several spaces: one of any size, or several that
/// together take at most ``RebuildDebt/unitsMax``.
///
/// The cost of a rebuild is known only afterwards. Each rebuild is therefore charged at its maximum
/// cost, and a step never does more than that.
struct StepWork {
    private var units = 0

    /// Counts a rebuild and returns true, or returns false if it must wait for another step.
    /// - Parameter unitsMax: the maximum cost of the rebuild.
    mutating func permit(unitsMax: Int) -> Bool {
        guard units == 0 || units + unitsMax <= RebuildDebt.unitsMax else { return false }
        units += max(1, unitsMax)
        return true
    }
}
