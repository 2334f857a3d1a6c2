public import Contract

/// A walker's weight in kilograms.
public typealias WalkerKilograms = Whole<20, 300>

/// The recording of a walk as this device sees it. A property that is not known is absent.
public struct WalkLogStatus: Codable, Hashable, Sendable {
    /// The state of the recording.
    public enum State: String, OpenChoice {
        /// Nothing is being recorded.
        case idle
        /// The walk is being recorded.
        case recording
        /// The person paused it.
        case paused
        /// The node ended meanwhile: resume, finish or discard it.
        case interrupted
        /// The journal of a walk cannot be read: discard it.
        case damaged
        /// A state that a newer node added.
        case unknown
    }

    /// The state of the recording.
    public var state: State
    /// The walk so far; absent if nothing is being recorded.
    public var walk: Progress?
    /// The weight from which the energy follows.
    public var kilograms: WalkerKilograms
    /// The reason why the walk has no distance, or is not stored, and what to do.
    public var trouble: ShownSentence?
    /// The accepted walk requests of this time that have no recording here.
    public var offers: [Offer]

    /// Creates the value.
    public init(
        state: State, walk: Progress? = nil, kilograms: Int, trouble: Sentence? = nil,
        offers: [Offer] = []
    ) {
        self.state = state
        self.walk = walk
        self.kilograms = WalkerKilograms(clamping: kilograms)
        self.trouble = trouble.map { ShownSentence($0) }
        self.offers = offers
    }

    /// A walk that is being recorded. In JSON its numbers and its company are beside `startedMs`.
    public struct Progress: Codable, Hashable, Sendable {
        /// The time of its beginning.
        public var startedMs: Timestamp
        /// Its measures so far.
        public var measures: WalkMeasures
        /// The people and dogs of the walk.
        public var company: WalkCompany

        /// Creates the value.
        public init(startedMs: Timestamp, measures: WalkMeasures, company: WalkCompany) {
            self.startedMs = startedMs
            self.measures = measures
            self.company = company
        }

        private enum CodingKeys: CodingKey { case startedMs }

        /// Reads the members of all parts.
        public init(from decoder: any Decoder) throws {
            startedMs = try decoder.container(keyedBy: CodingKeys.self)
                .decode(Timestamp.self, forKey: .startedMs)
            measures = try WalkMeasures(from: decoder)
            company = try WalkCompany(from: decoder)
        }

        /// Writes the members of all parts.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(startedMs, forKey: .startedMs)
            try measures.encode(to: encoder)
            try company.encode(to: encoder)
        }
    }

    /// An accepted walk request that can be recorded.
    public struct Offer: Codable, Hashable, Sendable {
        /// The request's id.
        public var request: RecordKey
        /// The other person.
        public var mate: WalkMate
        /// The time of the walk.
        public var atMs: Timestamp

        /// Creates the value.
        public init(request: RecordKey, mate: WalkMate, atMs: Timestamp) {
            self.request = request
            self.mate = mate
            self.atMs = atMs
        }
    }
}

/// The numbers of a walk.
public struct WalkMeasures: Codable, Hashable, Sendable {
    /// The length of the way in metres.
    public var distanceMetres: DistanceMetres
    /// The time of the walk without pauses, in seconds.
    public var elapsedSeconds: Count
    /// The part of it in which the walker moved, in seconds.
    public var movingSeconds: Count
    /// The distance by the elapsed time, in kilometres per hour.
    public var speedKmh: WalkSpeed
    /// The energy in kilocalories.
    public var kilocalories: Count
    /// The number of points of the way.
    public var pointsCount: Count
    /// The number of locations that were left out because nobody walks so fast.
    public var spikesCount: Count

    /// Creates the value.
    public init(
        distanceMetres: Double, elapsedSeconds: Int, movingSeconds: Int, speedKmh: Double,
        kilocalories: Int, pointsCount: Int, spikesCount: Int
    ) {
        self.distanceMetres = DistanceMetres(clamping: distanceMetres)
        self.elapsedSeconds = Count(clamping: elapsedSeconds)
        self.movingSeconds = Count(clamping: movingSeconds)
        self.speedKmh = WalkSpeed(clamping: speedKmh)
        self.kilocalories = Count(clamping: kilocalories)
        self.pointsCount = Count(clamping: pointsCount)
        self.spikesCount = Count(clamping: spikesCount)
    }
}

/// The people and dogs of a walk.
public struct WalkCompany: Codable, Hashable, Sendable {
    /// The dogs.
    public var dogs: [DogName.Shown]
    /// The mates.
    public var mates: [WalkMate]
    /// The walk request that the walk follows. The mate's walk has the same.
    public var request: RecordKey?

    /// Creates the value.
    public init(dogs: [String], mates: [WalkMate], request: RecordKey? = nil) {
        self.dogs = dogs.map(DogName.Shown.init(clipping:))
        self.mates = mates
        self.request = request
    }
}

/// A mate on a walk.
public struct WalkMate: Codable, Hashable, Sendable {
    /// Their key.
    public var person: Key
    /// Their name, if it is known.
    public var name: PersonName?

    /// Creates the value.
    public init(person: Key, name: String? = nil) {
        self.person = person
        self.name = name.map(PersonName.init(clipping:))
    }
}

/// A speed in kilometres per hour, at least 0.
public typealias WalkSpeed = Bounded<WalkSpeedRange>

/// The kilometres per hour of a ``WalkSpeed``.
public enum WalkSpeedRange: NumberRange {
    /// From standing to faster than anything. A track that is played fast counts as a fast walk.
    public static let range = 0.0...1_000_000.0
}
