/// Checks the runs of one sender as they arrive. Hashing and signature checks cost as much as
/// storing, and this way another core can make them at the same time.
///
/// A log is mostly sent run after run, so only the end of the last run is remembered. A run that
/// does not continue there stays unchecked until it is stored.
public struct RunChecker: Sendable {
    private var end: End?

    private struct End {
        let space: SpaceID
        let log: LogName
        let number: UInt64
        let hash: BatchHash
    }

    /// Creates a checker that has received no run yet.
    public init() {}

    /// Returns the run with the result of its check, or unchanged if its predecessor is unknown or
    /// the check fails.
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
