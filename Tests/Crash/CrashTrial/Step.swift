internal import Identity
internal import Records
internal import Replica

/// One thing a node asks of its replica, with the wall time at which it does.
struct Step {
    let action: Action
    let wallMilliseconds: Int64

    enum Action {
        case learn(PersonRecord)
        case open(SpaceDescriptor)
        case author([Edit], in: SpaceDescriptor)
        /// Takes a run of the mate's batches in the space of both.
        case merge(Run)
        /// The mate holds this much of my log in the space of both.
        case acknowledge(LogReach)
        case releaseDue
        case rebuild(SpaceDescriptor)
        /// A plugin reads.
        case read
        /// Ends in good order and starts again.
        case restart
    }
}

extension Step.Action {
    /// The first word of it, for whoever reads of a failure.
    var name: String { String(String(describing: self).prefix { $0.isLetter }) }
}
