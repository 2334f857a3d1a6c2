public import Contract

/// A walk that one person showed to a mate.
public struct SharedWalk: Codable, Hashable, Sendable {
    /// The id of what was shared.
    public var id: RecordKey
    /// The other person: the mate who sees it, or the mate who walked.
    public var mate: WalkMate
    /// Whether it is a walk of mine.
    public var mine: Bool
    /// The walk of mine: the one that is shared, or the one that followed the same walk request.
    public var walk: RecordKey?
    /// The time at which the walk began.
    public var startedMs: Timestamp
    /// The length of the whole way in metres.
    public var distanceMetres: DistanceMetres
    /// The time of the walk without pauses, in seconds.
    public var elapsedSeconds: Count
    /// The energy in kilocalories.
    public var kilocalories: Count
    /// The number of points of the way that is shown.
    public var pointsCount: Count

    /// Creates the value.
    public init(
        id: RecordKey, mate: WalkMate, mine: Bool, walk: RecordKey? = nil, startedMs: Timestamp,
        distanceMetres: Double, elapsedSeconds: Int, kilocalories: Int, pointsCount: Int
    ) {
        self.id = id
        self.mate = mate
        self.mine = mine
        self.walk = walk
        self.startedMs = startedMs
        self.distanceMetres = DistanceMetres(clamping: distanceMetres)
        self.elapsedSeconds = Count(clamping: elapsedSeconds)
        self.kilocalories = Count(clamping: kilocalories)
        self.pointsCount = Count(clamping: pointsCount)
    }
}

extension SharedWalk: DetailMembers {
    /// The members that a list can do without.
    public static let detailMembers = ["kilocalories", "pointsCount", "walk"]
}

/// The answer of `walk-log shared`.
public struct SharedWalks: Codable, Hashable, Sendable {
    /// The walks that mates see or that mates show, the newest first.
    public var walks: [SharedWalk]

    /// Creates the value.
    public init(walks: [SharedWalk]) { self.walks = walks }
}

/// The request of `walk-log share`.
public struct ShareWalk: CommandRequest {
    /// The walk; its first six digits are enough.
    public var id: RecordPrefix
    /// The mate who sees it.
    public var with: NameOrKey
    /// Whether the way is shown from its start to its end.
    public var whole: Bool?

    /// Creates the value.
    public init(id: RecordPrefix, with: NameOrKey, whole: Bool? = nil) {
        self.id = id
        self.with = with
        self.whole = whole
    }

    /// The help of each property.
    public static let help = [
        "id": "The id of the walk; six digits are enough.",
        "with": "The mate who sees it, by name or key.",
        "whole":
            "Shows the whole way; otherwise the 200 m around its start and its end, which show "
            + "where you live, are left out.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
}
