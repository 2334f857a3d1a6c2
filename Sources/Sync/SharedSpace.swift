public import Records

/// What of one space is on this device, as a session needs to know it.
public struct SharedSpace: Hashable, Sendable {
    public let space: SpaceID
    /// The digest over all logs.
    public var digest: Bytes16
    /// The logs in the order in which they are pushed: those of senior authors first, since what
    /// they grant permits what the others wrote.
    public var logs: [LogState]

    /// Names what is here of a space.
    public init(space: SpaceID, digest: Bytes16, logs: [LogState]) {
        self.space = space
        self.digest = digest
        self.logs = logs
    }

    /// The vector that says so. Of more logs than a vector may name the first pushed are named.
    func vector(channel: UInt64) -> Vector {
        Vector(channel: channel, reaches: logs.prefix(Limits.vectorLogsMax))
    }
}

extension Vector {
    /// Says how far logs reach here.
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

    /// The part of a log before what is wanted, or nil where that is all of it.
    init?(_ state: LogState, wholeTo end: LogReach?) {
        guard let end, end.number < state.high else {
            self.init(state)
            return
        }
        guard end.number >= state.low else { return nil }
        self.init(log: state.log, low: state.low, high: end.number, prefix: end.prefix)
    }

    /// Where the log ends there.
    var end: LogReach { LogReach(log: log, number: high, prefix: prefix) }
}
