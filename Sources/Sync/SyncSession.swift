public import Records

/// The synchronisation of one link, as a value: a message or a local change goes in, the effects to
/// perform come out. It contains no clock, socket, disk, task or randomness, so that a seed can
/// replay it.
///
/// The sequence for a space on a link: both sides send HAVE; if the digests differ, both send
/// VECTOR, then PUSH the batches the other lacks; ACK follows when they are on the disk; then new
/// batches are pushed as they are made. A space is in sync exactly if the last two digests were
/// equal.
///
/// ```swift
/// var session = SyncSession(localNonce: mine, remoteNonce: theirs)
/// perform(session.share([SharedSpace(space: id, digest: digest, logs: logs)]))
/// for await message in link.messages {
///     perform(try session.receive(message))  // for example [.merge(id, run)]
/// }
/// perform(session.stored(logs, received: ends, in: id))  // after a merge: sends ACK
/// ```
public struct SyncSession: Sendable {
    /// An action that a session requests. Effects are performed in order.
    public enum Effect: Hashable, Sendable {
        /// Sends a message.
        case send(Message)
        /// Reads the batches of a log after a number and sends them as PUSH on this channel. The
        /// peer holds a batch with that number and a hash that begins with `prefix`. If the local
        /// batch is another one, the two logs have forked, and the log is sent from its first
        /// batch.
        case push(SpaceID, LogName, after: UInt64, prefix: UInt64, channel: UInt64)
        /// Checks the run, merges it and syncs it to the disk, then calls
        /// ``SyncSession/stored(_:received:in:)``.
        case merge(SpaceID, Run)
        /// The peer has these batches on its disk. If a reach ends before the local log does, its
        /// prefix has not been compared yet.
        case acknowledged(SpaceID, [LogReach])
        /// Both sides now share a space on this link, and messages to its members reach the peer.
        case shared(SpaceID)
        /// Both replicas of a space are now known to be equal, or no longer known to be.
        case inSync(SpaceID, Bool)
        /// The peer holds another batch with a number that is stored here too.
        case forked(SpaceID, LogName, number: UInt64)
        /// A message to the members of a space arrived.
        case ephemeral(SpaceID, Ephemeral)
        /// The peer sent the hash of a range of a log. Hash the range here, then call
        /// ``SyncSession/audited(_:in:theirs:mine:)``.
        case audit(SpaceID, AuditRange, theirs: Bytes32)
        /// Hashes a range of a log, then calls ``SyncSession/audit(_:in:mine:)``.
        case hash(SpaceID, AuditRange)
        /// The peer's hash of one batch differs from the local one. Check whether the local batch
        /// is damaged.
        case differs(SpaceID, LogName, number: UInt64)
        /// The peer answered the n-th question for digests.
        case digestsAnswered(question: Int)
        /// The peer was asked for the digest of a space and answered without it: it does not share
        /// the space with this device.
        case notShared(SpaceID)
        /// The peer named an open space that is named to it too, with the digest of its offer. Call
        /// ``OpenExchange/named(_:digest:now:)``.
        case offered(SpaceID, digest: Bytes16)
        /// The peer does not share an open space any more.
        case notOffered(SpaceID)
        /// A message for the ``OpenExchange`` of an open space arrived.
        case open(SpaceID, Message)
    }

    let localNonce: Bytes16
    let remoteNonce: Bytes16
    var spaces: [SpaceID: SpaceState] = [:]
    var spaceByToken: [Token: SpaceID] = [:]
    /// The open spaces that are named to the peer, with the digests of their offers.
    var openDigests: [SpaceID: Bytes16] = [:]
    var openByToken: [Token: SpaceID] = [:]
    /// The tokens in the order in which the peer first sent them; the index is the channel number.
    var remoteTokens: [Token] = []
    var remoteChannels: [Token: UInt64] = [:]
    var remoteDigests: [Token: Bytes16] = [:]
    /// The spaces that the peer did not list when asked. It is asked about them again only after it
    /// lists them: a person removed from a group still offers the group and is not told about it.
    var unshared: Set<SpaceID> = []
    private var localChannelsCount: UInt64 = 0
    private var localChannels: [SpaceID: UInt64] = [:]
    private var ephemeralCounter: UInt64 = 0
    var lastEphemeralReceived: UInt64 = 0
    /// The unanswered questions for digests, oldest first. The peer answers them in order.
    var questions: [Set<SpaceID>] = []
    var answersCount = 0
    var audits = AuditLedger()
    private var wanted = WantAllowance()

    /// Creates a session between the nonces of two HELLO messages. No space is shared yet.
    public init(localNonce: Bytes16, remoteNonce: Bytes16) {
        self.localNonce = localNonce
        self.remoteNonce = remoteNonce
    }

    /// The spaces shared on this link now.
    public var sharedSpaces: Set<SpaceID> { Set(spaces.keys) }

