public import PluginKit
internal import ProximityDropAPI

/// The transitions that the other side and the clock cause.
extension DropSession {
    /// Receives one message. A message of another drop, or one out of order, changes nothing:
    /// missing messages are sent again.
    public mutating func receive(
        _ message: DropMessage, from sender: Peer, now: Duration
    ) -> [Effect] {
        switch message {
        case .offer(let commitment): return receiveOffer(commitment, isBump: false, sender, now)
        case .bump(let commitment): return receiveOffer(commitment, isBump: true, sender, now)
        case .end(let commitment, let reason): return receiveEnd(commitment, reason, sender, now)
        case .reveal(let id, _), .card(let id, _), .state(let id, _), .thumbnail(let id, _):
            guard let exchange, exchange.peer == sender, exchange.id == id else { return [] }
            self.exchange?.lastHeard = now
            self.exchange?.knowsOffer = true
            if told != nil { return sendEnd(to: sender.device) }
        }
        switch message {
        case .reveal(_, let nonce): return receiveReveal(nonce)
        case .card(_, let bytes): return receiveCard(bytes, now)
        case .state(_, let state): return receiveState(state, now)
        case .thumbnail(_, let bytes): return receiveThumbnail(bytes)
        case .offer, .bump, .end: return []
        }
    }

    /// Receives bytes from the other side that are not a message.
    public mutating func receiveMalformed(from sender: Peer) -> [Effect] {
        guard phase == .exchanging || phase == .deciding, exchange?.peer == sender else {
            return []
        }
        return fail(.malformed)
    }

    /// Advances the session to the present time. Call it once a second, unless the session is
    /// quiet.
    /// - Parameter candidates: devices nearby whose drop is open.
    public mutating func tick(candidates: [DeviceID], now: Duration) -> [Effect] {
        let effects: [Effect] =
            switch phase {
            case .finding: tickFinding(candidates, now)
            case .exchanging: tickExchanging(now)
            case .deciding: tickDeciding(now)
            case .idle, .waiting, .mates, .declined, .failed, .cancelled: tickAfterwards(now)
            }
        invitations = invitations.filter { isLive($0.value, now) }
        return effects + incomingEffects(now)
    }

    /// Whether the passing of time alone changes nothing now.
    public func isQuiet(now: Duration) -> Bool {
        !phase.isActive && !awaitsEdges && invitations.isEmpty && shownIncoming == nil
            && tickAfterwards(now).isEmpty
    }

    private mutating func tickFinding(_ candidates: [DeviceID], _ now: Duration) -> [Effect] {
        if let deadline, press?.isBump == true ? now > deadline : now >= deadline {
            return fail(findingFailure)
        }
        let before = self.candidates
        let effects = chooseRanged(now) + find(candidates, now)
        return effects + (self.candidates == before ? [] : [.changed])
    }

    /// The reason why nobody was found in time.
    private var findingFailure: DropFailure {
        guard press?.target == nil else { return press?.isBump == true ? .apart : .unanswered }
        if press?.isRanged == true { return .notTogether }
        return press?.sighted.map { .notReached($0.failure) } ?? .notFound
    }

    private mutating func tickExchanging(_ now: Duration) -> [Effect] {
        if let deadline, now >= deadline { return fail(.tooSlow) }
        return outstanding()
    }

    private mutating func tickDeciding(_ now: Duration) -> [Effect] {
        guard let exchange else { return [] }
        let isSilent = now - exchange.lastHeard >= DropTimes.silence
        let isOver = deadline.map { now >= $0 } ?? false
        switch exchange.myAnswer {
        case nil where isSilent: return fail(.lost)
        case nil where isOver: return decline(.iDidNotAnswer, now)
        case .some where isSilent || isOver:
            enter(.waiting, until: nil)
            return sendState() + [.changed]
        default: return sendThumbnail() + sendState()
        }
    }

    /// Repeats the answer for a while to a peer that has not acknowledged it.
    private func tickAfterwards(_ now: Duration) -> [Effect] {
        guard let exchange, exchange.myAnswer != nil, !exchange.sawMyAnswer,
            let end = exchange.farewellEnd, now < end, phase != .cancelled, phase != .failed
        else { return [] }
        return sendState()
    }

