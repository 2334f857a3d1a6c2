internal import Records
internal import Synchronization

/// What a replica wants from whoever runs it.
public struct Upkeep: Hashable, Sendable {
    /// Why nothing more is written until the replica is opened anew; nil while all is well.
    public internal(set) var ending: ReplicaFault?
    /// Whether the files may still hold bytes of what was erased.
    public internal(set) var isScrubDue = false
    /// Whether a batch was met that the disk damaged.
    public internal(set) var hasDamage = false
}

extension Replica {
    /// What is wanted now. It is looked at again and again, so looking waits for no write.
    public nonisolated var upkeep: Upkeep {
        var upkeep = seenUpkeep.withLock { $0 }
        upkeep.hasDamage = states.hasDamage
        return upkeep
    }

    /// All of a space was looked through and found whole.
    func noteWhole(_ space: SpaceID) { states[space]?.hasDamage = false }

    /// Lets those who look see what has changed.
    func noteUpkeep() {
        seenUpkeep.withLock { upkeep in
            upkeep.isScrubDue = isScrubDue
            upkeep.ending = ending
        }
    }
}
