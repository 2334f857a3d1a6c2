public import PluginKit
public import ProximityDropAPI

/// One side of a drop, without clock, network or randomness: events go in, and effects come out.
///
/// Both sides do the same. Each sends the commitment to a nonce in its offer, and reveals the nonce
/// once it has the other's commitment. It then sends its card every second until that is
/// acknowledged, and decides once it has the other's card and acknowledgement. So simultaneous
/// presses are the plain case: the id of the drop follows from the two commitments.
public struct DropSession: Sendable {
    /// An effect for the caller to perform; effects are performed in order.
    public enum Effect: Hashable, Sendable {
        case send(DropMessage, to: DeviceID)
        /// Announce that a drop with me can be started, or no longer.
        case announceOpen(Bool)
        /// Store my edge before performing the effects after this one.
        case propose(PersonID, meeting: Bytes16, DropCard)
        /// Withdraw my edge of this meeting, or report that there will be none.
        case withdraw(PersonID, meeting: Bytes16)
        /// A device nearby invites; nil if it no longer does.
        case incoming(Peer?)
        /// The shown state has changed.
        case changed
    }

    /// This device and its person.
    public let me: Peer
    /// The phase of the drop.
    public internal(set) var phase = DropPhase.idle
    /// The reason why it ended; nil if there is nothing to say.
    public internal(set) var ending: DropEnding?
    /// The failure, in phase `failed`.
    public var failure: DropFailure? {
        if case .failed(let failure) = ending { failure } else { nil }
    }
    /// The devices that wait for a drop, while the person has to choose.
    public internal(set) var candidates: [DeviceID] = []
    /// The time when the current phase times out.
    public internal(set) var deadline: Duration?

    var press: Press?
    var exchange: Exchange?
    var invitations: [DeviceID: Invitation] = [:]
    var refused: [Bytes32] = []
    /// The reason to send to the other side if it continues a drop that is over here.
    var told: DropMessage.EndReason?
    /// The inviting device that was reported last, and when: strangers cause at most one report
    /// a second.
    var shownIncoming: DeviceID?
    var shownSince: Duration?

    /// A press of the button and its parameters.
    struct Press: Sendable {
        let share: Bool
        let nonce: Bytes32
        let card: DropCard
        /// The thumbnail of my photo, if it is shared.
        let thumbnail: [UInt8]?
        let commitment: Bytes32
        var target: DeviceID?
        /// Whether it is a bump, which is over sooner and is announced to nobody.
        let isBump: Bool
        /// The person of the press, if their device was only announced and not linked.
        var sighted: Sighted?
        /// Whether the other device is to be found by its distance.
        var isRanged = false
        /// The devices in the band, in a ranged press.
        var found: Found?

        /// The first message to the other side.
        var opening: DropMessage {
            isBump ? .bump(commitment: commitment) : .offer(commitment: commitment)
        }
    }

    /// A person whose device announces a name and is not linked yet.
    public struct Sighted: Hashable, Sendable {
        /// The tag of the device.
        public let tag: AnnouncedTag
        /// The name that it announces.
        public let name: String?
        /// The reason why the last attempt to reach it failed.
        public internal(set) var failure: ConnectionTrouble?

        /// Creates the value before the first attempt.
        public init(tag: AnnouncedTag, name: String?) {
            self.tag = tag
            self.name = name
        }
    }

    /// The state of the exchange with the other side.
    struct Exchange: Sendable {
        let peer: Peer
        let commitment: Bytes32
        let id: Bytes16
        var lastHeard: Duration
        /// Whether a message of the other side showed that my offer arrived.
        var knowsOffer = false
        /// Whether a message of the other side showed that my nonce arrived.
        var knowsNonce = false
        var transcript: DropTranscript?
        var card: DropCard?
        /// The first thumbnail of the other that arrived.
        var thumbnail: [UInt8]?
        /// Whether the other acknowledged my card.
        var hasMyCard = false
        /// Whether the other acknowledged my thumbnail.
        var hasMyThumbnail = false
        var myAnswer: DropAnswer?
        var theirAnswer: DropAnswer?
        var sawMyAnswer = false
        /// The time when repeating my answer ends.
        var farewellEnd: Duration?
    }

    /// An offer from another device to me.
    struct Invitation: Sendable {
        let peer: Peer
        let commitment: Bytes32
        /// Whether it is a bump, which is shown to nobody.
        let isBump: Bool
        var lastHeard: Duration
    }

    /// Creates a side that is idle.
    public init(me: Peer) { self.me = me }

    /// The drop's id, once both have pressed.
    public var id: Bytes16? { exchange.map { $0.id } }
    /// Whether my card is sent in this drop.
    public var isSharing: Bool? { press.map { $0.share } }
    /// The other side.
    public var peer: Peer? { exchange?.peer }
    /// The device of the other side or, before that is known, the target of the press.
    public var device: DeviceID? { exchange.map { $0.peer.device } ?? target }
    /// The target of the press, before it answered.
    public var target: DeviceID? { press?.target }
    /// The person whose device is to be linked first; they stay here while the search lasts.
    public var sighted: Sighted? { phase == .finding ? press?.sighted : nil }
    /// The six digits, once both nonces are known.
    public var checkCode: String? { exchange?.transcript?.checkCode }
    /// The meeting that the edges are to name.
    public var meeting: Bytes16? { exchange?.transcript?.meeting }
    /// The other's card, unchecked.
    public var theirCard: DropCard? { exchange?.card }
    /// The thumbnail of the other's photo, unchecked and at most
    /// ``DropLimits/thumbnailBytesMax`` long; nil if there is none, or it has not arrived.
    public var theirThumbnail: [UInt8]? { exchange?.thumbnail }
    /// My answer to the other's card.
    public var myAnswer: DropAnswer? { exchange?.myAnswer }
    /// The other's answer to my card, if it is known.
    public var theirAnswer: DropAnswer? { exchange?.theirAnswer }

    /// Whether the edges now decide how the drop ends.
    public var awaitsEdges: Bool { phase == .waiting }

    /// Returns the peer that invites me now; nil while a drop of my own is on.
    public func incoming(now: Duration) -> Peer? {
        guard !phase.isActive else { return nil }
        return invitations.values.filter { isLive($0, now) && !$0.isBump }
            .min { $0.peer.device < $1.peer.device }?.peer
    }

    func isLive(_ invitation: Invitation, _ now: Duration) -> Bool {
        now - invitation.lastHeard <= DropTimes.invitation
            && !refused.contains(invitation.commitment)
    }
}
