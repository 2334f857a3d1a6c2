internal import Records

/// The state of one shared space on one link: the local logs and the known state of the peer's.
struct SpaceState: Sendable {
    /// The local state.
    private(set) var here: SharedSpace
    /// This side's channel number of the space.
    let channel: UInt64
    /// Whether the last two digests were equal and nothing has changed since.
    var isInSync = false
    /// Whether the peer has sent its vector.
    var isRemoteKnown = false
    /// Whether the peer was sent the vector since the local logs last changed.
    var isVectorCurrent = false
    /// Whether the peer requests batches that were sent on this link already.
    var isAskedAgain = false
    /// The ends of the peer's logs, from its vectors and pushes.
    private(set) var remote: [LogName: LogReach] = [:]
    /// Whether the peer held exactly the local batches, and neither side's logs changed since.
    private var isRemoteEqual = false
    private var heads: [LogName: LogState]
    private var sent: [LogName: Sent] = [:]
    private var repeats = RepeatAllowance()

    /// The part of a log that was sent on this link.
    private struct Sent {
        let end: LogReach
        /// The number of questions for digests that this side had asked by then.
        let questionsCount: Int
    }

    init(here: SharedSpace, channel: UInt64) {
        self.here = here
        self.channel = channel
        heads = SpaceState.heads(of: here)
    }

