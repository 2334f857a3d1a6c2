public import Contract

/// The name of a meeting point.
public typealias LocationName = Text<1, 50>
/// The message of a walk request, or the note on one.
public typealias WalkMessage = Text<1, 100>

/// The commands of walk requests.
public enum WalkCommands {
    /// Asks a mate for a walk, now or at a time.
    public static let ask = Command<AskForWalk, WalkRequest>(
        .action, "walk", "ask", help: "Asks a mate for a walk, now or at a time.")
    /// Accepts a request.
    public static let accept = Command<WalkReference, WalkRequest>(
        .action, "walk", "accept", help: "Accepts a walk request.")
    /// Declines a request.
    public static let decline = Command<WalkReference, WalkRequest>(
        .action, "walk", "decline", help: "Declines a walk request.")
    /// Withdraws an open request.
    public static let cancel = Command<WalkReference, WalkRequest>(
        .action, "walk", "cancel", help: "Cancels an open walk request.")
    /// Writes the note on a request, which both people may change.
    public static let note = Command<NoteOnWalk, WalkRequest>(
        .action, "walk", "note",
        help:
            "Writes the note on a request, which both people can change, such as 'the north gate'.")
    /// Erases a request of mine, here and on the mate's device.
    public static let erase = Command<WalkReference, Done>(
        .action, "walk", "erase",
        help: "Erases one of your requests, here and on your mate's device.")
    /// Writes a walk at a time as an event for a calendar.
    public static let export = Command<ExportWalk, SavedFile>(
        .action, "walk", "export",
        help: "Writes a scheduled walk to a file for your calendar (.ics).",
        topics: [
            .example(
                .people, command: "waggle walk export 77aa02 --ics walk.ics",
                effect: "writes the walk as an event that your calendar opens")
        ])
    /// Lists requests, the newest first.
    public static let list = Command<NoParameters, WalkList>(
        .query, "walk", "list", help: "Lists walk requests, newest first.")
}

/// The request of `walk ask`.
public struct AskForWalk: CommandRequest {
    /// The mate's name or key; six digits of a key are enough.
    public var to: NameOrKey
    /// The latitude of the meeting point in degrees north, −90 to 90; without both, it is this
    /// device's own location.
    public var latitude: Latitude?
    /// The longitude of the meeting point in degrees east, −180 to 180.
    public var longitude: Longitude?
    /// The name of the meeting point, 1 to 50 characters.
    public var locationName: LocationName?
    /// The message to the mate, one line of 1 to 100 characters.
    public var message: WalkMessage
    /// The time of the walk; nil for now.
    public var atMs: Timestamp?

    /// Creates the value.
    public init(
        to: NameOrKey, latitude: Latitude? = nil, longitude: Longitude? = nil,
        locationName: LocationName? = nil, message: WalkMessage, atMs: Timestamp? = nil
    ) {
        self.to = to
        self.latitude = latitude
        self.longitude = longitude
        self.locationName = locationName
        self.message = message
        self.atMs = atMs
    }

    /// The help of each property.
    public static let help = [
        "to": "The mate's name or key; six digits of a key are enough.",
        "latitude": "Degrees north, -90 to 90; without both, your own location.",
        "longitude": "Degrees east, -180 to 180.",
        "locationName": "The name of the location, 1 to 50 characters.",
        "message": "One line of 1 to 100 characters.",
        "atMs": "When to walk; without a time, the request is open for 60 seconds.",
    ]
    /// The properties read by position.
    public static let positional = ["to"]
}

/// A walk request, named by its id.
public struct WalkReference: CommandRequest {
    /// The request's id; its first six digits are enough.
    public var id: RecordPrefix

    /// Creates the value.
    public init(id: RecordPrefix) {
        self.id = id
    }

    /// The help of each property.
    public static let help = ["id": "The id; six digits are enough."]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `walk note`.
public struct NoteOnWalk: CommandRequest {
    /// The request's id; its first six digits are enough.
    public var id: RecordPrefix
    /// The note, one line of 1 to 100 characters.
    public var note: WalkMessage

    /// Creates the value.
    public init(id: RecordPrefix, note: WalkMessage) {
        self.id = id
        self.note = note
    }

    /// The help of each property.
    public static let help = [
        "id": "The id; six digits are enough.", "note": "One line of 1 to 100 characters.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `walk export`.
public struct ExportWalk: CommandRequest {
    /// The request's id; its first six digits are enough.
    public var id: RecordPrefix
    /// The calendar file to create.
    public var ics: FilePath

    /// Creates the value.
    public init(id: RecordPrefix, ics: FilePath) {
        self.id = id
        self.ics = ics
    }

    /// The help of each property.
    public static let help = [
        "id": "The id; six digits are enough.", "ics": "The calendar file to create.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// A walk request as this device sees it.
public struct WalkRequest: Codable, Hashable, Sendable {
    /// The direction of a request from this person's side.
    public enum Direction: String, Choice { case sent, received }

    /// The state of a request. A state that a newer node adds is read as ``unknown``.
    public enum State: String, OpenChoice {
        case queued, delivered, pending, accepted, declined, cancelled, expired, missed
        case notAnswered, unknown
    }

    /// The request's id.
    public var id: RecordKey
    /// The direction: sent or received.
    public var direction: Direction
    /// The key of the other person.
    public var person: Key
    /// The other person's name, if it is known.
    public var name: PersonName?
    /// The latitude of the meeting point in degrees north.
    public var latitude: Latitude
    /// The longitude of the meeting point in degrees east.
    public var longitude: Longitude
    /// The name of the meeting point, if it has one.
    public var locationName: LocationName.Shown?
    /// The message that came with the request.
    public var message: WalkMessage.Shown
    /// The note that both people may change.
    public var note: WalkMessage.Shown?
    /// The time at which the request was made.
    public var createdMs: Timestamp
    /// The time of the walk; nil for now.
    public var atMs: Timestamp?
    /// The number of seconds until an open request expires.
    public var secondsLeft: Count?
    /// The state of the request.
    public var state: State

    /// Creates the value.
    public init(
        id: RecordKey, direction: Direction, person: Key, name: String? = nil, latitude: Double,
        longitude: Double, locationName: String? = nil, message: String, note: String? = nil,
        createdMs: Timestamp, atMs: Timestamp? = nil, secondsLeft: Int? = nil, state: State
    ) {
        self.id = id
        self.direction = direction
        self.person = person
        self.name = name.map(PersonName.init(clipping:))
        self.latitude = Latitude(clamping: latitude)
        self.longitude = Longitude(clamping: longitude)
        self.locationName = locationName.map(LocationName.Shown.init(clipping:))
        self.message = WalkMessage.Shown(clipping: message)
        self.note = note.map(WalkMessage.Shown.init(clipping:))
        self.createdMs = createdMs
        self.atMs = atMs
        self.secondsLeft = secondsLeft.map { Count(clamping: $0) }
        self.state = state
    }
}

extension WalkRequest: DetailMembers {
    /// The note, what the name and the state tell too, and the coordinates.
    public static let detailMembers = [
        "secondsLeft", "createdMs", "note", "person", "latitude", "longitude",
    ]
}

/// The answer of `walk list`.
public struct WalkList: Codable, Hashable, Sendable {
    /// The requests, the newest first.
    public var requests: [WalkRequest]

    /// Creates the value.
    public init(requests: [WalkRequest]) {
        self.requests = requests
    }
}
