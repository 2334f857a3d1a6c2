public import Contract

/// The commands of the walk log.
///
/// ```swift
/// try await node.call(WalkLogCommands.start, .init(dog: [DogName("Haru")]))
/// let status = try await node.call(WalkLogCommands.status)
/// let walk = try await node.call(WalkLogCommands.finish)
/// ```
public enum WalkLogCommands {
    /// Starts a recording.
    public static let start = Command<StartWalkLog, WalkLogStatus>(
        .action, "walk-log", "start",
        help: "Starts to record a walk: this device's locations, time and distance.",
        topics: [
            .example(
                .start, command: "waggle walk-log start --dog Haru", effect: "records your walk"),
            .text(
                .privacy,
                "A recorded walk reaches your own devices only, until you share it with a mate."),
        ])
    /// Pauses the recording.
    public static let pause = Command<NoParameters, WalkLogStatus>(
        .action, "walk-log", "pause", help: "Pauses the recording of your walk.")
    /// Goes on after a pause or an interruption.
    public static let resume = Command<NoParameters, WalkLogStatus>(
        .action, "walk-log", "resume",
        help: "Resumes the recording after a pause or an interruption.")
    /// Ends the recording and keeps the walk.
    public static let finish = Command<NoParameters, RecordedWalk>(
        .action, "walk-log", "finish", help: "Ends the recording and keeps the walk.")
    /// Ends the recording without a walk.
    public static let discard = Command<NoParameters, Done>(
        .action, "walk-log", "discard", help: "Stops the recording and discards it.")
    /// Shows the recording.
    public static let status = Command<NoParameters, WalkLogStatus>(
        .query, "walk-log", "status",
        help: "Shows the recording of your walk, and accepted walk requests to record.",
        follows: [WalkLogEvents.changed.declaration])
    /// Lists the walks.
    public static let list = Command<ListWalks, WalkLogPage>(
        .query, "walk-log", "list", help: "Lists your recorded walks, newest first.",
        follows: [WalkLogEvents.changed.declaration])
    /// Shows a walk.
    public static let show = Command<WalkLogReference, RecordedWalk>(
        .query, "walk-log", "show", help: "Shows a recorded walk.")
    /// Shows the way of a walk.
    public static let track = Command<ShowTrack, WalkTrack>(
        .query, "walk-log", "track",
        help: "Shows the way of a recorded walk, or of the one that is being recorded.")
    /// Deletes a walk.
    public static let delete = Command<WalkLogReference, Done>(
        .action, "walk-log", "delete", help: "Deletes a recorded walk on all your devices.")
    /// Adds up the walks of weeks and months.
    public static let totals = Command<NoParameters, WalkTotals>(
        .query, "walk-log", "totals",
        help: "Adds up your walks of the last 12 weeks and of the last 12 months.",
        follows: [WalkLogEvents.changed.declaration])
    /// Shows a walk to a mate.
    public static let share = Command<ShareWalk, SharedWalk>(
        .action, "walk-log", "share",
        help: "Shows one walk to a mate: its distance and time, and its route without the first "
            + "and last 200 m.")
    /// Takes a walk back from a mate.
    public static let unshare = Command<WalkLogReference, Done>(
        .action, "walk-log", "unshare",
        help: "Takes back a walk that you showed to a mate; it is erased on their devices.")
    /// Lists the walks that mates see or that mates show.
    public static let shared = Command<NoParameters, SharedWalks>(
        .query, "walk-log", "shared",
        help: "Lists the walks that you show to mates and that mates show to you.",
        follows: [WalkLogEvents.changed.declaration])
    /// Shows the way of a shared walk.
    public static let way = Command<WalkLogReference, WalkTrack>(
        .query, "walk-log", "way", help: "Shows the route of a walk that is shared.")
    /// Writes a walk into a file for other programs.
    public static let export = Command<ExportWalkLog, SavedFile>(
        .action, "walk-log", "export",
        help: "Writes a recorded walk into a new GPX or GeoJSON file, or a picture of its route "
            + "into a new PNG or SVG file.")
    /// Reads a walk from a file of another program.
    public static let load = Command<LoadWalk, RecordedWalk>(
        .action, "walk-log", "import",
        help: "Reads a walk from a GPX or GeoJSON file, and keeps it as if it had been recorded.")
    /// Sets the weight of the walker.
    public static let weigh = Command<Weigh, WalkLogStatus>(
        .action, "walk-log", "weigh",
        help: "Sets your weight, used to calculate the energy of your walks.")
}

/// The events of the walk log.
public enum WalkLogEvents {
    /// A recording or a recorded walk changed.
    public static let changed = Event<WalkLogChange>(
        "walklog", help: "The recording of a walk, or a recorded walk, changed.")
}

/// The body of ``WalkLogEvents/changed``.
public struct WalkLogChange: EventBody {
    /// A part of the walk log.
    public enum Part: String, OpenChoice {
        /// The state of the recording.
        case recording
        /// The way that is being recorded: it has a new point.
        case track
        /// The recorded walks.
        case walks
        /// The walks that mates see or show.
        case shared
        /// A part that a newer node added.
        case unknown
    }

