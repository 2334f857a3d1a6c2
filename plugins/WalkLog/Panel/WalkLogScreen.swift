import Contract
import PanelKit
import WalkLogAPI

/// The part of the page about the recording at one moment: a value, so that every moment can be
/// tested alone.
struct WalkLogScreen: Equatable, Sendable {
    /// A button of the recording.
    enum Action: CaseIterable, Sendable {
        case start, pause, resume, finish, discard

        /// The text of the button.
        var title: String {
            switch self {
            case .start: localized("Record a walk")
            case .pause: localized("Pause")
            case .resume: localized("Go on")
            case .finish: localized("Finish")
            case .discard: localized("Discard…")
            }
        }
    }

    /// The state of the recording.
    var title: String
    /// The time of the walk, counting; nil without a recording.
    var clock: String?
    /// The distance, the speed and the energy so far.
    var numbers: String?
    /// The people and dogs of the walk.
    var company: String?
    /// The reason why something is missing, and what to do.
    var trouble: String?
    /// The buttons; the first one is the one that most users want.
    var actions: [Action]

    /// The longest walk, in seconds.
    private static let secondsMax = 6 * 60 * 60

    /// The recording that the node reported some time ago; nil before its first answer.
    init(_ status: WalkLogStatus?, passed: Duration = .zero) {
        title = Self.title(of: status?.state ?? .unknown)
        actions = Self.actions(in: status?.state ?? .unknown)
        trouble = status?.trouble.map { localized($0.sentence) }
        guard let status, let walk = status.walk else { return }
        let since = status.state == .recording ? Int(passed.components.seconds) : 0
        let seconds = min(walk.measures.elapsedSeconds.value + since, Self.secondsMax)
        clock = WalkText.clock(seconds: seconds)
        numbers = WalkText.numbers(walk.measures)
        company = WalkText.company(walk.company)
    }

    private static func title(of state: WalkLogStatus.State) -> String {
        switch state {
        case .idle, .unknown: localized("No walk is being recorded")
        case .recording: localized("Recording your walk")
        case .paused: localized("Your walk is paused")
        case .interrupted: localized("The recording of your walk was interrupted")
        case .damaged: localized("An interrupted walk cannot be read")
        }
    }

    private static func actions(in state: WalkLogStatus.State) -> [Action] {
        switch state {
        case .unknown: []
        case .idle: [.start]
        case .recording: [.finish, .pause, .discard]
        case .paused, .interrupted: [.resume, .finish, .discard]
        case .damaged: [.discard]
        }
    }
}
