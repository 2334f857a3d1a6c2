import Contract
import PanelKit
import ProximityDropAPI

extension DropStatus {
    /// No drop, which is the state before the node has answered.
    static let idle = DropStatus(phase: .idle, ranged: Ranged(available: false))

    /// No drop here, with what else is true of this device: whether it can measure distances, and a
    /// drop on another device of the user.
    var withoutDrop: DropStatus {
        var status = DropStatus(phase: .idle, ranged: ranged)
        status.elsewhere = elsewhere
        return status
    }

    /// Whether a device waits for this side to begin.
    var isInvitation: Bool { phase == .idle && incoming == true && peer != nil }

    /// Whether this drop began with a tap on another page, after a state without one.
    func begins(after before: DropStatus) -> Bool {
        meeting != nil && phase.isActive && !before.phase.isActive
    }

    /// The check code in two groups, as people read it aloud.
    var spelledCheckCode: String? {
        checkCode.map { "\($0.string.prefix(3)) \($0.string.suffix(3))" }
    }
}

extension DropStatus.Elsewhere {
    /// The drop on the other device, or what came of it, in a sentence.
    var sentence: String {
        switch phase {
        case .mates:
            name.map { localized("You and \($0.string) became mates on another device of yours.") }
                ?? localized("You became mates with someone on another device of yours.")
        case .waiting:
            localized(
                "A drop on another device of yours is over; it is not known yet whether the other "
                    + "person accepted.")
        case .declined, .cancelled, .failed, .idle:
            localized("A drop on another device of yours ended; you did not become mates.")
        case .finding, .exchanging, .deciding:
            localized("A drop is under way on another device of yours.")
        }
    }
}

extension DropStatus.Peer {
    /// The other side's name; words if they show none.
    var name: String { card?.nickname?.string ?? localized("Someone nearby") }

    /// The fields of the other's card; none if they only receive.
    var fields: CardFields { card.map(CardFields.init) ?? .none }
}

extension DropPreview {
    /// A text with the fields that are kept private; nil if there are none.
    var keptPrivateText: String? {
        guard !keptPrivate.isEmpty else { return nil }
        return keptPrivate.map { $0.label.lowercased() }.joined(separator: ", ")
    }
}
