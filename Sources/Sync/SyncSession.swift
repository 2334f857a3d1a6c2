public import Records

/// One link's synchronisation as a value: a message or a local change goes in, what to do about it
/// comes out. No clock, socket, disk, task or randomness inside, so a seed replays it.
///
/// The order of a space on a link: HAVE both ways; where digests differ, VECTOR both ways; PUSH of
/// what the other lacks; ACK after it is on the disk; then live pushes. "In sync" is what two equal
/// digests say and nothing else.
public struct SyncSession: Sendable {
    /// What a session wants done. Effects are done in order.
    public enum Effect: Hashable, Sendable {
        /// Send a message.
        case send(Message)
        /// Read the batches of a log after a number and send them as PUSH on this channel. The
        /// peer holds a batch of that number whose hash begins with `prefix`; where it is not the
        /// one that is here, the log is sent from its first batch on, since the two have forked.
        case push(SpaceID, LogName, after: UInt64, prefix: UInt64, channel: UInt64)
        /// Check, apply and sync to disk; then tell the session with
        /// ``SyncSession/stored(_:received:in:)``.
        case merge(SpaceID, Run)
        /// The peer has these batches on its disk. Where a reach ends before the log does here,
        /// its prefix is still to be compared.
        case acknowledged(SpaceID, [LogReach])
        /// Whether both replicas of a space are known to be equal changed.
        case inSync(SpaceID, Bool)
        /// The peer holds another batch under a number that is here too.
        case forked(SpaceID, LogName, number: UInt64)
        /// A message to the members of a space arrived.
        case ephemeral(SpaceID, Ephemeral)
        /// The peer says the hash of a range of a log: hash it here, then tell the session with
        /// ``SyncSession/audited(_:in:theirs:mine:)``.
        case audit(SpaceID, AuditRange, theirs: Bytes32)
        /// Hash a range of a log, and tell the session with ``SyncSession/audit(_:in:mine:)``.
        case hash(SpaceID, AuditRange)
        /// The peer says another hash of one batch than this side: look whether it is damaged here.
        case differs(SpaceID, LogName, number: UInt64)
        /// The peer answered the n-th question for digests.
        case digestsAnswered(question: Int)
        /// The peer was asked for the digest of a space and named none: it shares the space with
        /// this device no longer, or not yet.
        case notShared(SpaceID)
    }

    let localNonce: Bytes16
    let remoteNonce: Bytes16
    var spaces: [SpaceID: SpaceState] = [:]
    var spaceByToken: [Token: SpaceID] = [:]
    /// Tokens in the order the peer first named them; the index is its channel.
    var remoteTokens: [Token] = []
    var remoteChannels: [Token: UInt64] = [:]
    var remoteDigests: [Token: Bytes16] = [:]
    /// The spaces that the peer was asked about and did not name. It is not asked again before it
    /// names them: who was removed from a group goes on offering it and is told nothing of it.
    var unshared: Set<SpaceID> = []
    private var localChannelsCount: UInt64 = 0
    private var localChannels: [SpaceID: UInt64] = [:]
    private var ephemeralCounter: UInt64 = 0
    var lastEphemeralReceived: UInt64 = 0
    /// The questions for digests that the peer has not answered yet, oldest first: it answers in
    /// order.
    var questions: [Set<SpaceID>] = []
    var answersCount = 0
    var audits = AuditLedger()
    private var wanted = WantAllowance()

    /// A session between two nonces of HELLO. Nothing is shared yet.
    public init(localNonce: Bytes16, remoteNonce: Bytes16) {
        self.localNonce = localNonce
        self.remoteNonce = remoteNonce
    }

    /// The spaces shared on this link now.
    public var sharedSpaces: Set<SpaceID> { Set(spaces.keys) }

    /// Those of them that the peer, as far as it was asked, shares too.
    public var commonSpaces: Set<SpaceID> { sharedSpaces.subtracting(unshared) }

    /// Whether the last digests of a space were equal.
    public func isInSync(_ space: SpaceID) -> Bool { spaces[space]?.isInSync ?? false }

    /// The peer's last digest of a space, or nil before it named one and while it shares none.
    public func remoteDigest(of space: SpaceID) -> Bytes16? {
        unshared.contains(space) ? nil : remoteDigests[remoteToken(of: space)]
    }

    /// Questions for digests that may be open at a time; a peer that answers none gets no more.
    static let questionsMax = 64

    /// The number of the question for digests that was asked last, from 1.
    public var lastQuestion: Int { answersCount + questions.count }

    // MARK: - What happens here

    /// Shares exactly these spaces from now on. Call it again when access changes.
    public mutating func share(_ shared: [SharedSpace]) -> [Effect] {
        let wanted = Set(shared.map(\.space))
        for space in spaces.keys where !wanted.contains(space) {
            spaces[space] = nil
            spaceByToken[remoteToken(of: space)] = nil
        }
        let fresh = shared.filter { spaces[$0.space] == nil }
        guard !fresh.isEmpty else { return [] }
        for space in fresh {
            spaces[space.space] = SpaceState(here: space, channel: channel(of: space.space))
            spaceByToken[remoteToken(of: space.space)] = space.space
            unshared.remove(space.space)
        }
        var effects: [Effect] = [.send(have(fresh.map(\.space), .announcement))]
        for space in fresh { effects += compare(space.space) }
        return effects
    }

    /// What is here of a space has changed: a commit, here or from another peer, or a cut or fork
    /// that leaves logs shorter than they were.
    public mutating func advanced(_ here: SharedSpace) -> [Effect] {
        guard var state = spaces[here.space], state.here != here else { return [] }
        let wasInSync = state.isInSync
        state.update(here)
        let pushes =
            state.isRemoteKnown ? state.missingThere(questionsCount: lastQuestion) : []
        spaces[here.space] = state
        return (wasInSync ? [.inSync(here.space, false)] : []) + pushes
    }

