public import Records

/// A session's view of the part of a space that is stored on this device.
public struct SharedSpace: Hashable, Sendable {
    /// The space.
    public let space: SpaceID
    /// The digest over all logs.
    public var digest: Bytes16
    /// The logs in the order of their transmission: senior authors first, because their grants
    /// permit the batches of the others.
    public var logs: [LogState]

    /// Creates a value from its fields.
    public init(space: SpaceID, digest: Bytes16, logs: [LogState]) {
        self.space = space
        self.digest = digest
        self.logs = logs
    }

    /// Returns the vector of this space. If there are more logs than a vector may list, the first
    /// ones in the order of transmission are listed.
    func vector(channel: UInt64) -> Vector {
        Vector(channel: channel, reaches: logs.prefix(Limits.vectorLogsMax))
    }
}

extension Vector {
    /// Creates a vector from the states of logs.
    init(channel: UInt64, reaches logs: some Sequence<LogState>) {
        let sorted = logs.sorted { $0.log < $1.log }
        self.init(channel: channel, logs: sorted.map(Vector.Reach.init))
    }
}

extension Vector.Reach {
    init(_ state: LogState) {
        self.init(
            log: state.log, low: state.low, high: state.high, prefix: state.headHash.prefix)
    }

    /// Creates the reach of a log up to the batch before a wanted one; nil if that batch is not
    /// stored here.
    init?(_ state: LogState, wholeTo end: LogReach?) {
        guard let end, end.number < state.high else {
            self.init(state)
            return
        }
        guard end.number >= state.low else { return nil }
        self.init(log: state.log, low: state.low, high: end.number, prefix: end.prefix)
    }

    /// The last batch of the range.
    var end: LogReach { LogReach(log: log, number: high, prefix: prefix) }
}
