internal import Identity
internal import Records
internal import Replica

/// One request of a node to its replica, and the wall time of the request.
struct Step {
    let action: Action
    let wallTime: Timestamp

    enum Action {
        case learn(PersonRecord)
        case open(SpaceDescriptor)
        case author([Edit], in: SpaceDescriptor)
        /// Merges a run of the mate's batches in the shared space.
        case merge(Run)
        /// Records that the mate holds this much of my log in the shared space.
        case acknowledge(LogReach)
        /// Stores content that a record will name.
        case put([UInt8], in: SpaceDescriptor)
        /// Stores content of the mate's that a record in the shared space names.
        case fetch([UInt8])
        case releaseDue
        case rebuild(SpaceDescriptor)
        /// Reads as a plugin does.
        case read
        /// Closes the replica and starts again.
        case restart
    }
}

extension Step.Action {
    /// The first word of the step, for the report of a failure.
    var name: String { String(String(describing: self).prefix { $0.isLetter }) }
}
