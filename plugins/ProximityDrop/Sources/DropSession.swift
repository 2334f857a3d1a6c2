public import PluginKit

/// One side of a drop, without clock, network or chance: what happens goes in, and what is to be
/// done comes out.
///
/// Both sides do the same. Each promises a nonce in its offer, reveals it when the other's promise
/// is here, then sends its card every second until that is acknowledged, and decides once it has
/// the other's card and acknowledgement. So simultaneous presses are the plain case: the id of the
/// drop follows from the two promises.
public struct DropSession: Sendable {
    /// What is to be done, in order.
    public enum Effect: Hashable, Sendable {
        case send(DropMessage, to: DeviceID)
        /// Announce that a drop can be started with me, or no longer.
        case announceOpen(Bool)
        /// Store my edge before anything that follows.
        case propose(PersonID, meeting: Bytes16, DropCard)
        /// Take my edge of this meeting back, or say that there will be none.
        case withdraw(PersonID, meeting: Bytes16)
        /// Somebody nearby invites; nil when that is over.
        case incoming(Peer?)
        /// What is shown has changed.
        case changed
    }

    /// This device and its person.
    public let me: Peer
    /// How far it is.
    public internal(set) var phase = DropPhase.idle
    /// Why it ended, where that needs saying.
    public internal(set) var reason: String?
    /// The failure, in phase `failed`.
    public internal(set) var failure: DropFailure?
    /// Those who wait for a drop, while the person has to choose.
    public internal(set) var candidates: [DeviceID] = []
    /// When the present phase ends by itself.
    public internal(set) var deadline: Duration?

    var press: Press?
    var exchange: Exchange?
    var invitations: [DeviceID: Invitation] = [:]
    var refused: [Bytes32] = []
    /// What the other is told when it goes on with a drop that is over here.
    var told: DropMessage.EndReason?
    var shownIncoming: DeviceID?

    /// A press of the button, and what goes with it.
    struct Press: Sendable {
        let share: Bool
        let nonce: Bytes32
        let card: DropCard
        let commitment: Bytes32
        var target: DeviceID?
    }

    /// What is known of the other side.
    struct Exchange: Sendable {
        let peer: Peer
        let commitment: Bytes32
        let id: Bytes16
        var lastHeard: Duration
        /// Whether the other has shown that my offer arrived.
        var knowsOffer = false
        /// Whether the other has shown that my nonce arrived.
        var knowsNonce = false
        var transcript: DropTranscript?
        var card: DropCard?
        /// Whether the other acknowledged my card.
        var hasMyCard = false
        var myAnswer: DropAnswer?
        var theirAnswer: DropAnswer?
        var sawMyAnswer = false
        /// When repeating my answer ends.
        var farewellEnd: Duration?
    }

    /// Somebody's offer to me.
    struct Invitation: Sendable {
        let peer: Peer
        let commitment: Bytes32
        var lastHeard: Duration
    }

    /// A side on which nothing has happened.
    public init(me: Peer) { self.me = me }

    /// The drop's id, once both have pressed.
    public var id: Bytes16? { exchange.map { $0.id } }
    /// Whether my card goes with it.
    public var isSharing: Bool? { press.map { $0.share } }
    /// The other side.
    public var peer: Peer? { exchange?.peer }
    /// The device it is with or, before that is known, for.
    public var device: DeviceID? { exchange.map { $0.peer.device } ?? target }
    /// Whom the press means, before they answered.
    public var target: DeviceID? { press?.target }
    /// The six digits, once both nonces are known.
    public var checkCode: String? { exchange?.transcript?.checkCode }
    /// The meeting that the edges are to name.
    public var meeting: Bytes16? { exchange?.transcript?.meeting }
    /// The other's card, unchecked.
    public var theirCard: DropCard? { exchange?.card }
    /// What I said.
    public var myAnswer: DropAnswer? { exchange?.myAnswer }
    /// What the other is known to have said.
    public var theirAnswer: DropAnswer? { exchange?.theirAnswer }

    /// Whether the edges decide now what becomes of it.
    public var awaitsEdges: Bool { phase == .waiting }

    /// Who invites me now; nobody is shown while a drop of my own is on.
    public func incoming(now: Duration) -> Peer? {
        guard !phase.isActive else { return nil }
        return invitations.values.filter { isLive($0, now) }
            .min { $0.peer.device < $1.peer.device }?.peer
    }

    func isLive(_ invitation: Invitation, _ now: Duration) -> Bool {
        now - invitation.lastHeard <= DropTimes.invitation
            && !refused.contains(invitation.commitment)
    }
}