    private static func heads(of here: SharedSpace) -> [LogName: LogState] {
        Dictionary(here.logs.map { ($0.log, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the local state of a log, or nil.
    func head(of log: LogName) -> LogState? { heads[log] }

    /// Replaces the local state. If a log became shorter, because it forked or its author was cut,
    /// it counts as not sent.
    mutating func update(_ here: SharedSpace) {
        self.here = here
        heads = SpaceState.heads(of: here)
        isVectorCurrent = false
        isInSync = false
        isRemoteEqual = false
        sent = sent.filter { log, sent in
            heads[log].map { sent.end.number < $0.high || sent.end == LogReach($0.head) } ?? false
        }
    }

    /// Whether a log of the peer is longer than the local one, or ends with another batch.
    var isMissingHere: Bool {
        remote.contains { log, theirs in
            guard let head = heads[log] else { return true }
            return theirs.number > head.high || theirs.differs(from: head)
        }
    }

    /// The batches that are here, those that the peer has, and all that either has. The peer's
    /// numbers are its claims.
    var progress: (here: Int, there: Int, total: Int) {
        var sum = (here: 0, there: 0, total: 0)
        for (log, head) in heads {
            let mine = Int(clamping: head.high - head.low + 1)
            let number = max(remote[log]?.number ?? 0, head.low - 1)
            let theirs = Int(clamping: number - (head.low - 1))
            sum = (sum.here &+ mine, sum.there &+ theirs, sum.total &+ max(mine, theirs))
        }
        for (log, theirs) in remote where heads[log] == nil {
            let count = Int(clamping: theirs.number)
            sum = (sum.here, sum.there &+ count, sum.total &+ count)
        }
        return sum
    }

    /// Replaces the known ends of the peer's logs.
    mutating func setRemote(_ reaches: [LogReach]) {
        isRemoteKnown = true
        isRemoteEqual = false
        remote = Dictionary(reaches.map { ($0.log, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the peer may hold the batches of a log up to a reach. A batch that is not stored
    /// here cannot have been sent from here, and a different batch is no acknowledgement of the
    /// local one.
    func mayHold(_ reach: LogReach) -> Bool {
        guard let head = heads[reach.log] else { return false }
        return reach.number <= head.high && !reach.differs(from: head)
    }

    /// Whether a reach is not below the last one of its log that the peer named.
    func isRaising(_ reach: LogReach) -> Bool {
        reach.number >= remote[reach.log]?.number ?? 0
    }

    /// Records that the peer's log reaches at least this far. Remembers at most one vector's worth
    /// of unknown logs.
    mutating func raiseRemote(_ reach: LogReach) {
        guard isRaising(reach) else { return }
        let isRoom = remote.count < Limits.vectorLogsMax
        guard isRoom || remote[reach.log] != nil || heads[reach.log] != nil else { return }
        if remote[reach.log] != reach { isRemoteEqual = false }
        remote[reach.log] = reach
    }

    /// Records that the peer holds exactly the local batches.
    /// - Returns: false if that is recorded already. A peer may send right and wrong digests in
    ///   turn, and only the first right one is worth a look at every log.
    mutating func setRemoteEqual() -> Bool {
        guard !isRemoteEqual else { return false }
        isRemoteKnown = true
        for log in here.logs { raiseRemote(LogReach(log.head)) }
        isRemoteEqual = true
        return true
    }

    /// Returns the pushes of the batches that the peer lacks, in the order of the logs. Batches
    /// that were sent on this link are not sent again; see ``permitRepeats(question:)``.
    /// - Parameter questionsCount: the number of questions for digests that this side has asked.
    mutating func missingThere(questionsCount: Int) -> [SyncSession.Effect] {
        var effects: [SyncSession.Effect] = []
        for head in here.logs {
            guard let end = continuation(of: head) else { continue }
            sent[head.log] = Sent(end: LogReach(head.head), questionsCount: questionsCount)
            effects.append(
                .push(
                    here.space, head.log, after: end.number, prefix: end.prefix, channel: channel))
        }
        return effects
    }

    /// Returns pushes of a device's logs from their first batches, if the peer's logs with these
    /// names are longer: they contain another side of a fork, which is not kept here. Repeats of
    /// the same batches are limited.
    mutating func keptSides(of device: DeviceID, questionsCount: Int) -> [SyncSession.Effect] {
        var effects: [SyncSession.Effect] = []
        for head in here.logs where head.log.device == device {
            let own = LogReach(head.head)
            guard let theirs = remote[head.log], theirs.number > head.high,
                sent[head.log]?.end != own
                    || repeats.permitRepeat(of: head.log, after: head.low - 1, through: head.high)
            else { continue }
            sent[head.log] = Sent(end: own, questionsCount: questionsCount)
            effects.append(
                .push(here.space, head.log, after: head.low - 1, prefix: 0, channel: channel))
        }
        return effects
    }

    /// Returns the batch after which a push of a log continues, or nil if there is nothing to send.
    private func continuation(of head: LogState) -> LogReach? {
        let own = LogReach(head.head)
        let start = LogReach(log: head.log, number: head.low - 1, prefix: 0)
        let theirs = remote[head.log] ?? start
        if let sent = sent[head.log]?.end, sent.number >= theirs.number || sent == own {
            return sent == own ? nil : sent
        }
        return theirs.number < own.number || theirs.differs(from: head) ? theirs : nil
    }

    /// Whether the peer's last vector lacks batches that were sent on this link.
    var isLackingSent: Bool { !lackingSent(before: .max).isEmpty }

    private func lackingSent(before question: Int) -> [LogName] {
        sent.filter { log, sent in
            sent.questionsCount < question && sent.end != remote[log]
                && sent.end.number >= remote[log]?.number ?? 0
        }.map(\.key)
    }

    /// Processes the answer to this side's n-th question for digests. Everything sent before the
    /// question has arrived, so batches that the peer still lacks may be sent again, log by log,
    /// within the ``RepeatAllowance``.
    mutating func permitRepeats(question: Int) {
        repeats.recordAnswer()
        var isHeldBack = false
        for log in lackingSent(before: question) {
            let last = heads[log]?.high ?? 0
            if repeats.permitRepeat(of: log, after: remote[log]?.number ?? 0, through: last) {
                sent[log] = nil
            } else {
                isHeldBack = true
            }
        }
        isAskedAgain = isAskedAgain && isHeldBack
    }
}

extension LogReach {
    /// Whether this is another batch with the number of the local log's last batch.
    func differs(from head: LogState) -> Bool {
        number == head.high && prefix != head.headHash.prefix
    }
}
