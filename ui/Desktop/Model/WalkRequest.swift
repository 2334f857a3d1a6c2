/// Somebody asks somebody for a walk.
struct WalkRequest: Decodable, Equatable, Sendable {
    enum Direction: String, Decodable, Sendable {
        case sent, received
    }

    /// Where a request stands; a state that a newer node adds is shown as unknown.
    enum State: String, Sendable {
        case queued, delivered, pending, accepted, declined, cancelled, expired, missed
        case notAnswered, unknown

        /// Whether the sender may still take the request back.
        var isOpen: Bool { self == .queued || self == .delivered || self == .pending }
    }

    var id: String
    var direction: Direction
    var person: String
    var name: String?
    var latitude: Double
    var longitude: Double
    var place: String?
    var message: String
    /// Milliseconds since 1970.
    var createdMs: Int64
    var atMs: Int64?
    /// Seconds that were left when the node answered.
    var secondsLeft: Int?
    var state: State

    /// Whether this window's user can answer it now.
    var awaitsMyAnswer: Bool { direction == .received && state.isOpen }

    /// The point on the map, or nil where the numbers are no place on Earth.
    var coordinate: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }

    /// Where to meet, in words.
    var placeText: String {
        place ?? coordinate?.text ?? "a place that is not on the map"
    }

    /// What became of it, as a sentence for the side that looks at it.
    var stateText: String {
        switch (direction, state) {
        case (.sent, .queued): "Queued: it goes out when they are in reach."
        case (.sent, .delivered), (.sent, .pending): "Delivered: waiting for an answer."
        case (.sent, .accepted): "Accepted. Enjoy the walk!"
        case (.sent, .declined): "Declined."
        case (.sent, .cancelled): "You cancelled it."
        case (.sent, _): "Not answered in time."
        case (.received, .queued), (.received, .delivered), (.received, .pending):
            "Waiting for your answer."
        case (.received, .accepted): "You accepted. Enjoy the walk!"
        case (.received, .declined): "You declined."
        case (.received, .cancelled): "They cancelled it."
        case (.received, .missed): "Missed: you were away."
        case (.received, _): "It ran out before you answered."
        }
    }
}

extension WalkRequest.State: Decodable {
    /// Reads a state; one that this window does not know becomes ``unknown``.
    init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: name) ?? .unknown
    }
}

/// What "walk list" answers.
struct WalkList: Decodable, Equatable, Sendable {
    var requests: [WalkRequest]
}
