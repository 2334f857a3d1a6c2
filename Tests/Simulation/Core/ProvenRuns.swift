internal import Records

/// Runs that were proven once: the same run after the same batch, read from however many replicas,
/// need not be proven again.
final class ProvenRuns {
    private struct Place: Hashable {
        let space: SpaceID
        let previous: BatchHash
        let signature: Signature
    }

    private var known: [Place: (run: Run, checked: CheckedRun)] = [:]

    /// Checks a run, unless the very same was checked before.
    /// - Throws: as ``Run/check(in:after:)``.
    func check(
        _ run: Run, in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> CheckedRun {
        let place = Place(space: space, previous: previous, signature: run.signature)
        if let found = known[place], found.run == run { return found.checked }
        let checked = try run.check(in: space, after: previous)
        known[place] = (run, checked)
        return checked
    }
}
