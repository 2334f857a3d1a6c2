internal import Records

/// A cache of proven runs: the same run after the same batch is proven once, although many replicas
/// receive or serve it.
final class ProvenRuns {
    private struct Place: Hashable {
        let space: SpaceID
        let previous: BatchHash
        let signature: Signature
    }

    private var known: [Place: Run] = [:]

    /// Returns the run with the result of its check, as a node checks a run early.
    /// - Throws: the same as ``Run/check(in:after:)``.
    func checked(
        _ run: Run, in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> Run {
        let place = Place(space: space, previous: previous, signature: run.signature)
        if let found = known[place], found == run { return found }
        let checked = try run.checked(in: space, after: previous)
        known[place] = checked
        return checked
    }

    /// Checks a run's chain and signature, unless this was done before.
    /// - Throws: the same as ``Run/check(in:after:)``.
    func check(
        _ run: Run, in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> CheckedRun {
        try checked(run, in: space, after: previous).check(in: space, after: previous)
    }
}
