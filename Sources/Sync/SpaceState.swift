internal import Records

/// One shared space on one link: what is here, and what is known to be there.
struct SpaceState: Hashable, Sendable {
    /// What is here.
    var here: SharedSpace
    /// This side's channel of the space.
    let channel: UInt64
    /// Whether the two last digests were equal and nothing has changed since.
    var isInSync = false
    /// Whether the peer has said how far its logs reach.
    var isRemoteKnown = false
    /// Whether the peer was told how far the logs reach here since they last changed.
    var isVectorCurrent = false
    /// How far the logs reach there, as the peer said or as it pushed.
    var remote: [LogName: UInt64] = [:]
    /// How far they were sent there and not refused.
    var sent: [LogName: UInt64] = [:]

    init(here: SharedSpace, channel: UInt64) {
        self.here = here
        self.channel = channel
    }

    /// The head of a log here, or nil.
    func head(of log: LogName) -> LogHead? { here.logs.first { $0.log == log } }

    /// Whether some log reaches further there than here.
    var isMissingHere: Bool {
        remote.contains { log, number in number > head(of: log)?.number ?? 0 }
    }

    /// Notes that a log reaches at least this far there.
    mutating func raiseRemote(_ log: LogName, to number: UInt64) {
        remote[log] = max(remote[log] ?? 0, number)
    }

    /// The pushes that bring the peer what is here, each batch once.
    mutating func missingThere() -> [SyncSession.Effect] {
        var effects: [SyncSession.Effect] = []
        for head in here.logs {
            let reached = max(remote[head.log] ?? 0, sent[head.log] ?? 0)
            guard head.number > reached else { continue }
            sent[head.log] = head.number
            effects.append(.push(here.space, head.log, after: reached, channel: channel))
        }
        return effects
    }
}