    /// The shared spaces that the peer is known to share too.
    public var commonSpaces: Set<SpaceID> { sharedSpaces.subtracting(unshared) }

    /// Whether a message from the peer names a space, which the peer then shares.
    public func names(_ space: SpaceID, in have: Have) -> Bool {
        let token = remoteToken(of: space)
        return have.entries.contains { $0.token == token }
    }

    /// Whether the peer has named a space that is shared here: this side shares it with the peer's
    /// person, and the peer knows its id.
    public var isAnySpaceProven: Bool { spaces.keys.contains { remoteDigest(of: $0) != nil } }

    /// Whether the last two digests of a space were equal.
    public func isInSync(_ space: SpaceID) -> Bool { spaces[space]?.isInSync ?? false }

    /// The peer's last digest of a space; nil before the first one and while the peer does not
    /// share it.
    public func remoteDigest(of space: SpaceID) -> Bytes16? {
        unshared.contains(space) ? nil : remoteDigests[remoteToken(of: space)]
    }

    /// The batches of all shared spaces that are here, those that the peer has, and all that either
    /// has, as far as the peer has told.
    public var progress: (here: Int, there: Int, total: Int) {
        spaces.values.reduce(into: (0, 0, 0)) { sum, state in
            let one = state.progress
            sum = (sum.0 &+ one.here, sum.1 &+ one.there, sum.2 &+ one.total)
        }
    }

    /// The number of questions for digests that may be unanswered at a time.
    static let questionsMax = 64

    /// The number of the latest question for digests, counted from 1.
    public var lastQuestion: Int { answersCount + questions.count }

    // MARK: - Local changes

    /// Shares exactly these spaces from now on. Call this again when access changes.
    public mutating func share(_ shared: [SharedSpace]) -> [Effect] {
        let wanted = Set(shared.map(\.space))
        for space in spaces.keys where !wanted.contains(space) {
            spaces[space] = nil
            spaceByToken[remoteToken(of: space)] = nil
        }
        let fresh = shared.filter { spaces[$0.space] == nil }
        guard !fresh.isEmpty else { return [] }
        for space in fresh {
            spaces[space.space] = SpaceState(here: space, channel: assignChannel(to: space.space))
            spaceByToken[remoteToken(of: space.space)] = space.space
            unshared.remove(space.space)
        }
        var effects: [Effect] = [.send(have(fresh.map(\.space), .announcement))]
        for space in fresh {
            if remoteChannels[remoteToken(of: space.space)] != nil {
                effects.append(.shared(space.space))
            }
            effects += compare(space.space)
        }
        return effects
    }

    /// Processes a change of a local space: a commit of a local or received batch, or a cut or fork
    /// that shortened logs.
    public mutating func advanced(_ here: SharedSpace) -> [Effect] {
        guard var state = spaces[here.space], state.here != here else { return [] }
        let wasInSync = state.isInSync
        state.update(here)
        let pushes =
            state.isRemoteKnown ? state.missingThere(questionsCount: lastQuestion) : []
        spaces[here.space] = state
        return (wasInSync ? [.inSync(here.space, false)] : []) + pushes
    }

    /// Processes the storage of a run from the peer, whether or not it contained new batches. Logs
    /// that do not fit into one message are acknowledged with another.
    /// - Parameters:
    ///   - logs: the present state of the author's logs, all branches.
    ///   - received: the ends of the received batches in them.
    public mutating func stored(
        _ logs: [LogState], received: [LogReach], in space: SpaceID
    ) -> [Effect] {
        guard var state = spaces[space] else { return [] }
        for reach in received { state.raiseRemote(reach) }
        spaces[space] = state
        return stride(from: 0, to: max(logs.count, 1), by: Limits.vectorLogsMax).map { start in
            let some = logs.dropFirst(start).prefix(Limits.vectorLogsMax)
            return .send(.acknowledge(Vector(channel: state.channel, reaches: some)))
        }
    }

    /// Processes a run whose predecessor is missing: the vector is sent again, once for each
    /// change.
    public mutating func missing(in space: SpaceID) -> [Effect] {
        guard let state = spaces[space], !state.isVectorCurrent else { return [] }
        return sendVector(of: space)
    }

    /// Processes a run that was refused because other sides of its author's forked log are kept
    /// here. If the peer's logs are longer than these sides, it cannot know from the vector that it
    /// lacks them, so they are sent.
    ///
    /// For example, the peer's log ends with batches 5 to 9, and the local one with another 5,
    /// which every replica keeps instead. The peer drops its own 5 to 9 when it gets the other 5.
    public mutating func refusedSide(of author: DeviceID, in space: SpaceID) -> [Effect] {
        let question = lastQuestion
        return spaces[space]?.keptSides(of: author, questionsCount: question) ?? []
    }

