internal import Records

/// The sides of one forked log that are kept. Their number is limited.
///
/// The choice depends only on the batches, not on the order of their arrival. After each shared
/// batch, one side is always kept: the side with the smallest name. If the first batch of some
/// sides names the same log and epoch as the shared batch, only these sides are candidates. A run
/// carries batches of one log and epoch, so a shared batch without a signature of its own is proven
/// by such a side. Other sides are kept while there is room: first those that count, then those
/// that begin at the lowest number, then those with the smallest names. The choice up to a number
/// does not depend on later batches, so replicas that exchange the batches they keep agree number
/// by number.
///
/// Example: a device signed batches 1 to 9, and at each number from 2 to 9 a second batch that
/// follows the same batch. Both batches numbered 2 are kept, and so are both numbered 3 and both
/// numbered 4. From number 5 on, only the batch with the smaller name is kept: the log then has
/// four ends, and there is no room for a fifth.
struct ForkTree {
    /// One side, or the beginning of the log.
    struct Side {
        /// The row that it continues; nil for the beginning.
        var origin: LogName?
        /// The number of its first batch.
        let low: UInt64
        /// Whether a batch of it counts.
        let counts: Bool
        /// Whether its first batch can be in one run with the batch before it.
        let isInRun: Bool
    }

    private let root: LogName
    private var sides: [LogName: Side]
    private var continuations: [LogName: [LogName]] = [:]

    /// Creates the tree of the rows that continue a row which continues no other.
    init(root: LogName, in space: SpaceState) {
        self.root = root
        sides = [:]
        for row in space.rows(of: root.device) {
            guard let entry = space.logs[row] else { continue }
            sides[row] = Side(
                origin: entry.origin, low: entry.low, counts: entry.counts,
                isInRun: entry.isInRun)
        }
        for (row, side) in sides {
            if let origin = side.origin { continuations[origin, default: []].append(row) }
        }
    }

    /// Adds a side that counts.
    mutating func add(_ side: LogName, after row: LogName, low: UInt64, isInRun: Bool) {
        sides[side] = Side(origin: row, low: low, counts: true, isInRun: isInRun)
        continuations[row, default: []].append(side)
    }

    /// Divides a row, so that its end is a side.
    mutating func divide(
        _ row: LogName, endingAs end: LogName, low: UInt64, counts: Bool, isInRun: Bool
    ) {
        continuations[end] = continuations[row]
        continuations[row] = [end]
        sides[end] = Side(origin: row, low: low, counts: counts, isInRun: isInRun)
    }

    /// Returns the rows that continue a row, the one that is always kept first.
    func continuations(of row: LogName) -> [LogName] {
        (continuations[row] ?? []).sorted(by: precedesAsContinuation)
    }

    /// Returns the sides that are not kept; the rows that continue them are not kept either.
    func surplus() -> Set<LogName> {
        var surplus: Set<LogName> = []
        var others = others(from: root)
        var keptCount = 1
        while let index = others.indices.min(by: { precedes(others[$0], others[$1]) }) {
            let next = others.remove(at: index)
            if keptCount < Limits.forkSidesMax {
                keptCount += 1
                others += self.others(from: next)
            } else {
                surplus.insert(next)
            }
        }
        return surplus
    }

    /// Returns the sides beside those that are always kept, from a row to its end.
    private func others(from row: LogName) -> [LogName] {
        var others: [LogName] = []
        var row: LogName? = row
        while let here = row {
            let next = continuations(of: here)
            others += next.dropFirst()
            row = next.first
        }
        return others
    }

    private func precedes(_ one: LogName, _ other: LogName) -> Bool {
        guard let left = sides[one], let right = sides[other] else { return false }
        if left.counts != right.counts { return left.counts }
        return left.low != right.low ? left.low < right.low : one < other
    }

    private func precedesAsContinuation(_ one: LogName, _ other: LogName) -> Bool {
        guard let left = sides[one], let right = sides[other] else { return false }
        if left.counts != right.counts { return left.counts }
        return left.isInRun != right.isInRun ? left.isInRun : one < other
    }
}
