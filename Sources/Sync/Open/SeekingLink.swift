internal import Records

/// The state of one link in looking for content of open spaces.
struct SeekingLink: Sendable {
    /// The open spaces that the peer has too.
    var spaces: Set<SpaceID> = []
    /// The content for which the peer is to be asked: first that of this person and of known
    /// people, then the rest. What moves to the first queue stays in the other one too.
    private var reserved = Queue()
    private var others = Queue()
    var allowances: Allowances

    /// The allowances of a device and its silences, which outlast its link.
    struct Allowances: Sendable {
        var asked = RateAllowance(
            unitsPerMinute: SeekingLimits.askedPerMinute, burst: .seconds(60))
        var lookedUp = RateAllowance(
            unitsPerMinute: SeekingLimits.lookedUpPerMinute, burst: .seconds(60))
        var passedOn = RateAllowance(
            unitsPerMinute: SeekingLimits.passedOnPerMinute, burst: .seconds(60))
        var passedOnBytes = RateAllowance(
            unitsPerMinute: SeekingLimits.passedOnBytesPerMinute, burst: .seconds(60))
        /// The number of times in a row that the peer said it has content and did not send it in
        /// time. If it is muted, it is asked last, or not at all if it is a stranger.
        var silence = SilenceCount()
    }

    /// The questions that go into one message.
    struct Group: Hashable, Comparable {
        let space: SpaceID
        let hops: Int
        /// The number of other lengths of the same hash that are asked for before.
        let turn: Int

        static func < (one: Group, other: Group) -> Bool {
            (one.space, one.hops, one.turn) < (other.space, other.hops, other.turn)
        }
    }

    init(allowances: Allowances) { self.allowances = allowances }

    /// Blobs in the order in which they were added, each of them once.
    private struct Queue {
        private(set) var keys: [ContentSeeking.Key] = []
        private var known: Set<ContentSeeking.Key> = []

        mutating func append(_ key: ContentSeeking.Key) {
            if known.insert(key).inserted { keys.append(key) }
        }

        mutating func removeFirst() -> ContentSeeking.Key? {
            guard let key = keys.first else { return nil }
            keys.removeFirst()
            known.remove(key)
            return key
        }

        mutating func removeAll(where isGone: (ContentSeeking.Key) -> Bool) {
            keys.removeAll(where: isGone)
            known = Set(keys)
        }
    }

    /// The number of blobs in the longer one of the two queues. A limit for it holds for each.
    var queuedCount: Int { max(reserved.keys.count, others.keys.count) }

    /// Lets the peer be asked for content.
    /// - Parameter isReserved: whether this person or known people want it.
    mutating func enqueue(_ key: ContentSeeking.Key, isReserved: Bool) {
        if isReserved { reserved.append(key) } else { others.append(key) }
    }

    /// Takes the next content for which the peer is asked out of the queues.
    mutating func next() -> ContentSeeking.Key? { reserved.removeFirst() ?? others.removeFirst() }

    /// Removes content from the queues.
    mutating func removeQueued(where isGone: (ContentSeeking.Key) -> Bool) {
        reserved.removeAll(where: isGone)
        others.removeAll(where: isGone)
    }
}