    /// Chooses the target of the press, sends it an offer, and begins the exchange if it sent one
    /// too.
    mutating func find(_ open: [DeviceID], _ now: Duration) -> [Effect] {
        guard var press else { return [] }
        if press.target == nil {
            guard press.sighted == nil, !press.isRanged else { return [] }
            let inviting = invitations.values.filter { isLive($0, now) && !$0.isBump }
                .map(\.peer.device)
            candidates = Set(open + inviting).subtracting([me.device]).sorted()
            guard candidates.count == 1, let only = candidates.first else { return [] }
            press.target = only
            self.press = press
        }
        guard let target = press.target else { return [] }
        candidates = []
        if press.isBump, let deadline, now > deadline { return fail(findingFailure) }
        let offer = Effect.send(press.opening, to: target)
        guard let invitation = invitations[target], isLive(invitation, now) else { return [offer] }
        return [offer] + begin(with: invitation, press, now)
    }

    private mutating func begin(
        with invitation: Invitation, _ press: Press, _ now: Duration
    ) -> [Effect] {
        exchange = Exchange(
            peer: invitation.peer, commitment: invitation.commitment,
            id: DropTranscript.id(press.commitment, invitation.commitment), lastHeard: now)
        invitations[invitation.peer.device] = nil
        enter(.exchanging, until: now + DropPhase.exchangingMax)
        return [.announceOpen(false)] + outstanding() + [.changed]
    }

    /// Returns the messages that the other side may not have yet.
    private func outstanding() -> [Effect] {
        guard let press, let exchange else { return [] }
        var messages: [DropMessage] = []
        if !exchange.knowsOffer { messages.append(press.opening) }
        if !exchange.knowsNonce {
            messages.append(.reveal(id: exchange.id, nonce: press.nonce))
        }
        if exchange.transcript != nil, !exchange.hasMyCard {
            messages.append(.card(id: exchange.id, press.card.encoded))
        }
        return messages.map { .send($0, to: exchange.peer.device) } + sendThumbnail()
    }

    /// Sends my thumbnail, until it is acknowledged, to a side that reads thumbnails.
    private func sendThumbnail() -> [Effect] {
        guard let exchange, let thumbnail = press?.thumbnail, !exchange.hasMyThumbnail,
            exchange.card?.readsThumbnails == true
        else { return [] }
        return [.send(.thumbnail(id: exchange.id, thumbnail), to: exchange.peer.device)]
    }

    private mutating func receiveOffer(
        _ commitment: Bytes32, isBump: Bool, _ sender: Peer, _ now: Duration
    ) -> [Effect] {
        guard sender.device != me.device else { return [] }
        if let exchange, exchange.commitment == commitment {
            self.exchange?.lastHeard = now
            return sendEnd(to: sender.device)
        }
        guard !refused.contains(commitment) else { return [] }
        invitations[sender.device] = Invitation(
            peer: sender, commitment: commitment, isBump: isBump, lastHeard: now)
        dropOldestInvitation()
        if phase == .finding, press?.target == sender.device { return find([], now) }
        return invitationsChanged(now)
    }

    private mutating func dropOldestInvitation() {
        guard invitations.count > DropLimits.invitationsMax,
            let oldest = invitations.min(by: { $0.value.lastHeard < $1.value.lastHeard })
        else { return }
        invitations[oldest.key] = nil
    }

    private mutating func receiveEnd(
        _ commitment: Bytes32, _ reason: DropMessage.EndReason, _ sender: Peer, _ now: Duration
    ) -> [Effect] {
        if invitations[sender.device]?.commitment == commitment {
            invitations[sender.device] = nil
            return invitationsChanged(now)
        }
        let isOurs: Bool
        if let exchange {
            isOurs =
                exchange.peer == sender
                && (commitment == exchange.commitment || commitment == press?.commitment)
        } else {
            isOurs = press?.target == sender.device && commitment == press?.commitment
        }
        guard isOurs, phase.isActive || phase == .waiting else { return [] }
        switch reason {
        case .cancelled: return end(.cancelled, .theyCancelled, telling: nil)
        case .declined: return end(.declined, .theyDeclined, telling: nil)
        case .failed: return end(.failed, .failed(.otherFailed), telling: nil)
        }
    }

