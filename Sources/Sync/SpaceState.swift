internal import Records

/// One shared space on one link: what is here, and what is known to be there.
struct SpaceState: Sendable {
    /// What is here.
    private(set) var here: SharedSpace
    /// This side's channel of the space.
    let channel: UInt64
    /// Whether the two last digests were equal and nothing has changed since.
    var isInSync = false
    /// Whether the peer has said how far its logs reach.
    var isRemoteKnown = false
    /// Whether the peer was told how far the logs reach here since they last changed.
    var isVectorCurrent = false
    /// Whether the peer wants what was sent on this link already.
    var isAskedAgain = false
    /// How far the logs reach there, as the peer said or as it pushed.
    private(set) var remote: [LogName: LogReach] = [:]
    private var heads: [LogName: LogState]
    private var sent: [LogName: Sent] = [:]
    private var repeats = RepeatAllowance()

    /// How far a log was sent on this link.
    private struct Sent {
        let end: LogReach
        /// How many questions for digests this side had asked by then.
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

    /// How much of a log is here, or nil.
    func head(of log: LogName) -> LogState? { heads[log] }

    /// The logs here are these now. Of one that became shorter, because it forked or its author
    /// was cut, nothing counts as sent any more.
    mutating func update(_ here: SharedSpace) {
        self.here = here
        heads = SpaceState.heads(of: here)
        isVectorCurrent = false
        isInSync = false
        sent = sent.filter { log, sent in
            heads[log].map { sent.end.number < $0.high || sent.end == LogReach($0.head) } ?? false
        }
    }

    /// Whether some log reaches further there than here, or to another batch.
    var isMissingHere: Bool {
        remote.contains { log, theirs in
            guard let head = heads[log] else { return true }
            return theirs.number > head.high || theirs.isOther(than: head)
        }
    }

    /// The peer said anew how far all its logs reach.
    mutating func setRemote(_ reaches: [LogReach]) {
        isRemoteKnown = true
        remote = Dictionary(reaches.map { ($0.log, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Notes that a log reaches at least this far there. Of logs that are not here no more are
    /// remembered than one vector can name.
    mutating func raiseRemote(_ reach: LogReach) {
        guard reach.number >= remote[reach.log]?.number ?? 0 else { return }
        let isRoom = remote.count < Limits.vectorLogsMax
        guard isRoom || remote[reach.log] != nil || heads[reach.log] != nil else { return }
        remote[reach.log] = reach
    }

    /// The peer holds exactly what is here.
    mutating func noteEqual() {
        isRemoteKnown = true
        for log in here.logs { raiseRemote(LogReach(log.head)) }
    }

    /// The pushes that bring the peer what is here, in the order of the logs. What was sent on
    /// this link is not sent again; see ``takeRepeat(question:)``.
    /// - Parameter questionsCount: the questions for digests that this side has asked by now.
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

    /// Where a push of a log goes on, or nil where nothing is to be sent.
    private func continuation(of head: LogState) -> LogReach? {
        let own = LogReach(head.head)
        let start = LogReach(log: head.log, number: head.low - 1, prefix: 0)
        let theirs = remote[head.log] ?? start
        if let sent = sent[head.log]?.end, sent.number >= theirs.number || sent == own {
            return sent == own ? nil : sent
        }
        return theirs.number < own.number || theirs.isOther(than: head) ? theirs : nil
    }

    /// Whether the peer lacks, by what it said last, something that was sent on this link.
    var isLackingSent: Bool { !lackingSent(before: .max).isEmpty }

    private func lackingSent(before question: Int) -> [LogName] {
        sent.filter { log, sent in
            sent.questionsCount < question && sent.end != remote[log]
                && sent.end.number >= remote[log]?.number ?? 0
        }.map(\.key)
    }

    /// This side's n-th question for digests was answered, so all that was sent before it has
    /// arrived there. What the peer lacks of that all the same may be sent again, log by log, as
    /// often as ``RepeatAllowance`` lets it.
    mutating func takeRepeat(question: Int) {
        repeats.noteAnswer()
        var isHeldBack = false
        for log in lackingSent(before: question) {
            let last = heads[log]?.high ?? 0
            if repeats.take(log, after: remote[log]?.number ?? 0, through: last) {
                sent[log] = nil
            } else {
                isHeldBack = true
            }
        }
        isAskedAgain = isAskedAgain && isHeldBack
    }
}

extension LogReach {
    /// Whether another batch stands under the number at which a log ends here.
    func isOther(than head: LogState) -> Bool {
        number == head.high && prefix != head.headHash.prefix
    }
}
