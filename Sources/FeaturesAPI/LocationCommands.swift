public import Contract

/// The commands of this device's location.
///
/// ```swift
/// let known = try await node.call(LocationCommands.show)
/// if let latitude = known.latitude, let longitude = known.longitude {
///     show(latitude.value, longitude.value)  // absent while no location is known
/// }
/// ```
public enum LocationCommands {
    /// Shows the location, its source and its age.
    public static let show = Command<NoParameters, MyLocation>(
        .query, "location", "show",
        help: "Shows this device's location, its source and its age.")
    /// Sets the location by hand, for my mates too.
    public static let set = Command<SetLocation, MyLocation>(
        .action, "location", "set", aliases: ["share"],
        help: "Sets your location by hand; mates see it too.")
    /// Forgets the location, on my mates' devices too.
    public static let clear = Command<NoParameters, Done>(
        .action, "location", "clear", aliases: ["forget", "stop"],
        help: "Forgets your location, also on your mates' devices.",
        topics: [
            .example(
                .privacy, command: "waggle location clear",
                effect: "forgets your location, also on your mates' devices")
        ])
    /// Chooses the source of the location.
    public static let source = Command<ChooseLocationSource, MyLocation>(
        .action, "location", "source",
        help: "Chooses the source of this device's location. Mates see only a location set by hand."
    )
}

/// The request of `location set`.
public struct SetLocation: CommandRequest {
    /// Degrees north, −90 to 90.
    public var latitude: Latitude
    /// Degrees east, −180 to 180.
    public var longitude: Longitude
    /// The radius in metres within which the true location lies.
    public var accuracyMetres: AccuracyMetres?

    /// Creates the value.
    public init(latitude: Latitude, longitude: Longitude, accuracyMetres: AccuracyMetres? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
    }

    /// The help of each property.
    public static let help = [
        "latitude": "Degrees north, -90 to 90.", "longitude": "Degrees east, -180 to 180.",
        "accuracyMetres": "The accuracy, in metres.",
    ]
}

/// The source of this device's location.
public enum LocationSourceName: String, Choice { case hand, gpsd, gpx }

/// The request of `location source`.
public struct ChooseLocationSource: CommandRequest {
    /// The source: the person's own input, gpsd or a recorded GPX track.
    public var source: LocationSourceName
    /// The address of gpsd; `localhost:2947` if nil.
    public var address: NetworkAddress?
    /// The absolute path of the GPX file to play.
    public var file: FilePath?
    /// The factor by which the track is played faster than it was recorded.
    public var speed: PlaybackSpeed?
    /// The time of the track's first point.
    public var startMs: Timestamp?

    /// Creates the value.
    public init(
        source: LocationSourceName, address: NetworkAddress? = nil, file: FilePath? = nil,
        speed: PlaybackSpeed? = nil, startMs: Timestamp? = nil
    ) {
        self.source = source
        self.address = address
        self.file = file
        self.speed = speed
        self.startMs = startMs
    }

    /// The help of each property.
    public static let help = [
        "source": "Set by hand, a GPS receiver, or a recorded track that is played.",
        "address": "The address of gpsd; localhost:2947 by default.",
        "file": "The GPX file to play.",
        "speed": "How many times faster than it was recorded.",
        "startMs": "The time of the track's first point; without it, the recorded times are used.",
    ]
    /// The properties read by position.
    public static let positional = ["source"]
}

/// The answer of the location commands.
public struct MyLocation: Codable, Hashable, Sendable {
    /// The state of a source.
    public enum State: String, OpenChoice {
        /// The source reported a location.
        case known
        /// The source is available, and knows no location yet or not any more.
        case searching
        /// The source is unavailable, and is tried again.
        case away
        /// The source has ended and reports nothing more.
        case ended
        /// The source cannot be used.
        case failed
        /// A state that a newer node added.
        case unknown
    }

    /// The device that set the location which mates see.
    public enum Shown: String, OpenChoice {
        /// This device.
        case here
        /// Another device of mine; `location clear` ends it from here too.
        case elsewhere
        /// A value that a newer node added.
        case unknown
    }

    /// The source.
    public var source: LocationSourceName
    /// The state of the source.
    public var state: State
    /// A sentence that says why the source is away or failed.
    public var reason: ShownSentence?
    /// The address of gpsd, if that is the source.
    public var address: NetworkAddress.Shown?
    /// The path of the GPX file, if a track is the source.
    public var file: ShownPath?
    /// The playback factor, if a track is the source.
    public var speed: PlaybackSpeed?
    /// Degrees north, −90 to 90.
    public var latitude: Latitude?
    /// Degrees east, −180 to 180.
    public var longitude: Longitude?
    /// The radius in metres within which the true location lies.
    public var accuracyMetres: AccuracyMetres?
    /// The time of the fix.
    public var atMs: Timestamp?
    /// The age of the fix in seconds.
    public var ageSeconds: Count?
    /// The device that set the location which mates see; nil if they see none.
    public var shown: Shown?
    /// The key of that device, if it is another one of mine.
    public var shownBy: Key?

    /// Creates the value.
    public init(
        source: LocationSourceName, state: State, reason: Sentence? = nil, address: String? = nil,
        file: String? = nil, speed: Double? = nil, latitude: Double? = nil,
        longitude: Double? = nil, accuracyMetres: Double? = nil, atMs: Timestamp? = nil,
        ageSeconds: Int? = nil
    ) {
        self.source = source
        self.state = state
        self.reason = reason.map(ShownSentence.init(_:))
        self.address = address.map(NetworkAddress.Shown.init(clipping:))
        self.file = file.map(ShownPath.init(clipping:))
        self.speed = speed.map { PlaybackSpeed(clamping: $0) }
        self.latitude = latitude.map { Latitude(clamping: $0) }
        self.longitude = longitude.map { Longitude(clamping: $0) }
        self.accuracyMetres = accuracyMetres.map { AccuracyMetres(clamping: $0) }
        self.atMs = atMs
        self.ageSeconds = ageSeconds.map { Count(clamping: $0) }
    }
}
