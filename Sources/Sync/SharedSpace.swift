public import Records

/// What of one space is on this device, as a session needs to know it.
public struct SharedSpace: Hashable, Sendable {
    public let space: SpaceID
    /// The digest over all logs.
    public var digest: Bytes16
    /// The logs, sorted by name.
    public var logs: [LogHead]

    /// Names what is here of a space.
    public init(space: SpaceID, digest: Bytes16, logs: [LogHead]) {
        self.space = space
        self.digest = digest
        self.logs = logs.sorted()
    }

    /// The vector that says so.
    func vector(channel: UInt64) -> Vector {
        Vector(channel: channel, logs: logs.prefix(Limits.vectorLogsMax).map(Vector.Reach.init))
    }
}

extension Vector.Reach {
    /// The reach of a log that is here from its first batch on.
    init(_ head: LogHead) {
        self.init(log: head.log, low: 1, high: head.number, prefix: head.hash.prefix)
    }
}
