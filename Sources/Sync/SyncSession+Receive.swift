internal import Records

// Messages from the peer.
extension SyncSession {
    /// Processes one message from the peer. Messages that do not concern spaces have no effect.
    /// - Throws: ``SyncFault`` if the peer violates the protocol; the link then ends.
    public mutating func receive(_ message: Message) throws(SyncFault) -> [Effect] {
        switch message {
        case .have(let have): return try receive(have)
        case .vector(let vector):
            guard let space = space(ofChannel: vector.channel) else {
                return [.send(.none(channel: vector.channel))]
            }
            return receive(vector, of: space)
        case .push(let push):
            guard let space = space(ofChannel: push.channel) else {
                return [.send(.none(channel: push.channel))]
            }
            return [.merge(space, push.run)]
        case .acknowledge(let vector):
            guard let space = space(ofChannel: vector.channel) else {
                return [.send(.none(channel: vector.channel))]
            }
            return receive(acknowledgement: vector, of: space)
        case .ephemeral(let message): return receive(message)
        case .audit(let audit): return receive(audit)
        case .none(let channel): return receive(noneOn: channel)
        case .offer(let offer): return receive(open: message, channel: offer.channel)
        case .ask(let question): return receive(open: message, channel: question.channel)
        case .passed(let passed): return receive(open: message, channel: passed.channel)
        case .notPassed(let answer): return receive(open: message, channel: answer.channel)
        case .seek(let seek): return receive(open: message, channel: seek.channel)
        case .found(let found): return receive(open: message, channel: found.channel)
        default: return []
        }
    }

    /// Compares each named space once, by the last digest that the message has for it. The message
    /// may repeat a token 4096 times, and one comparison may have the heads of all logs as its
    /// effect.
    private mutating func receive(_ have: Have) throws(SyncFault) -> [Effect] {
        var effects: [Effect] = []
        var answered: [SpaceID] = []
        var compared: Set<SpaceID> = []
        for entry in have.entries {
            let isNew = try record(entry)
            if let open = openByToken[entry.token] {
                if compared.insert(open).inserted { answered.append(open) }
                continue
            }
            guard let space = spaceByToken[entry.token] else { continue }
            if isNew { effects.append(.shared(space)) }
            if compared.insert(space).inserted { answered.append(space) }
        }
        for space in answered {
            effects += openDigests[space] == nil ? compare(space) : offered(space)
        }
        switch have.round {
        case .announcement: break
        case .question: effects.insert(.send(self.have(answered, .answer)), at: 0)
        case .answer: effects += processAnswer(answered)
        }
        return effects
    }

    /// Records the channel number and the digest that the peer sent for a space.
    /// - Returns: whether it is news that the peer shares the space.
    private mutating func record(_ entry: Have.Entry) throws(SyncFault) -> Bool {
        var isNew = false
        if remoteChannels[entry.token] == nil {
            isNew = true
            guard remoteTokens.count < Limits.linkSpacesMax else { throw .tooManySpaces }
            remoteChannels[entry.token] = UInt64(remoteTokens.count)
            remoteTokens.append(entry.token)
        }
        remoteDigests[entry.token] = entry.digest
        if let space = spaceByToken[entry.token], unshared.remove(space) != nil { isNew = true }
        return isNew
    }

    /// Processes the peer's answer to a question: everything sent before the question has arrived.
    private mutating func processAnswer(_ answered: [SpaceID]) -> [Effect] {
        guard !questions.isEmpty else { return [] }
        let asked = questions.removeFirst()
        answersCount += 1
        var effects = asked.subtracting(answered).sorted().map { Effect.notShared($0) }
        unshared.formUnion(asked.subtracting(answered))
        for space in asked.intersection(answered).sorted() { effects += sendAgain(space) }
        return effects + [.digestsAnswered(question: answersCount)]
    }

    /// Sends the vector and the missing batches of a space again. Digests were asked for and still
    /// differ, or are equal while the peer repeats its request, so earlier messages may have been
    /// lost before they were stored. Afterwards equal digests count even if a repeat is not
    /// permitted yet: the peer may have sent its request before it received the batches from
    /// others.
    private mutating func sendAgain(_ space: SpaceID) -> [Effect] {
        guard var state = spaces[space], !state.isInSync else { return [] }
        state.permitRepeats(question: answersCount)
        let isEqual = remoteDigest(of: space) == state.here.digest
        if isEqual { state.isAskedAgain = false }
        let pushes = state.isRemoteKnown ? state.missingThere(questionsCount: lastQuestion) : []
        spaces[space] = state
        return isEqual ? pushes + compare(space) : sendVector(of: space) + pushes
    }

    private mutating func receive(_ vector: Vector, of space: SpaceID) -> [Effect] {
        guard var state = spaces[space] else { return [] }
        // The acknowledgement of these batches may have been lost with an earlier link. A reach
        // below the last one acknowledges nothing: the peer asks for a body again.
        let held = vector.logs.map(\.end).filter { state.isRaising($0) && state.mayHold($0) }
        var effects: [Effect] = held.isEmpty ? [] : [.acknowledged(space, held)]
        state.setRemote(vector.logs.map(\.end))
        for reach in vector.logs {
            if let head = state.head(of: reach.log), reach.end.differs(from: head) {
                effects.append(.forked(space, reach.log, number: reach.high))
            }
        }
        state.isAskedAgain = state.isLackingSent
        let pushes = state.missingThere(questionsCount: lastQuestion)
        effects += pushes
        let isUnequal = !pushes.isEmpty || state.isMissingHere || state.isAskedAgain
        if state.isInSync, isUnequal {
            state.isInSync = false
            effects.append(.inSync(space, false))
        }
        spaces[space] = state
        if state.isMissingHere, !state.isVectorCurrent { effects += sendVector(of: space) }
        return effects
    }

    private mutating func receive(
        acknowledgement vector: Vector, of space: SpaceID
    ) -> [Effect] {
        guard var state = spaces[space] else { return [] }
        let reaches = vector.logs.map(\.end)
        for reach in reaches { state.raiseRemote(reach) }
        let believed = reaches.filter(state.mayHold)
        spaces[space] = state
        return believed.isEmpty ? [] : [.acknowledged(space, believed)]
    }

    private mutating func receive(_ message: Ephemeral) -> [Effect] {
        guard let space = space(ofChannel: message.channel) else {
            return [.send(.none(channel: message.channel))]
        }
        guard message.counter > lastEphemeralReceived else { return [] }
        lastEphemeralReceived = message.counter
        return [.ephemeral(space, message)]
    }
}
