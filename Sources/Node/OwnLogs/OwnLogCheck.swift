/// Whether this device knows where its own logs end, as a value.
///
/// After a backup was restored it may have signed batches that its database does not know, and to
/// number on from there would fork its logs. So nothing is written until linked peers that share
/// spaces with it hold the same of each, or, where that does not come about in time, until it goes
/// on under a new key. A new key is always safe: it has signed nothing yet.
struct OwnLogCheck: Hashable, Sendable {
    /// How it stands.
    enum State: Hashable, Sendable {
        /// One's own logs are known to be whole: writing is safe.
        case settled
        /// Peers are asked, since the time given, as time since the node's start.
        case settling(since: Duration)
        /// Nobody could tell: only a new device key may write.
        case needsNewKey(Reason)
    }

    /// Why nobody could tell.
    enum Reason: String, Hashable, Sendable {
        /// No peer that shares anything was in reach.
        case nobodyInReach
        /// Peers were in reach, and it did not come about that they hold the same.
        case notEqualInTime
        /// A repair cut a log of one's own: numbers that were signed already are free again here.
        case ownLogCut
        /// Another device of the same person cut a log of one's own: what is added counts nowhere.
        case ownLogEnded
    }

    /// How long a peer may take to appear.
    static let peerWait: Duration = .seconds(10)
    /// How long those in reach may take to hold the same.
    static let equalWait: Duration = .seconds(60)
    /// How long is waited for more peers, where one holds the same at once.
    static let settlingMin: Duration = .seconds(2)

    private(set) var state: State
    /// When a peer that shares something was linked last.
    private var lastContact: Duration

    /// - Parameters:
    ///   - isDoubtful: whether the replica's start counts disagree.
    ///   - now: time since the node's start.
    init(isDoubtful: Bool, now: Duration) {
        state = isDoubtful ? .settling(since: now) : .settled
        lastContact = now
    }

    /// Whether batches may be authored.
    var mayWrite: Bool { state == .settled }

    /// A repair cuts a log of one's own, or did so before this start. Peers may not hold all that
    /// was cut, so that nobody could tell where the log ended.
    mutating func noteCut() { state = .needsNewKey(.ownLogCut) }

    /// Another device of the same person ended a log of this one's.
    mutating func noteEnded() { state = .needsNewKey(.ownLogEnded) }

    /// Looks at the links again.
    /// - Parameters:
    ///   - peers: for each linked peer that shares a space, whether all spaces that it shares
    ///     were equal when their digests were compared last.
    ///   - now: time since the node's start.
    mutating func look(peers: [Bool], now: Duration) {
        guard case .settling(let since) = state else { return }
        if !peers.isEmpty { lastContact = now }
        if peers.contains(true), peers.allSatisfy({ $0 }) {
            if now - since >= OwnLogCheck.settlingMin { state = .settled }
        } else if now - lastContact >= OwnLogCheck.peerWait {
            state = .needsNewKey(.nobodyInReach)
        } else if now - since >= OwnLogCheck.equalWait {
            state = .needsNewKey(.notEqualInTime)
        }
    }
}
