import Contract
import FeaturesAPI
import PanelKit

extension WalkRequest.State {
    /// Whether the sender may still cancel the request.
    var isOpen: Bool { self == .queued || self == .delivered || self == .pending }
}

extension WalkRequest {
    /// Whether this window's user can answer it now.
    var awaitsMyAnswer: Bool { direction == .received && state.isOpen }

    /// The point on the map.
    var coordinate: Coordinate { Coordinate(latitude, longitude) }

    /// The meeting point in words.
    var locationText: String {
        locationName?.string ?? coordinate.text
    }

    /// The state as a sentence for the side that reads it.
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
        case (.received, _): "It expired before you answered."
        }
    }
}
