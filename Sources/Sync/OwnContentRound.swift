internal import Records

/// Goes through the content that this person's records name and that is not here, a part at a time,
/// and again from the beginning after a pause.
///
/// For example, no linked member has the first 600 photos of a person, and a mate has the next. The
/// first 512 are wanted. As soon as every linked member was asked for one of them, the wish makes
/// room for the next photo, so the one that the mate has is asked for soon after.
public struct OwnContentRound: Sendable {
    /// The number of blobs of own records that are wanted at a time.
    public static let wantedMax = ContentFetching.wantedMax / 2
    /// The first pause before the next round, unless something changes; it doubles.
    public static let pauseMin: Duration = .seconds(60)
    /// The longest such pause.
    public static let pauseMax: Duration = .seconds(600)

    /// The part of the missing content that is to be read next.
    public struct Part: Hashable, Sendable {
        /// The content before it; nil for the first part.
        public let last: ContentFetching.Wanted?
        /// The number of blobs in it.
        public let countMax: Int
    }

    /// Whether something changed since the last round began: links, or records of the person's
    /// other devices.
    public private(set) var isRequested = true
    /// The blobs that are wanted now for this reason.
    private(set) var wanted: Set<ContentFetching.Wanted> = []
    private var isReading = false
    private var last: ContentFetching.Wanted?
    private var pause = OwnContentRound.pauseMin
    private var nextRound: Duration?

    /// Creates rounds of which the first one is due.
    public init() {}

    /// Whether a whole round has ended and nothing is due: all own content is here, or no linked
    /// member that answers has it.
    public var isOver: Bool { !isRequested && !isReading && wanted.isEmpty }

    /// Has a round begin when the present one ends.
    public mutating func request() {
        isRequested = true
        pause = OwnContentRound.pauseMin
    }

    /// Returns the part to read now; nil if none is due, or as much is wanted as may be. Call
    /// ``receive(_:of:now:)`` with what was read.
    public mutating func next(now: Duration) -> Part? {
        if !isReading {
            guard isRequested || nextRound.map({ $0 <= now }) ?? false else { return nil }
            (isReading, isRequested, last) = (true, false, nil)
        }
        let room = OwnContentRound.wantedMax - wanted.count
        return room > 0 ? Part(last: last, countMax: room) : nil
    }

    /// Records what was read; if it is less than was asked for, the round has read everything.
    public mutating func receive(_ found: [ContentFetching.Wanted], of part: Part, now: Duration) {
        wanted.formUnion(found)
        last = found.last
        guard found.count < part.countMax else { return }
        isReading = false
        nextRound = now + pause
        pause = min(pause * 2, OwnContentRound.pauseMax)
    }

    /// Makes room: forgets the blobs that a condition does not hold for.
    mutating func keep(_ isKept: (ContentFetching.Wanted) -> Bool) {
        wanted = wanted.filter(isKept)
    }
}
