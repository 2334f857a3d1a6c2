internal import Records

/// The state of one link in looking for content of open spaces.
struct SeekingLink: Sendable {
    /// The open spaces that the peer has too.
    var spaces: Set<SpaceID> = []
    /// The content for which the peer is to be asked, in order.
    private var queue: [ContentSeeking.Key] = []
    private var queued: Set<ContentSeeking.Key> = []
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
        /// The number of times in a row that the peer said it has content and sent none.
        var silences = 0
        private var mutedUntil: Duration?

        /// Whether the peer's answers are ignored now.
        func isMuted(now: Duration) -> Bool { mutedUntil.map { now < $0 } ?? false }

        /// Records that the peer said it has content and sent none in time.
        mutating func recordSilence(now: Duration) {
            silences += 1
            guard silences >= SeekingLimits.silencesMax else { return }
            silences = 0
            mutedUntil = now + SeekingLimits.mutedTime
        }
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

    /// The number of blobs for which the peer is to be asked.
    var queuedCount: Int { queue.count }

    /// Lets the peer be asked for content.
    mutating func enqueue(_ key: ContentSeeking.Key) {
        if queued.insert(key).inserted { queue.append(key) }
    }

    /// Takes the next content for which the peer is asked out of the queue.
    mutating func next() -> ContentSeeking.Key? {
        guard let key = queue.first else { return nil }
        queue.removeFirst()
        queued.remove(key)
        return key
    }
}