    private mutating func receiveReveal(_ nonce: Bytes32) -> [Effect] {
        guard phase == .exchanging, let press, var exchange, exchange.transcript == nil else {
            return []
        }
        let promised = DropTranscript.commitment(of: exchange.peer.device, nonce: nonce)
        guard promised == exchange.commitment else { return fail(.commitmentMismatch) }
        exchange.transcript = DropTranscript(
            (me.device, press.nonce), (exchange.peer.device, nonce))
        self.exchange = exchange
        return outstanding() + [.changed]
    }

    private mutating func receiveCard(_ bytes: [UInt8], _ now: Duration) -> [Effect] {
        // A card that comes before the nonce is sent again after it.
        guard let exchange, exchange.transcript != nil,
            phase == .exchanging || phase == .deciding
        else { return [] }
        self.exchange?.knowsNonce = true
        // Only the first card is shown; repeated ones are only acknowledged.
        guard exchange.card == nil else { return sendState() }
        guard let card = try? DropCard(decoding: bytes) else { return fail(.malformed) }
        self.exchange?.card = card
        return sendState() + sendThumbnail() + decideIfReady(now) + [.changed]
    }

    /// Receives the thumbnail of a side that shares its card. One that comes before the card is
    /// sent again after it; of several, the first counts, so that a drop costs one decoding.
    private mutating func receiveThumbnail(_ bytes: [UInt8]) -> [Effect] {
        guard let exchange, let card = exchange.card, !card.isEmpty,
            phase == .exchanging || phase == .deciding
        else { return [] }
        guard exchange.thumbnail == nil else { return sendState() }
        self.exchange?.thumbnail = bytes
        return sendState() + [.changed]
    }

    private mutating func receiveState(_ state: DropState, _ now: Duration) -> [Effect] {
        guard let exchange, exchange.transcript != nil else { return [] }
        self.exchange?.knowsNonce = true
        if state.hasYourCard { self.exchange?.hasMyCard = true }
        if state.hasYourThumbnail { self.exchange?.hasMyThumbnail = true }
        if state.sawYourAnswer, exchange.myAnswer != nil { self.exchange?.sawMyAnswer = true }
        let effects = phase == .exchanging ? decideIfReady(now) : []
        // A side that has not acknowledged a card cannot have answered it.
        guard phase != .exchanging else { return effects }
        return effects + receiveAnswer(state.answer) + (state.asks ? sendState() : [])
    }

    /// Records an answer in any phase: two sides that both report having seen the answer of the
    /// other stop asking, so replies end.
    private mutating func receiveAnswer(_ answer: DropAnswer?) -> [Effect] {
        guard let answer, exchange?.theirAnswer == nil else { return [] }
        exchange?.theirAnswer = answer
        guard phase == .deciding || phase == .waiting else { return [] }
        switch answer {
        case .decline: return end(.declined, .theyDeclined, telling: nil)
        case .accept where exchange?.myAnswer == .accept:
            enter(.waiting, until: nil)
            return [.changed]
        case .accept: return [.changed]
        }
    }

    private mutating func decideIfReady(_ now: Duration) -> [Effect] {
        guard phase == .exchanging, let exchange, exchange.card != nil, exchange.hasMyCard else {
            return []
        }
        enter(.deciding, until: now + DropPhase.decidingMax)
        return [.changed]
    }

    /// Reports a change that a message caused, at most once per ``DropTimes/report``. A change that
    /// comes sooner is reported by the next tick, if it still holds.
    private mutating func invitationsChanged(_ now: Duration) -> [Effect] {
        if let shownSince, now - shownSince < DropTimes.report { return [] }
        return incomingEffects(now)
    }

    /// Reports when a device begins or stops inviting this side.
    mutating func incomingEffects(_ now: Duration) -> [Effect] {
        let peer = incoming(now: now)
        guard peer?.device != shownIncoming else { return [] }
        (shownIncoming, shownSince) = (peer?.device, now)
        return [.incoming(peer), .changed]
    }
}
