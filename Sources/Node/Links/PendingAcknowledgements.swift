internal import Records

/// The acknowledgements of a link's peer that are not stored yet: the last one of each log.
///
/// Each transaction costs a sync of the disk, so they are stored together: the first at once, and
/// those of the next ``pause`` when it is over. At most one reach is kept for each log that both
/// sides share.
///
/// For example, a peer acknowledges batches 1 to 5 000 of a log, each with its own message. Batch 1
/// is stored at once, and a quarter of a second later the last one that was received by then.
struct PendingAcknowledgements: Sendable {
    /// The shortest time between two transactions for acknowledgements of one link.
    static let pause: Duration = .milliseconds(250)

    private var reaches: [SpaceID: [LogName: LogReach]] = [:]
    /// When they may be stored next, in time since the node's start.
    private var next: Duration = .zero
    private var isPlanned = false

    /// Adds acknowledgements, in place of earlier ones of the same logs.
    mutating func add(_ more: [LogReach], in space: SpaceID) {
        for reach in more { reaches[space, default: [:]][reach.log] = reach }
    }

    /// Plans the next transaction, unless it is planned or there is nothing to store.
    /// - Returns: how long to wait before ``removeAll(uptime:)``; nil if nothing is to be done.
    mutating func plan(uptime: Duration) -> Duration? {
        guard !reaches.isEmpty, !isPlanned else { return nil }
        isPlanned = true
        return max(.zero, next - uptime)
    }

    /// Removes and returns all, to be stored now.
    mutating func removeAll(uptime: Duration) -> [SpaceID: [LogReach]] {
        defer { (reaches, next, isPlanned) = ([:], uptime + Self.pause, false) }
        return reaches.mapValues { Array($0.values) }
    }
}
