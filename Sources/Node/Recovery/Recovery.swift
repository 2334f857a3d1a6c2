internal import PluginKit
internal import Records
internal import Sync

/// The progress of bringing a person back by recovery words, as a value. A node does one of three
/// things: it searches for its person, it regains what others have, or neither.
///
/// Example: Ann's new laptop searches. Ben's node knows the recovery key and answers, so the laptop
/// starts again as Ann's and regains: Ben names the space of the two. Until a batch that Ann signed
/// has arrived in it, nothing else is stored there, because a stranger could say the same.
struct Recovery: Sendable {
    /// The search; nil if this home knows its person.
    let search: RecoverySearch?
    /// The people who have sent everything; nil if the person did not come back by recovery words.
    var regained: Regained?
    /// The pairs that others named and in which nothing of this person is stored yet.
    private(set) var unproven: Set<SpaceID> = []
    /// The pairs that were named in this run of the node and never proven, also on former links.
    private var inventedCount = 0
    /// The answers that knew no such person.
    var unknownCount = 0
    /// The linked devices that are too old to be asked.
    var olderCount = 0
    /// The reason that the last answer did not bring the person back.
    var fault: RecoveryFault?
    /// When this device, which joined its person, last had a link with another device of theirs.
    private var otherDeviceSeen: Duration?
    /// Whether this device joined its person, has not received everything, and has had no link with
    /// another device of theirs for a while. It asks mates then: the other device may be lost.
    private(set) var isAdderAbsent = false

    /// The number of pairs that may wait for a batch of this person at a time.
    static let unprovenMax = 64
    /// The number of pairs that may be named in vain in one run of the node: each leaves a row.
    static let inventedMax = 256
    /// The time without another device of the person after which mates are asked.
    static let absenceMin: Duration = .seconds(10)

    init(search: RecoverySearch?, regained: Regained?) {
        (self.search, self.regained) = (search, regained)
    }

    /// Whether nothing may be written, because the person is not known yet.
    var isSearching: Bool { search != nil }

    /// Whether a person is asked for the spaces that they share with this one.
    func asks(_ person: PersonID) -> Bool {
        guard let regained, !regained.contains(person) else { return false }
        guard let joined = regained.joined, person != joined else { return true }
        return isAdderAbsent && regained.isReceiving
    }

    /// Looks whether another device of the person is absent for too long.
    /// - Returns: whether mates are asked from now on.
    mutating func look(isOtherDeviceLinked: Bool, now: Duration) -> Bool {
        guard regained?.isReceiving == true, !isOtherDeviceLinked, let seen = otherDeviceSeen else {
            (otherDeviceSeen, isAdderAbsent) = (now, false)
            return false
        }
        guard !isAdderAbsent, now - seen >= Self.absenceMin else { return false }
        isAdderAbsent = true
        return true
    }

    /// Records a pair that was named.
    /// - Returns: false if too many wait already, or were named in vain.
    mutating func expect(_ pair: SpaceID) -> Bool {
        guard !unproven.contains(pair) else { return true }
        guard unproven.count < Self.unprovenMax, inventedCount < Self.inventedMax else {
            return false
        }
        inventedCount += 1
        unproven.insert(pair)
        return true
    }

    /// Records that a batch of this person is stored in a pair.
    /// - Returns: whether it was waited for.
    mutating func prove(_ pair: SpaceID) -> Bool {
        guard unproven.remove(pair) != nil else { return false }
        inventedCount -= 1
        return true
    }

    /// Forgets a pair: the link over which it was named has ended.
    mutating func forget(_ pair: SpaceID) { unproven.remove(pair) }

    /// Whether a run may be stored: those of others wait in a pair that is not proven.
    func permits(_ run: Run, in space: SpaceID, isMine: (DeviceID) -> Bool) -> Bool {
        !unproven.contains(space) || isMine(run.log.device)
    }
}

/// The part of a recovery that one link has, on both sides.
struct RecoveryOnLink: Sendable {
    /// Whether the peer has asked for the person of a recovery key. It may do so once.
    var hasAnswered = false
    /// The questions for spaces that the peer has asked.
    var pagesAnsweredCount = 0
    /// Whether this side waits for the peer's answer about the recovery key.
    var awaitsPerson = false
    /// The pages of spaces that this side waits for.
    var awaitedPagesCount = 0
    /// The pages that came.
    var pagesCount = 0
    /// The people whose pairs with this person the peer named: its own person, or, if the peer is
    /// another device of this person, any.
    var pairs: Set<PersonID> = []
    /// The pairs among these that have arrived whole, with a batch of this person: from then on
    /// their records say what is shared, which may be nothing any more.
    private(set) var arrived: Set<PersonID> = []
    /// The groups that the peer named.
    var groups: Set<SpaceDescriptor> = []
    /// Whether the peer named groups before its pair was proven. It is asked again then.
    var owesGroups = false
    /// The content of own records that the peer, another device of this person, was asked for and
    /// does not have.
    var lacked: Set<BlobHash> = []

    /// The pages that one side asks for on a link: enough for all spaces of a link, twice.
    static let pagesMax = 2 * Limits.linkSpacesMax / Limits.pageSpacesMax

    /// The pairs that are shared because the peer named them.
    var expectedPairs: Set<PersonID> { pairs.subtracting(arrived) }

    /// Records that a pair has arrived whole.
    /// - Returns: whether it was expected.
    mutating func recordArrival(of pair: PersonID) -> Bool {
        pairs.contains(pair) && arrived.insert(pair).inserted
    }

    /// Whether the peer named any space.
    var hasNamed: Bool { !pairs.isEmpty || !groups.isEmpty || owesGroups }

    /// Whether the peer was asked for its spaces on this link.
    var hasAsked: Bool { pagesCount > 0 || awaitedPagesCount > 0 }

    /// Whether all pages have come.
    var isComplete: Bool { pagesCount > 0 && awaitedPagesCount == 0 && !owesGroups }
}

extension RelationKind {
    /// Someone names the space of the two, and my edge has not come back yet.
    static let returning = RelationKind("returning", shares: [.pair])
}
