public import PluginKit
internal import ProximityDropAPI

/// The transitions that the person causes.
extension DropSession {
    /// Presses the button: offers a drop to `target`, or to the only candidate if there is one.
    /// - Parameters:
    ///   - sighted: the person to drop with, if their device is not linked yet. The caller dials it
    ///     and reports with ``reached(_:now:)``.
    ///   - isRanged: whether the other device is found by its distance, with
    ///     ``receive(_:now:)``; then a single candidate is not chosen.
    ///   - thumbnail: the thumbnail of this person's photo; it is sent only with the card, and
    ///     to a side that reads thumbnails.
    ///   - nonce: 32 fresh random bytes.
    ///   - candidates: devices nearby whose drop is open.
    ///   - isBump: whether the person says that the two have just met. It has a target, or a person
    ///     whose device is not linked yet, and ``DropPhase/bumpMax`` to find them.
    /// - Throws: ``CommandFault/conflict(_:)`` while another drop is on.
    public mutating func press(
        target: DeviceID?, sighted: Sighted? = nil, isRanged: Bool = false, share: Bool,
        card: DropCard, thumbnail: [UInt8]? = nil, nonce: Bytes32, candidates: [DeviceID],
        isBump: Bool = false, now: Duration
    ) throws(CommandFault) -> [Effect] {
        guard !phase.isActive else {
            throw .conflict("A drop is already running; finish or cancel it first.")
        }
        forget()
        press = Press(
            share: share, nonce: nonce, card: share ? card : card.withoutFields,
            thumbnail: share ? thumbnail : nil,
            commitment: DropTranscript.commitment(of: me.device, nonce: nonce), target: target,
            isBump: isBump, sighted: sighted, isRanged: isRanged)
        enter(.finding, until: now + (isBump ? DropPhase.bumpMax : DropPhase.findingMax))
        let announcement: [Effect] = isBump ? [] : [.announceOpen(true)]
        return announcement + incomingEffects(now) + find(candidates, now) + [.changed]
    }

    /// Chooses among several candidates during the search.
    /// - Throws: ``CommandFault/conflict(_:)`` if there is nothing to choose.
    public mutating func choose(
        _ target: DeviceID, now: Duration
    ) throws(CommandFault) -> [Effect] {
        guard phase == .finding, press?.target == nil, press?.sighted == nil else {
            throw .conflict("A drop is already running; finish or cancel it first.")
        }
        press?.target = target
        return find([], now) + [.changed]
    }

    /// Records the result of dialling the person of ``sighted``. The offer is sent as soon as their
    /// device is linked.
    public mutating func reached(_ reach: NearbyReach, now: Duration) -> [Effect] {
        guard phase == .finding, var press, let sighted = press.sighted else { return [] }
        switch reach {
        case .linked(let device):
            guard press.target != device else { return [] }
            press.target = device
            press.sighted?.failure = nil
        case .dialling(let failure):
            guard sighted.failure != failure else { return [] }
            press.sighted?.failure = failure
        case .gone:
            return press.target == nil ? fail(.left) : []
        }
        self.press = press
        return find([], now) + [.changed]
    }

    /// Accepts the other's card: stores the edge, then sends the answer.
    /// - Throws: ``CommandFault/conflict(_:)`` if there is nothing to accept.
    public mutating func accept(now: Duration) throws(CommandFault) -> [Effect] {
        guard phase == .deciding, var exchange, exchange.myAnswer == nil,
            let transcript = exchange.transcript, let card = exchange.card
        else { throw .conflict("There is no card to accept now.") }
        exchange.myAnswer = .accept
        exchange.farewellEnd = now + DropTimes.farewell
        self.exchange = exchange
        let proposal = Effect.propose(
            exchange.peer.person, meeting: transcript.meeting, card)
        if exchange.theirAnswer == .accept { enter(.waiting, until: nil) }
        return [proposal] + sendState() + [.changed]
    }

