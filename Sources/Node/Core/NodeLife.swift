/// Whether the node runs, is to end, or deletes its person. A node ends once: no state is
/// undone, except after a failed deletion.
struct NodeLife: Sendable {
    /// Whether the node says goodbye and starts nothing new.
    private(set) var isStopping = false
    /// Whether this person is being deleted: shared spaces stay shared until the end.
    private(set) var isLeaving = false
    /// Whether the home is removed when the node ends.
    private(set) var isDeleted = false
    /// The reason the node ends to restart with the home's new identity, if it does.
    private(set) var reasonToBeginAnew: Notice?
    /// Finished to request the end of the node.
    private let stopRequest: AsyncStream<Never>.Continuation

    /// Creates the life of a node that runs.
    init(stopRequest: AsyncStream<Never>.Continuation) { self.stopRequest = stopRequest }

    /// Requests the end of the node; its owner then stops it.
    func requestStop() { stopRequest.finish() }

    /// Records that the node stops.
    mutating func beginStopping() { isStopping = true }

    /// Requests the end of the node, to be followed by a start with the home's new identity.
    mutating func beginAnew(because reason: Notice) {
        reasonToBeginAnew = reason
        requestStop()
    }

    /// Records that the deletion of this person begins.
    mutating func beginLeaving() { isLeaving = true }

    /// Records that the deletion failed, so that the node goes on as before.
    mutating func giveUpLeaving() { isLeaving = false }

    /// Requests the end of the node and of its home.
    mutating func finishLeaving() {
        isDeleted = true
        requestStop()
    }
}
