public import Contract

/// A walk that was recorded and finished. In JSON the numbers and the company are beside `id`, not
/// in objects of their own.
public struct RecordedWalk: Codable, Hashable, Sendable {
    /// Its id.
    public var id: RecordKey
    /// The time of its beginning.
    public var startedMs: Timestamp
    /// The time of its end.
    public var endedMs: Timestamp
    /// Its numbers.
    public var measures: WalkMeasures
    /// The people and dogs of the walk.
    public var company: WalkCompany

    /// Creates the value.
    public init(
        id: RecordKey, startedMs: Timestamp, endedMs: Timestamp, measures: WalkMeasures,
        company: WalkCompany
    ) {
        self.id = id
        self.startedMs = startedMs
        self.endedMs = endedMs
        self.measures = measures
        self.company = company
    }

    private enum CodingKeys: CodingKey { case id, startedMs, endedMs }

    /// Reads the members of all parts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(RecordKey.self, forKey: .id)
        startedMs = try container.decode(Timestamp.self, forKey: .startedMs)
        endedMs = try container.decode(Timestamp.self, forKey: .endedMs)
        measures = try WalkMeasures(from: decoder)
        company = try WalkCompany(from: decoder)
    }

    /// Writes the members of all parts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(startedMs, forKey: .startedMs)
        try container.encode(endedMs, forKey: .endedMs)
        try measures.encode(to: encoder)
        try company.encode(to: encoder)
    }
}

extension RecordedWalk: DetailMembers {
    /// The company, and the numbers that others imply.
    public static let detailMembers = [
        "kilocalories", "speedKmh", "dogs", "mates", "movingSeconds", "endedMs", "pointsCount",
        "spikesCount", "request",
    ]
}

/// The answer of `walk-log list`.
public struct WalkLogPage: Codable, Hashable, Sendable {
    /// The walks, the newest first.
    public var walks: [RecordedWalk]
    /// Whether there are older ones.
    public var more: Bool

    /// Creates the value.
    public init(walks: [RecordedWalk], more: Bool) {
        self.walks = walks
        self.more = more
    }
}

/// The answer of `walk-log track`.
public struct WalkTrack: Codable, Hashable, Sendable {
    /// The points of the way, in order.
    public var points: [Place]
    /// The reason why the way is not here, and when it comes.
    public var note: ShownSentence?

    /// Creates the value.
    public init(points: [Place], note: Sentence? = nil) {
        self.points = points
        self.note = note.map { ShownSentence($0) }
    }

    /// A point of a way.
    public struct Place: Codable, Hashable, Sendable {
        /// Degrees north.
        public var latitude: Latitude
        /// Degrees east.
        public var longitude: Longitude
        /// The time at which the walker was there.
        public var atMs: Timestamp
        /// Whether a new part of the way begins here, after a pause.
        public var begins: Bool

        /// Creates the value.
        public init(latitude: Double, longitude: Double, atMs: Timestamp, begins: Bool) {
            self.latitude = Latitude(clamping: latitude)
            self.longitude = Longitude(clamping: longitude)
            self.atMs = atMs
            self.begins = begins
        }
    }
}