    /// Declines the other's card, or the invitation that is shown.
    /// - Throws: ``CommandFault/conflict(_:)`` if there is nothing to decline.
    public mutating func decline(now: Duration) throws(CommandFault) -> [Effect] {
        if phase == .deciding, exchange?.myAnswer == nil {
            return decline(.iDeclined, now)
        }
        guard let invited = incoming(now: now), let invitation = invitations[invited.device] else {
            throw .conflict("There is no card and no invitation to decline now.")
        }
        refuse(invitation.commitment)
        let end = Effect.send(
            .end(commitment: invitation.commitment, .declined), to: invited.device)
        return [end] + incomingEffects(now) + [.changed]
    }

    /// Ends the drop and tells the other side.
    /// - Throws: ``CommandFault/conflict(_:)`` if no drop is on.
    public mutating func cancel(now: Duration) throws(CommandFault) -> [Effect] {
        guard phase.isActive else { throw .conflict("There is no drop to cancel.") }
        return end(.cancelled, .iCancelled, telling: .cancelled)
    }

    /// Receives the relation that the edges of both sides give now.
    public mutating func settle(_ relation: Relation) -> [Effect] {
        guard phase == .waiting else { return [] }
        switch relation {
        case .waiting: return []
        case .mate: enter(.mates, until: nil)
        case .stranger, .blocked:
            ending = .theyDidNotAccept
            enter(.declined, until: nil)
        }
        return [.changed]
    }

    /// Ends the drop because this side cannot go on.
    public mutating func fail(_ failure: DropFailure) -> [Effect] {
        guard phase.isActive || phase == .waiting else { return [] }
        return end(.failed, .failed(failure), telling: .failed)
    }
}

extension DropSession {
    mutating func enter(_ phase: DropPhase, until deadline: Duration?) {
        self.phase = phase
        self.deadline = deadline
    }

    mutating func forget() {
        press = nil
        exchange = nil
        ending = nil
        told = nil
        candidates = []
        enter(.idle, until: nil)
    }

    mutating func refuse(_ commitment: Bytes32) {
        refused.append(commitment)
        if refused.count > DropLimits.invitationsMax { refused.removeFirst() }
    }

    /// Declines, because of my refusal or the lack of an answer. The answer is repeated until the
    /// other side has seen it.
    mutating func decline(_ ending: DropEnding, _ now: Duration) -> [Effect] {
        exchange?.myAnswer = .decline
        exchange?.farewellEnd = now + DropTimes.farewell
        self.ending = ending
        enter(.declined, until: nil)
        return withdrawal() + sendState() + [.changed]
    }

    /// Ends the drop in a phase, tells the other side if a reason is given, and withdraws this
    /// side's edge.
    mutating func end(
        _ phase: DropPhase, _ ending: DropEnding, telling told: DropMessage.EndReason?
    ) -> [Effect] {
        let wasFinding = self.phase == .finding
        var effects: [Effect] = []
        self.told = told
        if let other = exchange?.peer.device ?? press?.target { effects += sendEnd(to: other) }
        self.ending = ending
        enter(phase, until: nil)
        if wasFinding { effects.append(.announceOpen(false)) }
        // Later messages of the other side for this drop are no new invitation.
        if let commitment = exchange?.commitment { refuse(commitment) }
        return effects + withdrawal() + [.changed]
    }

    /// Returns the effect that withdraws my edge. No edge can have been stored before both nonces
    /// were known, so there is none to withdraw then.
    private func withdrawal() -> [Effect] {
        guard let exchange, exchange.card != nil, let meeting else { return [] }
        return [.withdraw(exchange.peer.person, meeting: meeting)]
    }

    /// Tells the other side, again if needed, that the drop is over here.
    func sendEnd(to other: DeviceID) -> [Effect] {
        guard let told, let press else { return [] }
        return [.send(.end(commitment: press.commitment, told), to: other)]
    }

    func sendState() -> [Effect] {
        guard let exchange else { return [] }
        let state = DropState(
            hasYourCard: exchange.card != nil, answer: exchange.myAnswer,
            sawYourAnswer: exchange.theirAnswer != nil,
            asks: exchange.myAnswer != nil && !exchange.sawMyAnswer,
            hasYourThumbnail: exchange.thumbnail != nil)
        return [.send(.state(id: exchange.id, state), to: exchange.peer.device)]
    }
}
