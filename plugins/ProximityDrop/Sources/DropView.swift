internal import PluginKit

/// What `drop show` answers.
extension ProximityDrop {
    func show() async -> JSONValue {
        let card = await card()
        var members = session.incoming(now: now).map(invitation) ?? current(card)
        // No ranging provider exists yet, and a position on a map never qualifies as one.
        members["ranged"] = [
            "available": false,
            "reason": "No device here measures distances; choose the person instead.",
        ]
        return .record(members)
    }

    private func invitation(_ peer: Peer) -> [String: JSONValue?] {
        [
            "phase": .string(DropPhase.idle.rawValue), "incoming": true,
            "peer": Self.peer(peer.device, card: nil),
        ]
    }

    private func current(_ card: JSONValue?) -> [String: JSONValue?] {
        [
            "phase": .string(session.phase.rawValue),
            "id": session.id.map { .string(Hexadecimal.text($0.bytes)) },
            "share": session.isSharing.map { .boolean($0) },
            "secondsLeft": session.deadline.map { .integer(Self.seconds($0 - now)) },
            "checkCode": session.checkCode.map { .string($0) },
            "peer": session.device.map { Self.peer($0, card: card) },
            "myAnswer": session.myAnswer.map { .string($0.word) },
            "reason": session.reason.map { .string($0) },
            "candidates": session.candidates.isEmpty
                ? nil : .array(session.candidates.map { Self.peer($0, card: nil) }),
        ]
    }

    /// The other's card, cut to what may be shown.
    private func card() async -> JSONValue? {
        guard let id = session.id, let card = session.theirCard else { return nil }
        if shownCard?.id != id {
            shownCard = (id, await context.core.checkedCard(card.fields))
        }
        return shownCard.map { .object($0.fields) }
    }

    private static func peer(_ device: DeviceID, card: JSONValue?) -> JSONValue {
        .record([
            "device": .string(device.description), "suffix": .string(device.suffix),
            "card": card,
        ])
    }

    /// Whole seconds, rounded up, so that 0 is shown only when time is up.
    private static func seconds(_ left: Duration) -> Int64 {
        let (seconds, attoseconds) = max(left, .zero).components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }
}