    /// The part that changed; nil if any may have.
    public var part: Part?

    /// Creates the value.
    public init(part: Part? = nil) { self.part = part }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        switch part {
        case .recording: "The recording of a walk began, paused, went on or ended."
        case .track: "The walk being recorded got longer."
        case .walks: "The recorded walks changed."
        case .shared: "A walk was shared, or taken back."
        case .unknown, nil: nil
        }
    }

    /// Whether one of these parts may have changed.
    public func concerns(_ some: Part...) -> Bool {
        part.map { $0 == .unknown || some.contains($0) } ?? true
    }
}

/// The request of `walk-log start`.
public struct StartWalkLog: CommandRequest {
    /// The dogs that come along.
    public var dog: [DogName]?
    /// The mates who come along.
    public var with: [NameOrKey]?
    /// The accepted walk request that the walk follows.
    public var request: RecordPrefix?

    /// Creates the value.
    public init(dog: [DogName]? = nil, with: [NameOrKey]? = nil, request: RecordPrefix? = nil) {
        self.dog = dog
        self.with = with
        self.request = request
    }

    /// The help of each property.
    public static let help = [
        "dog": "The name of a dog that comes along, 1 to 15 characters; several may be given.",
        "with": "A mate who comes along, by name or key; several may be given.",
        "request": "The accepted walk request that this walk follows; six digits of its id are "
            + "enough.",
    ]
}

/// The request of `walk-log list`.
public struct ListWalks: CommandRequest {
    /// The walk before which the page begins; the newest walks without it.
    public var before: RecordPrefix?
    /// The most walks of the page; 20 without it.
    public var count: Whole<1, 1000>?

    /// Creates the value.
    public init(before: RecordPrefix? = nil, count: Whole<1, 1000>? = nil) {
        self.before = before
        self.count = count
    }

    /// The help of each property.
    public static let help = [
        "before": "The id of a walk, to list older ones; six digits are enough.",
        "count": "The maximum number of walks, 1 to 1000 (default 20).",
    ]
}

/// A recorded walk, named by its id.
public struct WalkLogReference: CommandRequest {
    /// The walk's id; its first six digits are enough.
    public var id: RecordPrefix

    /// Creates the value.
    public init(id: RecordPrefix) { self.id = id }

    /// The help of each property.
    public static let help = ["id": "The id of the walk; six digits are enough."]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `walk-log track`.
public struct ShowTrack: CommandRequest {
    /// The walk; the one that is being recorded without it.
    public var id: RecordPrefix?
    /// The most points of the answer; the way is simplified until it has so few.
    public var points: Whole<2, 21_600>?

    /// Creates the value.
    public init(id: RecordPrefix? = nil, points: Whole<2, 21_600>? = nil) {
        self.id = id
        self.points = points
    }

    /// The help of each property.
    public static let help = [
        "id": "The id of the walk, six digits are enough; the walk that is being recorded "
            + "without it.",
        "points": "The maximum number of points, 2 to 21600 (default: all).",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `walk-log export`: the walk, and one file.
public struct ExportWalkLog: CommandRequest {
    /// The walk's id; its first six digits are enough.
    public var id: RecordPrefix
    /// The new file in GPX 1.1.
    public var gpx: FilePath?
    /// The new file in GeoJSON.
    public var geojson: FilePath?
    /// The new picture of the route, 400 × 250 pixels.
    public var png: FilePath?
    /// The new picture of the route as a drawing.
    public var svg: FilePath?

    /// Creates the value.
    public init(
        id: RecordPrefix, gpx: FilePath? = nil, geojson: FilePath? = nil, png: FilePath? = nil,
        svg: FilePath? = nil
    ) {
        self.id = id
        self.gpx = gpx
        self.geojson = geojson
        self.png = png
        self.svg = svg
    }

    /// The help of each property.
    public static let help = [
        "id": "The id of the walk; six digits are enough.",
        "gpx": "The new file, in GPX 1.1.", "geojson": "The new file, in GeoJSON.",
        "png": "The new picture of the route, 400 by 250 pixels, in PNG.",
        "svg": "The new picture of the route, in SVG.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
    /// The walk and a file.
    public static let memberCountMin = 2
}

/// The request of `walk-log import`.
public struct LoadWalk: CommandRequest {
    /// The file, in GPX or GeoJSON.
    public var file: FilePath

    /// Creates the value.
    public init(file: FilePath) { self.file = file }

    /// The help of each property.
    public static let help = ["file": "The file, in GPX or GeoJSON; its points need times."]
    /// The properties read by position.
    public static let positional = ["file"]
}

/// The request of `walk-log weigh`.
public struct Weigh: CommandRequest {
    /// The weight.
    public var kilograms: WalkerKilograms

    /// Creates the value.
    public init(kilograms: WalkerKilograms) { self.kilograms = kilograms }

    /// The help of each property.
    public static let help = ["kilograms": "Your weight in kilograms, 20 to 300."]
    /// The properties read by position.
    public static let positional = ["kilograms"]
}