    /// A run of the peer's is on the disk, whether or not anything in it was new.
    /// - Parameters:
    ///   - logs: the author's logs as they are here now, all branches.
    ///   - received: where what the peer sent ends in them.
    public mutating func stored(
        _ logs: [LogState], received: [LogReach], in space: SpaceID
    ) -> [Effect] {
        guard var state = spaces[space] else { return [] }
        for reach in received { state.raiseRemote(reach) }
        spaces[space] = state
        if Planted.acknowledgementDropped.isIn { return [] }
        return [.send(.acknowledge(Vector(channel: state.channel, reaches: logs)))]
    }

    /// A run of the peer's could not be placed: says again what is here, once for each change.
    public mutating func missing(in space: SpaceID) -> [Effect] {
        guard let state = spaces[space], !state.isVectorCurrent else { return [] }
        return sayVector(of: space)
    }

    /// Asks for batches anew that are here without their bodies, or damaged; for the same ones
    /// again only after a pause that grows.
    /// - Parameters:
    ///   - ends: of each log with such a batch the last one before it; the peer sends what follows.
    ///     A log of which nothing is whole ends at the number before its first.
    ///   - now: time since any fixed point.
    public mutating func wants(
        after ends: [LogReach], in space: SpaceID, now: Duration
    ) -> [Effect] {
        guard let state = spaces[space], wanted.take(Set(ends), in: space, now: now) else {
            return []
        }
        let whole = Dictionary(ends.map { ($0.log, $0) }, uniquingKeysWith: { first, _ in first })
        let named = state.here.logs.prefix(Limits.vectorLogsMax).compactMap {
            Vector.Reach($0, wholeTo: whole[$0.log])
        }
        let vector = Vector(channel: state.channel, logs: named.sorted { $0.log < $1.log })
        return [.send(.vector(vector))]
    }

    /// What is wanted of a space is asked for at once the next time, whenever that was last.
    public mutating func wantAtOnce(in space: SpaceID) { wanted.forget(space) }

    /// Asks for the peer's digests: of all spaces, or only where equality is not known.
    public mutating func askDigests(onlyUnknown: Bool) -> [Effect] {
        let named = spaces.values.map(\.here.space).filter {
            !onlyUnknown || !isInSync($0) && !unshared.contains($0)
        }
        guard !named.isEmpty || !onlyUnknown else { return [] }
        guard questions.count < SyncSession.questionsMax else { return [] }
        questions.append(Set(named))
        return [.send(have(named.sorted(), .question))]
    }

    /// A message to the members of a space, or nothing where the space is not shared here or the
    /// peer has not named it.
    public mutating func ephemeral(
        _ space: SpaceID, topic: String, body: [UInt8], expiryMilliseconds: UInt64
    ) -> [Effect] {
        guard let state = spaces[space], remoteChannels[remoteToken(of: space)] != nil else {
            return []
        }
        ephemeralCounter += 1
        return [
            .send(
                .ephemeral(
                    Ephemeral(
                        channel: state.channel, topic: topic, counter: ephemeralCounter,
                        expiryMilliseconds: expiryMilliseconds, body: body)))
        ]
    }

    // MARK: - Digests and channels

    /// Compares the peer's last digest of a space with what is here now.
    mutating func compare(_ space: SpaceID) -> [Effect] {
        guard var state = spaces[space], let remote = remoteDigest(of: space) else { return [] }
        let wasInSync = state.isInSync
        let isEqual = remote == state.here.digest
        // A peer may hold every header and still lack bodies that it asked for.
        state.isInSync = isEqual && !(state.isAskedAgain && state.isLackingSent)
        var effects: [Effect] = []
        if state.isInSync {
            state.isAskedAgain = false
            state.noteEqual()
            if !wasInSync {
                effects.append(.acknowledged(space, state.here.logs.map { LogReach($0.head) }))
            }
        }
        if wasInSync != state.isInSync { effects.append(.inSync(space, state.isInSync)) }
        spaces[space] = state
        return !isEqual && !state.isVectorCurrent ? sayVector(of: space) + effects : effects
    }

    /// Says how far the logs of a space reach here.
    mutating func sayVector(of space: SpaceID) -> [Effect] {
        guard let state = spaces[space] else { return [] }
        spaces[space]?.isVectorCurrent = true
        return [.send(.vector(state.here.vector(channel: state.channel)))]
    }

    func have(_ named: [SpaceID], _ round: Have.Round) -> Message {
        let entries = named.compactMap { space -> Have.Entry? in
            guard let state = spaces[space] else { return nil }
            let token = Token(space, sender: localNonce, receiver: remoteNonce)
            return Have.Entry(token: token, digest: state.here.digest)
        }
        return .have(Have(round: round, entries: entries))
    }

    private mutating func channel(of space: SpaceID) -> UInt64 {
        if let channel = localChannels[space] { return channel }
        defer { localChannelsCount += 1 }
        localChannels[space] = localChannelsCount
        return localChannelsCount
    }

    func remoteToken(of space: SpaceID) -> Token {
        Token(space, sender: remoteNonce, receiver: localNonce)
    }

    /// The space that the peer names by a channel, or nil for none that is shared here.
    public func space(ofChannel channel: UInt64) -> SpaceID? {
        guard channel < UInt64(remoteTokens.count) else { return nil }
        return spaceByToken[remoteTokens[Int(channel)]]
    }
}