    /// Requests batches that are stored without their bodies or are damaged. The same batches are
    /// requested again only after a growing pause.
    /// - Parameters:
    ///   - ends: for each log with such a batch, the last intact batch before it; the peer sends
    ///     the batches that follow. If no batch is intact, the number before the log's first batch.
    ///   - now: the time since any fixed point.
    public mutating func wants(
        after ends: [LogReach], in space: SpaceID, now: Duration
    ) -> [Effect] {
        guard let state = spaces[space], wanted.permitRequest(Set(ends), in: space, now: now) else {
            return []
        }
        let whole = Dictionary(ends.map { ($0.log, $0) }, uniquingKeysWith: { first, _ in first })
        let named = state.here.logs.prefix(Limits.vectorLogsMax).compactMap {
            Vector.Reach($0, wholeTo: whole[$0.log])
        }
        let vector = Vector(channel: state.channel, logs: named.sorted { $0.log < $1.log })
        return [.send(.vector(vector))]
    }

    /// Lets the next request for batches of a space be sent without a pause.
    public mutating func wantAtOnce(in space: SpaceID) { wanted.forget(space) }

    /// Asks for the peer's digests of all spaces, or only of those not known to be equal.
    public mutating func askDigests(onlyUnknown: Bool) -> [Effect] {
        let named = spaces.values.map(\.here.space).filter {
            !onlyUnknown || !isInSync($0) && !unshared.contains($0)
        }
        guard !named.isEmpty || !onlyUnknown else { return [] }
        guard questions.count < SyncSession.questionsMax else { return [] }
        questions.append(Set(named))
        return [.send(have(named.sorted(), .question))]
    }

    /// Sends a message to the members of a space. Has no effect if this side or the peer does not
    /// share the space.
    public mutating func ephemeral(
        _ space: SpaceID, topic: String, body: [UInt8], expiry: Duration
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
                        expiry: expiry, body: body)))
        ]
    }

    /// Returns a request for a piece of content; nil if the space is neither shared nor an open
    /// one that is named.
    public func request(_ hash: BlobHash, in space: SpaceID, offset: Int) -> ContentRequest? {
        let isNamed = spaces[space] != nil || openDigests[space] != nil
        guard isNamed, let channel = channel(of: space) else { return nil }
        return ContentRequest(channel: channel, hash: hash, offset: offset)
    }

    // MARK: - Digests and channels

    /// Compares the peer's last digest of a space with the present local one.
    mutating func compare(_ space: SpaceID) -> [Effect] {
        guard var state = spaces[space], let remote = remoteDigest(of: space) else { return [] }
        let wasInSync = state.isInSync
        let isEqual = remote == state.here.digest
        // A peer may hold every header and still lack bodies that it requested.
        state.isInSync = isEqual && !(state.isAskedAgain && state.isLackingSent)
        var effects: [Effect] = []
        if state.isInSync {
            state.isAskedAgain = false
            if state.setRemoteEqual(), !wasInSync {
                effects.append(.acknowledged(space, state.here.logs.map { LogReach($0.head) }))
            }
        }
        if wasInSync != state.isInSync { effects.append(.inSync(space, state.isInSync)) }
        spaces[space] = state
        return !isEqual && !state.isVectorCurrent ? sendVector(of: space) + effects : effects
    }

    /// Sends the local vector of a space.
    mutating func sendVector(of space: SpaceID) -> [Effect] {
        guard let state = spaces[space] else { return [] }
        spaces[space]?.isVectorCurrent = true
        return [.send(.vector(state.here.vector(channel: state.channel)))]
    }

    func have(_ named: [SpaceID], _ round: Have.Round) -> Message {
        let entries = named.compactMap { space -> Have.Entry? in
            guard let digest = spaces[space]?.here.digest ?? openDigests[space] else { return nil }
            let token = Token(space, sender: localNonce, receiver: remoteNonce)
            return Have.Entry(token: token, digest: digest)
        }
        return .have(Have(round: round, entries: entries))
    }

    mutating func assignChannel(to space: SpaceID) -> UInt64 {
        if let channel = localChannels[space] { return channel }
        defer { localChannelsCount += 1 }
        localChannels[space] = localChannelsCount
        return localChannelsCount
    }

    /// Returns this side's channel number of a space; nil if it was never named on this link.
    public func channel(of space: SpaceID) -> UInt64? { localChannels[space] }

    func remoteToken(of space: SpaceID) -> Token {
        Token(space, sender: remoteNonce, receiver: localNonce)
    }

    /// Returns the space with one of the peer's channel numbers, or nil if it is not shared here.
    public func space(ofChannel channel: UInt64) -> SpaceID? {
        guard channel < UInt64(remoteTokens.count) else { return nil }
        return spaceByToken[remoteTokens[Int(channel)]]
    }
}
