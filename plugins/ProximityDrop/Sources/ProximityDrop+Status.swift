internal import PluginKit
internal import ProximityDropAPI

/// The answer of `drop show`.
extension ProximityDrop {
    /// Returns the state of this node's drop.
    func status() async throws -> DropStatus {
        let card = await card()
        let elsewhere = try await dropElsewhere()
        let ranged = try await ranged()
        if let peer = session.incoming(now: now) {
            return DropStatus(
                phase: .idle, incoming: true, peer: Self.peer(peer.device), elsewhere: elsewhere,
                ranged: ranged)
        }
        let candidates = session.candidates.map { Self.peer($0) }
        return DropStatus(
            phase: session.phase,
            id: dropID,
            share: session.isSharing,
            secondsLeft: session.deadline.map { max(.zero, $0 - now).secondsRoundedUp },
            checkCode: session.checkCode.map { CheckCode(digits: $0) },
            myAnswer: session.myAnswer.map(DropStatus.Answer.init),
            reason: session.ending?.sentence,
            peer: session.device.map {
                Self.peer($0, card: card, hasPhoto: theirThumbnail != nil)
            }, meeting: session.phase == .idle ? nil : meeting, reaching: reaching,
            candidates: candidates.isEmpty ? nil : candidates, elsewhere: elsewhere,
            ranged: ranged)
    }

    /// The person whose device is dialled; nil once it is linked.
    private var reaching: DropStatus.Reaching? {
        guard session.device == nil, let sighted = session.sighted else { return nil }
        return DropStatus.Reaching(
            tag: sighted.tag, name: sighted.name, trouble: sighted.failure)
    }

    /// The id of the drop; nil before both sides have pressed.
    private var dropID: RecordKey? {
        session.id.map { RecordKey(digits: Hexadecimal.text($0.bytes)) }
    }

    /// Publishes that the state of the drop changed, here or on another device of mine.
    func publishChange(tellingOthers: Bool = true) async {
        if tellingOthers {
            do { try await tellOwnDevices() } catch {
                context.logger.debug("My other devices were not told of the drop: \(error)")
            }
        }
        await context.events.publish(
            DropEvents.changed, DropChange(id: dropID, phase: session.phase))
    }

    /// Returns the other's card, limited to the fields that may be shown.
    private func card() async -> ProfileFields? {
        guard let id = session.id, let card = session.theirCard else { return nil }
        if shownCard?.id != id {
            shownCard = (id, await context.core.checkedCard(card.fields))
        }
        return shownCard?.fields
    }

    /// The thumbnail of the other's photo, if it is one by its structure. Nothing decodes it here.
    var theirThumbnail: PhotoThumbnail? { session.theirThumbnail.flatMap { PhotoThumbnail($0) } }

    private static func peer(
        _ device: DeviceID, card: ProfileFields? = nil, hasPhoto: Bool = false
    ) -> DropStatus.Peer {
        DropStatus.Peer(
            device: Key(device), suffix: KeySuffix(device), card: card,
            photo: hasPhoto ? true : nil)
    }
}

extension DropStatus.Answer {
    fileprivate init(_ answer: DropAnswer) {
        switch answer {
        case .accept: self = .accept
        case .decline: self = .decline
        }
    }
}
