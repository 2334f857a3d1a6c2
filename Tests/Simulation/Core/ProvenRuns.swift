internal import Records

/// Runs that were proven once: the same run after the same batch, however many replicas take or
/// serve it, need not be proven again.
final class ProvenRuns {
    private struct Place: Hashable {
        let space: SpaceID
        let previous: BatchHash
        let signature: Signature
    }

    private var known: [Place: Run] = [:]

    /// The same run with what its check finds, as a node checks a run before its turn comes.
    /// - Throws: as ``Run/check(in:after:)``.
    func checked(
        _ run: Run, in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> Run {
        let place = Place(space: space, previous: previous, signature: run.signature)
        if let found = known[place], found == run { return found }
        let checked = try run.checked(in: space, after: previous)
        known[place] = checked
        return checked
    }

    /// Follows a run's chain and proves it, unless that was done before.
    /// - Throws: as ``Run/check(in:after:)``.
    func check(
        _ run: Run, in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> CheckedRun {
        try checked(run, in: space, after: previous).check(in: space, after: previous)
    }
}
