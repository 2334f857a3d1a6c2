internal import Contract
internal import Records

/// The state of this device's logs: whether it may write to them, and whether a copy of this home
/// may write to them too.
///
/// For example, a home was restored from a backup: ``mayWrite`` is false until a linked peer holds
/// the same batches. If no peer comes, the node must restart under a new key. If that key cannot be
/// made, ``unsettledReason`` says so, and nothing is written until the next start.
struct OwnLogs: Sendable {
    /// The event for which a home waits that does not know its person.
    enum Wait: Sendable {
        /// The recovery words find their person.
        case recovery
        /// The device that shows a code adds this one.
        case joining
    }

    /// The time in which the new link must appear here after a peer replaced one.
    static let replacementWait: Duration = .seconds(3)

    private var check: OwnLogCheck
    /// The event that a home without its person waits for; nil if the person is known.
    private let wait: Wait?
    /// Whether another device of this person removed this one.
    private(set) var isRemoved = false
    /// The reason a required key change failed, if it did.
    private var newKeyFault: Sentence?
    /// Links that a peer replaced by one from another host, and since when, by device.
    private var replacedLinks: [DeviceID: Duration] = [:]
    /// Finishes when writing is safe.
    let settled: AsyncStream<Never>
    private let settling: AsyncStream<Never>.Continuation

    /// - Parameters:
    ///   - isDoubtful: whether the replica's start counts disagree.
    ///   - isCut: whether a repair before this start cut a log of this device.
    ///   - wait: what the home waits for, if its person is not known yet.
    ///   - now: time since the node's start.
    init(isDoubtful: Bool, isCut: Bool, waits wait: Wait? = nil, now: Duration) {
        self.wait = wait
        check = OwnLogCheck(isDoubtful: isDoubtful, now: now)
        if isCut { check.recordCut() }
        (settled, settling) = AsyncStream.makeStream()
    }

    /// Whether batches may be authored.
    var mayWrite: Bool { wait == nil && !isRemoved && check.mayWrite }

    /// The reason that nothing may be written now, or nil.
    var unsettledReason: Sentence? {
        switch check.state {
        case _ where isRemoved: Self.removedSentence
        case _ where wait == .joining:
            "this device waits to become yours by a code: show one on your other device with 'waggle "
                + "device add'"
        case _ where wait == .recovery:
            "this device waits for you to come back by your recovery words: meet a mate who uses "
                + "Waggle on the same network"
        case .settled: nil
        case .settling:
            "a backup of this device was restored: its later changes are requested from others; "
                + "try again in some seconds"
        case .needsNewKey(let reason):
            newKeyFault ?? "\(reason.sentence): it continues under a new key; try again in some "
                + "seconds"
        }
    }

    /// Updates the check from the current links.
    /// - Parameters:
    ///   - peers: for each linked peer that shares a space, whether all spaces that it shares are
    ///     equal; evaluated only if it matters.
    ///   - now: time since the node's start.
    /// - Returns: the state; nil if nothing is to be done.
    mutating func look(peers: @autoclosure () -> [Bool], now: Duration) -> OwnLogCheck.State? {
        guard !mayWrite, wait == nil, !isRemoved, newKeyFault == nil else { return nil }
        check.look(peers: peers(), now: now)
        return check.state
    }

    /// Lets everything that waits for ``settled`` go on.
    func finishSettling() { settling.finish() }

    /// Records that a repair cuts a log of this device.
    mutating func recordCut() { check.recordCut() }

    /// Records that another device of this person ended a log of this one.
    mutating func recordEnded() { check.recordEnded() }

    /// Records that another device of this person removed this one. Nothing is written any more.
    mutating func recordRemoved() { isRemoved = true }

    /// A removed device's sentence about itself.
    static let removedSentence: Sentence = """
        This device was removed from your devices: it sends and receives nothing more. What is \
        here stays readable. To use Waggle on it again, begin in a new home and add it on another \
        device of yours.
        """

    /// Records that a required key change failed.
    mutating func recordNewKeyFault(_ error: any Error, because reason: OwnLogCheck.Reason) {
        let fault: Sentence = "\(reason.sentence), and no new key could be made: \(error)"
        newKeyFault = fault
    }

    // MARK: - Copies of this home

    /// Records that a peer has a newer link with this device's key.
    mutating func recordReplacedLink(with device: DeviceID, now: Duration) {
        replacedLinks[device] = now
    }

    /// Records a link with a device: if a peer replaced one, this node did it.
    mutating func recordLink(with device: DeviceID) { replacedLinks[device] = nil }

    /// Removes and returns the devices whose replaced links must have appeared here by now, if this
    /// node opened them.
    mutating func removeDueReplacements(now: Duration) -> [DeviceID] {
        let due = replacedLinks.filter { now - $0.value >= OwnLogs.replacementWait }.map(\.key)
        for device in due { replacedLinks[device] = nil }
        return due
    }
}

extension OwnLogCheck.Reason {
    /// The beginning of a sentence that describes the reason.
    var sentence: Sentence {
        switch self {
        case .nobodyInReach, .notEqualInTime:
            "A backup of this device was restored and no device nearby had its later changes"
        case .ownLogEnded: "Another device of yours ended this device's log in a space"
        case .ownLogCut: "This device's own changes were damaged here and cut off by a repair"
        }
    }
}
