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
        /// Read the batches of a log after a number and send them as PUSH on this channel.
        case push(SpaceID, LogName, after: UInt64, channel: UInt64)
        /// Check, apply and sync to disk; then tell the session with
        /// ``SyncSession/stored(_:runThrough:in:)``.
        case merge(SpaceID, Run)
        /// The peer has these batches on its disk.
        case acknowledged(SpaceID, [LogReach])
        /// Whether both replicas of a space are known to be equal changed.
        case inSync(SpaceID, Bool)
        /// The peer holds another batch under a number that is here too.
        case forked(SpaceID, LogName, number: UInt64)
        /// A message to the members of a space arrived.
        case ephemeral(SpaceID, Ephemeral)
        /// The peer answered the n-th question for digests.
        case digestsAnswered(question: Int)
        /// The peer was asked for the digest of a space and named none: it shares the space with
        /// this device no longer, or not yet.
        case notShared(SpaceID)
    }

    let localNonce: Bytes16
    let remoteNonce: Bytes16
    private var spaces: [SpaceID: SpaceState] = [:]
    private var spaceByToken: [Token: SpaceID] = [:]
    /// Tokens in the order the peer first named them; the index is its channel.
    private var remoteTokens: [Token] = []
    private var remoteChannels: [Token: UInt64] = [:]
    private var remoteDigests: [Token: Bytes16] = [:]
    private var localChannelsCount: UInt64 = 0
    private var localChannels: [SpaceID: UInt64] = [:]
    private var ephemeralCounter: UInt64 = 0
    private var lastEphemeralReceived: UInt64 = 0
    /// The questions for digests that the peer has not answered yet, oldest first: it answers in
    /// order.
    private var questions: [Set<SpaceID>] = []
    private var answersCount = 0

    /// A session between two nonces of HELLO. Nothing is shared yet.
    public init(localNonce: Bytes16, remoteNonce: Bytes16) {
        self.localNonce = localNonce
        self.remoteNonce = remoteNonce
    }

    /// The spaces shared on this link now.
    public var sharedSpaces: Set<SpaceID> { Set(spaces.keys) }

    /// Whether the last digests of a space were equal.
    public func isInSync(_ space: SpaceID) -> Bool { spaces[space]?.isInSync ?? false }

    /// The peer's last digest of a space, or nil before it named one.
    public func remoteDigest(of space: SpaceID) -> Bytes16? {
        remoteDigests[remoteToken(of: space)]
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
        }
        var effects: [Effect] = [.send(have(fresh.map(\.space), .announcement))]
        for space in fresh { effects += compare(space.space) }
        return effects
    }

    /// Something was committed to a space, here or from another peer.
    public mutating func advanced(_ here: SharedSpace) -> [Effect] {
        guard var state = spaces[here.space] else { return [] }
        guard state.here != here else { return [] }
        state.here = here
        state.isVectorCurrent = false
        let wasInSync = state.isInSync
        state.isInSync = false
        let pushes = state.isRemoteKnown ? state.missingThere() : []
        spaces[here.space] = state
        return (wasInSync ? [.inSync(here.space, false)] : []) + pushes
    }

    /// A run of the peer's is on the disk: its log ends at `head` here now, and reaches to
    /// `number` at the peer at least.
    public mutating func stored(
        _ head: LogHead, runThrough number: UInt64, in space: SpaceID
    ) -> [Effect] {
        guard var state = spaces[space] else { return [] }
        state.raiseRemote(head.log, to: number)
        spaces[space] = state
        return [.send(.acknowledge(Vector(channel: state.channel, logs: [Vector.Reach(head)])))]
    }

    /// A run of the peer's left a gap: say again what is here, so that the rest comes.
    public func missing(in space: SpaceID) -> [Effect] {
        guard let state = spaces[space] else { return [] }
        return [.send(.vector(state.here.vector(channel: state.channel)))]
    }

    /// Asks for the peer's digests: of all spaces, or only where equality is not known.
    public mutating func askDigests(onlyUnknown: Bool) -> [Effect] {
        let named = spaces.values.filter { !onlyUnknown || !$0.isInSync }.map(\.here.space)
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

    // MARK: - What the peer says

    /// Takes one message of the peer's that concerns spaces; others change nothing.
    /// - Throws: ``SyncFault`` where the peer breaks the protocol; the link ends then.
    public mutating func receive(_ message: Message) throws(SyncFault) -> [Effect] {
        switch message {
        case .have(let have): return try receive(have)
        case .vector(let vector): return receive(vector)
        case .push(let push):
            guard let space = space(ofChannel: push.channel) else {
                return [.send(.none(channel: push.channel))]
            }
            return [.merge(space, push.run)]
        case .acknowledge(let vector): return receive(acknowledgement: vector)
        case .ephemeral(let message): return receive(message)
        case .audit(let audit):
            // Ranges are compared by a later version; a space not shared says so already.
            return space(ofChannel: audit.channel) == nil
                ? [.send(.none(channel: audit.channel))] : []
        default: return []
        }
    }

    private mutating func receive(_ have: Have) throws(SyncFault) -> [Effect] {
        var effects: [Effect] = []
        var answered: [SpaceID] = []
        for entry in have.entries {
            if remoteChannels[entry.token] == nil {
                guard remoteTokens.count < Limits.linkSpacesMax else { throw .tooManySpaces }
                remoteChannels[entry.token] = UInt64(remoteTokens.count)
                remoteTokens.append(entry.token)
            }
            remoteDigests[entry.token] = entry.digest
            guard let space = spaceByToken[entry.token] else { continue }
            answered.append(space)
            effects += compare(space)
        }
        switch have.round {
        case .announcement: break
        case .question: effects.insert(.send(self.have(answered, .answer)), at: 0)
        case .answer:
            guard !questions.isEmpty else { break }
            let asked = questions.removeFirst()
            answersCount += 1
            effects += asked.subtracting(answered).sorted().map { .notShared($0) }
            effects += asked.intersection(answered).sorted().flatMap(sayAgain)
            effects.append(.digestsAnswered(question: answersCount))
        }
        return effects
    }

    private mutating func receive(_ vector: Vector) -> [Effect] {
        guard let space = space(ofChannel: vector.channel), var state = spaces[space] else {
            return [.send(.none(channel: vector.channel))]
        }
        var effects: [Effect] = []
        state.isRemoteKnown = true
        state.sent = [:]
        state.remote = [:]
        for reach in vector.logs {
            state.remote[reach.log] = reach.high
            if let head = state.head(of: reach.log), head.number == reach.high,
                head.hash.prefix != reach.prefix
            {
                effects.append(.forked(space, reach.log, number: reach.high))
            }
        }
        let pushes = state.missingThere()
        effects += pushes
        if state.isInSync, !pushes.isEmpty || state.isMissingHere {
            state.isInSync = false
            effects.append(.inSync(space, false))
        }
        if state.isMissingHere, !state.isVectorCurrent {
            state.isVectorCurrent = true
            effects.append(.send(.vector(state.here.vector(channel: state.channel))))
        }
        spaces[space] = state
        return effects
    }

    private mutating func receive(acknowledgement vector: Vector) -> [Effect] {
        guard let space = space(ofChannel: vector.channel), var state = spaces[space] else {
            return [.send(.none(channel: vector.channel))]
        }
        var reaches: [LogReach] = []
        for reach in vector.logs {
            // What is not here cannot have been sent from here: such a claim is not believed.
            guard let head = state.head(of: reach.log), reach.high <= head.number else { continue }
            state.raiseRemote(reach.log, to: reach.high)
            reaches.append(LogReach(log: reach.log, number: reach.high, prefix: reach.prefix))
        }
        spaces[space] = state
        return reaches.isEmpty ? [] : [.acknowledged(space, reaches)]
    }

    private mutating func receive(_ message: Ephemeral) -> [Effect] {
        guard let space = space(ofChannel: message.channel) else {
            return [.send(.none(channel: message.channel))]
        }
        guard message.counter > lastEphemeralReceived else { return [] }
        lastEphemeralReceived = message.counter
        return [.ephemeral(space, message)]
    }

    // MARK: - Digests and channels

    /// Compares the peer's last digest of a space with what is here now.
    private mutating func compare(_ space: SpaceID) -> [Effect] {
        guard var state = spaces[space], let remote = remoteDigest(of: space) else { return [] }
        let wasInSync = state.isInSync
        state.isInSync = remote == state.here.digest
        var effects: [Effect] = []
        if state.isInSync {
            state.isRemoteKnown = true
            for head in state.here.logs {
                state.raiseRemote(head.log, to: head.number)
            }
            if !wasInSync {
                effects.append(.acknowledged(space, state.here.logs.map(LogReach.init)))
            }
        } else if !state.isVectorCurrent {
            state.isVectorCurrent = true
            effects.append(.send(.vector(state.here.vector(channel: state.channel))))
        }
        if wasInSync != state.isInSync { effects.append(.inSync(space, state.isInSync)) }
        spaces[space] = state
        return effects
    }

    /// Digests were asked for and are unequal still: what was said of this side's logs may have
    /// been lost on the way to the peer's disk, so it is said again.
    private func sayAgain(_ space: SpaceID) -> [Effect] {
        guard let state = spaces[space], !state.isInSync else { return [] }
        return [.send(.vector(state.here.vector(channel: state.channel)))]
    }

    private func have(_ named: [SpaceID], _ round: Have.Round) -> Message {
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

    private func remoteToken(of space: SpaceID) -> Token {
        Token(space, sender: remoteNonce, receiver: localNonce)
    }

    private func space(ofChannel channel: UInt64) -> SpaceID? {
        guard channel < UInt64(remoteTokens.count) else { return nil }
        return spaceByToken[remoteTokens[Int(channel)]]
    }
}
