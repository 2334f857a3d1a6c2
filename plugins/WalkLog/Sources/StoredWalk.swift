internal import PluginKit
internal import WalkLogAPI

/// A finished walk as it is stored. A record may come from another version of the program, so every
/// number is limited to what a walk can have.
struct StoredWalk: Hashable, Sendable {
    let id: EntityID
    let started: Timestamp
    let ended: Timestamp
    let elapsed: Duration
    let moving: Duration
    let distanceMetres: Double
    let kilocalories: Int
    let pointsCount: Int
    let spikesCount: Int
    let dogs: [String]
    let people: [PersonID]
    let request: EntityID?
    /// The content with the points; nil for a walk without any.
    let track: Blob?

    /// Reads a row of the table; nil if the record is not a walk.
    init?(_ row: Row) {
        guard let id = row.entity("entity"),
            let started = row.integer("started_ms").flatMap({ Timestamp(exactly: $0) })
        else { return nil }
        self.id = id
        self.started = started
        ended = max(started, row.integer("ended_ms").map(Timestamp.init(milliseconds:)) ?? started)
        let elapsed = min(Self.time(row, "elapsed_ms"), WalkLimits.elapsedMax)
        self.elapsed = elapsed
        moving = min(Self.time(row, "moving_ms"), elapsed)
        let metres = row.real("distance_m") ?? 0
        distanceMetres = metres > 0 ? min(metres, Self.metresMax) : 0
        kilocalories = Int(clamping: max(0, row.integer("kilocalories") ?? 0))
        pointsCount = Int(clamping: max(0, row.integer("points") ?? 0))
        spikesCount = Int(clamping: max(0, row.integer("spikes") ?? 0))
        dogs = (row.texts("dogs") ?? []).compactMap(DogName.rule.clip)
        people = (row.texts("people") ?? []).compactMap { PersonID($0) }
        request = row.bytes("request").flatMap { EntityID(bytes: $0) }
        track = row.blob("track")
    }

    /// The longest way: twice around the Earth. A track that is played fast may be a long one.
    private static let metresMax = 80_000_000.0

    private static func time(_ row: Row, _ column: String) -> Duration {
        .milliseconds(max(0, row.integer(column) ?? 0))
    }

    /// The speed by the elapsed time.
    var kilometresPerHour: Double {
        WalkEnergy.kilometresPerHour(metres: distanceMetres, in: elapsed)
    }

    /// Returns the walk as answers have it.
    func answer(names: [PersonID: String]) -> RecordedWalk {
        RecordedWalk(
            id: RecordKey(id), startedMs: started, endedMs: ended,
            measures: WalkMeasures(
                distanceMetres: distanceMetres, elapsedSeconds: elapsed.wholeSeconds,
                movingSeconds: moving.wholeSeconds, speedKmh: kilometresPerHour,
                kilocalories: kilocalories, pointsCount: pointsCount, spikesCount: spikesCount),
            company: WalkCompany(dogs: dogs, people: people, request: request, names: names))
    }
}

extension WalkCompany {
    /// Creates the value from stored parts.
    init(dogs: [String], people: [PersonID], request: EntityID?, names: [PersonID: String]) {
        self.init(
            dogs: dogs, mates: people.map { WalkMate(person: Key($0), name: names[$0]) },
            request: request.map { RecordKey($0) })
    }
}

extension Duration {
    /// The number of whole seconds, without fractions.
    var wholeSeconds: Int { Int(clamping: components.seconds) }
}
