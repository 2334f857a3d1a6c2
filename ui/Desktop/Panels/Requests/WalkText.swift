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

    /// The things that this window's user can do about a request.
    enum Answers: Equatable, Sendable {
        case none, acceptOrDecline, cancel, askBack, askAgain
    }

    /// Returns what can be done about it now.
    /// - Parameter isMate: whether the other side is a mate, who can be asked.
    func answers(ofMate isMate: Bool) -> Answers {
        if awaitsMyAnswer { return .acceptOrDecline }
        if state.isOpen { return direction == .sent ? .cancel : .none }
        guard isMate, [.expired, .missed, .cancelled, .notAnswered].contains(state) else {
            return .none
        }
        return direction == .sent ? .askAgain : .askBack
    }

    /// The point on the map.
    var coordinate: Coordinate { Coordinate(latitude, longitude) }

    /// The meeting point in words.
    var locationText: String {
        locationName?.string ?? coordinate.text
    }

    /// The state as a sentence for the side that reads it.
    var stateText: String {
        switch (direction, state) {
        case (.sent, .queued): localized("Will send when you meet.")
        case (.sent, .delivered), (.sent, .pending): localized("Delivered: waiting for an answer.")
        case (.sent, .accepted): localized("Accepted. Enjoy the walk!")
        case (.sent, .declined): localized("Declined.")
        case (.sent, .cancelled): localized("You cancelled it.")
        case (.sent, _): localized("Not answered in time.")
        case (.received, .queued), (.received, .delivered), (.received, .pending):
            localized("Waiting for your answer.")
        case (.received, .accepted): localized("You accepted. Enjoy the walk!")
        case (.received, .declined): localized("You declined.")
        case (.received, .cancelled): localized("They cancelled it.")
        case (.received, .missed): localized("Missed: you were away.")
        case (.received, _): localized("It expired before you answered.")
        }
    }
}
