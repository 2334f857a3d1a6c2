import GtkKit

/// What a list or a bar says about a walk request.
struct RequestText: Equatable, Sendable {
    let request: WalkRequest
    /// What to call the other side.
    let name: String

    init(_ request: WalkRequest, name: String) {
        self.request = request
        self.name = name
    }

    /// Who asks whom.
    var title: String {
        request.direction == .sent
            ? "You asked \(name) for a walk" : "\(name) asks you for a walk"
    }

    /// The message and the place.
    var detail: String { "“\(request.message)” · \(request.placeText)" }

    /// How it stands: with the seconds left while it is open, else with its age.
    func state(countdown: Countdown?, now: Duration, nowMs: Int64) -> String {
        if request.state.isOpen, let countdown {
            return "\(request.stateText) \(countdown.text(at: now))"
        }
        return "\(request.stateText) \(AgeText.spell(sinceMs: request.createdMs, nowMs: nowMs))"
    }
}
