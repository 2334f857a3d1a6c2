public import Records
internal import Synchronization

/// The reason the files may hold erased bytes, which decides how soon they are removed.
public enum DueScrub: Hashable, Sendable {
    /// This replica's person erased some of them, or the replica was opened with them.
    case ownErase
    /// Only other people did.
    case othersErase
}

/// The work that a replica asks of its owner.
public struct Upkeep: Hashable, Sendable {
    /// The fault after which nothing is written until the replica is opened again; nil if there was
    /// none.
    public internal(set) var ending: ReplicaFault?
    /// The reason the files may still hold erased bytes; nil if they hold none.
    public internal(set) var dueScrub: DueScrub?
    /// Whether batches were refused for which there is still no room.
    public internal(set) var isAnyoneFull = false
    /// Whether a damaged batch was found.
    public internal(set) var hasDamage = false
    /// The time at which ``Replica/releaseDue(wallTime:)`` has work; nil if nothing waits. It stays
    /// in the past while there is more work than one call does.
    public internal(set) var nextDue: Timestamp?
}

extension Replica {
    /// The work that is due now. It is read often, so reading it does not wait for writes.
    public nonisolated var upkeep: Upkeep {
        var upkeep = seenUpkeep.withLock { $0 }
        upkeep.hasDamage = states.hasDamage
        upkeep.nextDue = states.nextDue
        return upkeep
    }

    /// Records that all of a space was checked and is sound.
    /// - Parameter sightings: the sightings when the check began; damage that was met during the
    ///   check stays open.
    func recordSound(_ space: SpaceID, through sightings: DamageSightings) {
        states[space]?.damage.close(through: sightings)
    }

    /// Publishes changes to ``upkeep``.
    func publishUpkeep() {
        seenUpkeep.withLock { upkeep in
            upkeep.dueScrub = dueScrub
            upkeep.ending = ending
            upkeep.isAnyoneFull = !refusals.byShare.isEmpty
        }
    }
}
