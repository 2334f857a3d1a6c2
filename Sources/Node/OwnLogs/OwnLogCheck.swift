/// Decides, as a value, whether this device knows the ends of its own logs.
///
/// After a backup was restored, the database may lack batches that the device has signed. If the
/// device continued numbering from there, it would fork its logs. So it writes nothing until the
/// linked peers that share its spaces hold the same batches. If that takes too long, it continues
/// under a new key. A new key is always safe: it has signed nothing yet.
struct OwnLogCheck: Hashable, Sendable {
    /// The state of the check.
    enum State: Hashable, Sendable {
        /// This device's logs are known to be complete: writing is safe.
        case settled
        /// Peers are asked, from the given time since the node's start.
        case settling(since: Duration)
        /// The end is not known: only a new device key may write.
        case needsNewKey(Reason)
    }

    /// The reason that the end of the logs is not known.
    enum Reason: String, Hashable, Sendable {
        /// No peer that shares a space was in reach.
        case nobodyInReach
        /// Peers were in reach, but did not hold the same in time.
        case notEqualInTime
        /// A repair cut a log of this device: numbers that were signed already are free again here.
        case ownLogCut
        /// Another device of this person cut a log of this device: new batches in it do not count.
        case ownLogEnded
    }

    /// The time in which a peer must appear.
    static let peerWait: Duration = .seconds(10)
    /// The time in which the peers in reach must hold the same.
    static let equalWait: Duration = .seconds(60)
    /// The time to wait for more peers if one holds the same at once.
    static let settlingMin: Duration = .seconds(2)

    private(set) var state: State
    /// The last time at which a peer that shares a space was linked.
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

    /// Records that a repair cuts a log of this device, or did so before this start. Peers may not
    /// hold everything that was cut, so the end of the log is not known.
    mutating func recordCut() { state = .needsNewKey(.ownLogCut) }

    /// Records that another device of this person ended a log of this one.
    mutating func recordEnded() { state = .needsNewKey(.ownLogEnded) }

    /// Updates the state from the current links.
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
