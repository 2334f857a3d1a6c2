internal import Records

/// The pace at which a space is merged again, and the work that waits for a time.
extension SpaceState {
    /// The estimated units of work of merging the whole space again.
    var rebuildUnits: Int { max(batchCount, lastRebuildUnits) }

    /// The maximum units of work for merging the whole space again: an operation is at least one
    /// byte of a body.
    var rebuildUnitsMax: Int {
        let stored = logs.values.reduce(0) { $0 + Int(clamping: $1.high + 1 - $1.low) }
        let bytes = logs.values.reduce(0) { $0 + $1.bytes }
        let bodiesBytes = max(0, bytes - stored * Limits.batchRowBytes)
        return max(lastRebuildUnits, stored + bodiesBytes / RebuildWork.operationsPerUnit)
    }

    /// Whether the space may be merged again without a charge to a person.
    func mayRebuild(wallTime: Timestamp) -> Bool {
        // A clock that was set back must not delay anything until it has caught up.
        wallTime < rebuildDebt.since || rebuildDebt.allows(rebuildUnits, at: wallTime)
    }

    /// Keeps what an earlier state owes and has postponed.
    mutating func keepPace(of earlier: SpaceState) {
        rebuildDebt = earlier.rebuildDebt
        lastRebuildUnits = earlier.lastRebuildUnits
        isAttributionPostponed = earlier.isAttributionPostponed
        removedNow = earlier.removedNow
    }

    /// Whether logs may be attributed by other claims now: the space may be merged again, or the
    /// claims concern no stored log. A removal changes nothing without a cut.
    func mayAttribute(to changed: RivalClaims.Standing, wallTime: Timestamp) -> Bool {
        mayRebuild(wallTime: wallTime) || !isConcerned(by: changed)
    }

    /// The time of the next work that ``Replica/releaseDue(wallTime:)`` has for the space; nil if
    /// there is none.
    var nextRelease: Timestamp? {
        let attribution =
            isAttributionPostponed ? rebuildDebt.firstTime(for: rebuildUnits) : nil
        return [nextDue, attribution].compactMap(\.self).min()
    }

    /// The time at which the first held batch is due and earlier rebuilds are paid for; nil if none
    /// is held.
    var nextDue: Timestamp? {
        guard heldCount > 0, let firstHeld else { return nil }
        return max(HybridClock.due(firstHeld), rebuildDebt.firstTime(for: rebuildUnits))
    }

    /// Whether a held batch has become due, and may make the replica merge the space again.
    func hasDue(wallTime: Timestamp) -> Bool {
        guard heldCount > 0, mayRebuild(wallTime: wallTime) else { return false }
        return firstHeld.map { !HybridClock.isHeld($0, wallTime: wallTime) } ?? true
    }

    /// Whether the attribution of logs was postponed, and may be done now.
    func hasDueAttribution(wallTime: Timestamp) -> Bool {
        isAttributionPostponed && mayRebuild(wallTime: wallTime)
    }
}
