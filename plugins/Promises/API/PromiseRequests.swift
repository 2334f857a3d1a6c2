public import Contract

/// The title of a promise.
public typealias PromiseTitleText = Text<1, 15>
/// The name of the location of a promise; empty for none.
public typealias PromiseLocationName = Text<0, 50>
/// The cost of being late in potatoes.
public typealias PromisePenalty = Whole<0, 5000>

private let promiseHelp =
    "The promise's title, while it is not over, or its id; six digits of an id are enough."
private let mateHelp = "A mate's name or key; several may be given."
private let fieldHelp = [
    "title": "The title, 1 to 15 characters.",
    "atMs": "When to be there, at least 30 minutes ahead.",
    "latitude": "Degrees north, -90 to 90.",
    "longitude": "Degrees east, -180 to 180.",
    "locationName": "The name of the location, up to 50 characters; '' for no name.",
    "penalty": "The penalty for being late, in potatoes: 0, 100 to 500 in steps of 100, or 1000 to "
        + "5000 in steps of 500.",
]

/// The request of `promise create`.
public struct CreatePromise: CommandRequest {
    /// The title; nil for that of the file.
    public var title: PromiseTitleText?
    /// The time to be there; nil for that of the file.
    public var atMs: Timestamp?
    /// Degrees north; without both, the promise is at the location of the file or, without a file,
    /// at this device's own location.
    public var latitude: Latitude?
    /// Degrees east.
    public var longitude: Longitude?
    /// The name of the location; an empty one means none.
    public var locationName: PromiseLocationName?
    /// The cost of being late in potatoes, one of a short list; 0 without it.
    public var penalty: PromisePenalty?
    /// A calendar file whose event has what the request does not name.
    public var from: FilePath?
    /// The mates who are asked.
    public var with: [NameOrKey]

    /// Creates the value.
    public init(
        title: PromiseTitleText? = nil, atMs: Timestamp? = nil, latitude: Latitude? = nil,
        longitude: Longitude? = nil, locationName: PromiseLocationName? = nil,
        penalty: PromisePenalty? = nil, from: FilePath? = nil, with: [NameOrKey]
    ) {
        self.title = title
        self.atMs = atMs
        self.latitude = latitude
        self.longitude = longitude
        self.locationName = locationName
        self.penalty = penalty
        self.from = from
        self.with = with
    }

    /// The help of each property.
    public static let help = fieldHelp.merging([
        "latitude": "Degrees north, -90 to 90; without both, your own location.",
        "from": "A calendar file (.ics) with the title, time and location; values given on the "
            + "command line take precedence.",
        "with": mateHelp,
    ]) { _, one in one }
}

/// The request of `promise edit`: the properties that change.
public struct EditPromise: CommandRequest {
    /// The promise.
    public var promise: NameOrKey
    /// The title.
    public var title: PromiseTitleText?
    /// The time to be there.
    public var atMs: Timestamp?
    /// Degrees north. A change of location names both coordinates.
    public var latitude: Latitude?
    /// Degrees east. A change of location names both coordinates.
    public var longitude: Longitude?
    /// The name of the location; an empty one removes it.
    public var locationName: PromiseLocationName?
    /// The cost of being late in potatoes, one of a short list.
    public var penalty: PromisePenalty?

    /// Creates the value.
    public init(
        promise: NameOrKey, title: PromiseTitleText? = nil, atMs: Timestamp? = nil,
        latitude: Latitude? = nil, longitude: Longitude? = nil,
        locationName: PromiseLocationName? = nil, penalty: PromisePenalty? = nil
    ) {
        self.promise = promise
        self.title = title
        self.atMs = atMs
        self.latitude = latitude
        self.longitude = longitude
        self.locationName = locationName
        self.penalty = penalty
    }

    /// The help of each property.
    public static let help = fieldHelp.merging(["promise": promiseHelp]) { one, _ in one }
    /// The properties read by position.
    public static let positional = ["promise"]
    /// The promise and at least one change.
    public static let memberCountMin = 2
}

/// The request of `promise invite`.
public struct InviteToPromise: CommandRequest {
    /// The promise.
    public var promise: NameOrKey
    /// The mates who are asked.
    public var with: [NameOrKey]

    /// Creates the value.
    public init(promise: NameOrKey, with: [NameOrKey]) {
        self.promise = promise
        self.with = with
    }

    /// The help of each property.
    public static let help = ["promise": promiseHelp, "with": mateHelp]
    /// The properties read by position.
    public static let positional = ["promise"]
}

/// A promise, named by its id.
public struct PromiseReference: CommandRequest {
    /// The promise.
    public var promise: NameOrKey

    /// Creates the value.
    public init(promise: NameOrKey) {
        self.promise = promise
    }

    /// The help of each property.
    public static let help = ["promise": promiseHelp]
    /// The properties read by position.
    public static let positional = ["promise"]
}

/// The request of `promise accept` and `promise confirm`.
public struct AgreeToPromise: CommandRequest {
    /// The promise.
    public var promise: NameOrKey
    /// The time that the person was shown; the request is refused if the promise has another time.
    public var atMs: Timestamp?

    /// Creates the value.
    public init(promise: NameOrKey, atMs: Timestamp? = nil) {
        self.promise = promise
        self.atMs = atMs
    }

    /// The help of each property.
    public static let help = [
        "promise": promiseHelp,
        "atMs": "The time that you agree to; refused if the promise was moved.",
    ]
    /// The properties read by position.
    public static let positional = ["promise"]
}

/// The request of `promise list`.
public struct ListPromises: CommandRequest {
    /// Whether to list past promises, newest first, instead of those that are not over.
    public var past: Bool?
    /// The cursor in the list of past promises at which the page begins.
    public var cursor: Cursor?

    /// Creates the value.
    public init(past: Bool? = nil, cursor: Cursor? = nil) {
        self.past = past
        self.cursor = cursor
    }

    /// The help of each property.
    public static let help = [
        "past": "Past promises, newest first, ten at a time.",
        "cursor": "The 'next' of the previous page; for past promises only.",
    ]
}

/// The request of `promise draft`.
public struct ReadPromise: CommandRequest {
    /// A calendar file of at most 1 MiB.
    public var file: FilePath

    /// Creates the value.
    public init(file: FilePath) { self.file = file }

    /// The help of each property.
    public static let help = ["file": "A calendar file (.ics) of at most 1 MiB."]
    /// The properties read by position.
    public static let positional = ["file"]
}

/// The request of `promise export`: one promise, or all that are ahead, and one file.
public struct ExportPromise: CommandRequest {
    /// The promise; nil for all that are ahead.
    public var promise: NameOrKey?
    /// The calendar file to create.
    public var ics: FilePath?
    /// The file of locations to create.
    public var geojson: FilePath?

    /// Creates the value.
    public init(promise: NameOrKey? = nil, ics: FilePath? = nil, geojson: FilePath? = nil) {
        self.promise = promise
        self.ics = ics
        self.geojson = geojson
    }

    /// The help of each property.
    public static let help = [
        "promise": "The promise's title or id; all that are ahead by default.",
        "ics": "The calendar file to create.",
        "geojson": "The map file with the locations to create (GeoJSON).",
    ]
    /// The properties read by position.
    public static let positional = ["promise"]
    /// The minimum of one file.
    public static let memberCountMin = 1
}
