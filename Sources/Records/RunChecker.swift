/// Checks the runs of one sender as they arrive, so that whoever stores them need not: hashing and
/// signatures cost as much as storing, and another core can do them meanwhile.
///
/// A log is mostly sent run after run, so only the end of the last run is remembered. Where that is
/// not what a run goes on from, the run stays unchecked, and whoever stores it finds out.
public struct RunChecker: Sendable {
    private var end: End?

    private struct End {
        let space: SpaceID
        let log: LogName
        let number: UInt64
        let hash: BatchHash
    }

    /// A checker that has seen nothing yet.
    public init() {}

    /// The same run, checked where its beginning is known and it holds.
    public mutating func check(_ run: Run, in space: SpaceID) -> Run {
        guard let previous = hash(before: run, in: space),
            let checked = try? run.checked(in: space, after: previous),
            let last = try? checked.check(in: space, after: previous).batches.last
        else {
            end = nil
            return run
        }
        end = End(space: space, log: run.log, number: run.lastNumber, hash: last.hash)
        return checked
    }

    private func hash(before run: Run, in space: SpaceID) -> BatchHash? {
        if run.firstNumber == 1 { return BatchHash.none }
        guard let end, end.space == space, end.log == run.log, end.number + 1 == run.firstNumber
        else { return nil }
        return end.hash
    }
}
