internal import Replica

/// The health of the store: its damage, the limits it has reached, the last
/// comparison with peers, and when erased bytes may be removed from the files again.
struct StoreHealth: Sendable {
    /// The pause after a failed scrub of the files. If others' erases caused it, each further
    /// failure doubles the pause.
    static let failedScrubPauseMin: Duration = .seconds(300)
    /// The longest pause after a failed scrub that others' erases caused.
    static let failedScrubPauseMax: Duration = .seconds(6 * 3600)
    /// The pause after a scrub that was due because of other people's erases only, before another
    /// one of that kind.
    static let othersScrubPause: Duration = .seconds(3600)
    /// After a scrub, the files rest this many times as long as it took.
    static let restPerScrub = 20

    /// Stored batches that are known to be damaged.
    var damage = DamageLedger()
    /// Decides when the person is told of a storage limit.
    var reached = ReachedLimits()
    /// The reached limits whose notice has not ended, by reference.
    var toldFull: [String: StorageReport.Full] = [:]
    /// The last result of `verify`.
    var lastReport: VerifyReport?
    /// Whether a full audit is due because a backup was restored.
    private var isAuditDue: Bool
    /// When the next scrub may begin, in time since the node's start.
    private var nextScrub: Duration = .zero
    /// When the next scrub because of other people's erases may begin.
    private var nextScrubForOthers: Duration = .zero
    /// The pause after the next scrub for others that fails.
    private var failedScrubPause = failedScrubPauseMin

    init(isAuditDue: Bool) { self.isAuditDue = isAuditDue }

    /// Requests a full audit.
    mutating func requestAudit() { isAuditDue = true }

    /// Returns whether a requested audit begins now, which it does once.
    /// - Parameter isReady: whether writing is safe and a peer is in sync; evaluated only if an
    ///   audit is due.
    mutating func beginAudit(ifReady isReady: @autoclosure () -> Bool) -> Bool {
        guard isAuditDue, isReady() else { return false }
        isAuditDue = false
        return true
    }

    /// Whether a scrub may begin.
    func mayScrub(becauseOf cause: DueScrub, now: Duration) -> Bool {
        now >= nextScrub && (cause == .ownErase || now >= nextScrubForOthers)
    }

    /// Records a scrub that succeeded.
    mutating func recordScrub(
        becauseOf cause: DueScrub, from start: Duration, to end: Duration
    ) {
        nextScrub = end + (end - start) * StoreHealth.restPerScrub
        if cause == .othersErase { nextScrubForOthers = end + StoreHealth.othersScrubPause }
        failedScrubPause = StoreHealth.failedScrubPauseMin
    }

    /// Records a scrub that failed.
    mutating func recordFailedScrub(becauseOf cause: DueScrub, now: Duration) {
        nextScrub = now + StoreHealth.failedScrubPauseMin
        guard cause == .othersErase else { return }
        nextScrubForOthers = now + failedScrubPause
        failedScrubPause = min(failedScrubPause * 2, StoreHealth.failedScrubPauseMax)
    }
}
