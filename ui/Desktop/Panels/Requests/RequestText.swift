import Contract
import FeaturesAPI
import PanelKit

/// The texts of a list or a bar about a walk request.
struct RequestText: Equatable, Sendable {
    let request: WalkRequest
    /// The name of the other side.
    let name: String

    init(_ request: WalkRequest, names: [Key: String]) {
        self.request = request
        name = names[request.person] ?? request.name?.string ?? localized("A mate without a name")
    }

    /// The title: the two sides.
    var title: String {
        request.direction == .sent
            ? localized("You asked \(name) for a walk") : localized("\(name) asks you for a walk")
    }

    /// The time of the walk if it is not now, the message and the location.
    func detail(now: Timestamp) -> String {
        let time = request.atMs.map { $0.dayAndTime(now: now) }
        return [time, "“\(request.message)”", request.locationText].compactMap { $0 }
            .joined(separator: " · ")
    }

    /// Its state, with the time left while it is open, else with its age.
    /// - Parameters:
    ///   - now: the time on the window's clock.
    ///   - time: the time on the node's clock.
    func state(countdown: Countdown?, now: Duration, time: Timestamp) -> String {
        if request.state.isOpen, let countdown {
            return "\(request.stateText) \(countdown.text(at: now))"
        }
        return "\(request.stateText) \(AgeText.ago(since: request.createdMs, now: time))"
    }
}
