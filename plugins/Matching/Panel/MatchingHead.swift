import Contract
import MatchingAPI
import PanelKit

/// The upper part of the page at one moment: how far the user is, and the one action. A value, so
/// that every moment can be tested alone.
struct MatchingHead: Equatable, Sendable {
    /// The one action of the page.
    enum Action: Equatable, Sendable {
        case look, stop, openChat

        /// The text of the button.
        var title: String {
            switch self {
            case .look: localized("Look for people")
            case .stop: localized("Stop looking")
            case .openChat: localized("Open the chat")
            }
        }
    }

    /// The state.
    var title: String
    /// The meaning of the state, and the time that is left.
    var detail: String
    /// The action; nil while the state is not known.
    var action: Action?
    /// Whether the action can be performed now.
    var isEnabled = true
    /// The button that ends the match, or takes back what leads to it; nil if there is nothing.
    var cancelTitle: String?

    /// The state that the node reported; nil before its first answer.
    /// - Parameters:
    ///   - pause: the time before the user can look again.
    ///   - acceptance: the time in which the acceptance can be confirmed, or the confirmation
    ///     answered.
    ///   - time: the time by the node's clock.
    init(
        _ status: MatchingStatus?, pause: Countdown? = nil, acceptance: Countdown? = nil,
        now: Duration = .zero, time: Timestamp = .min
    ) {
        guard let status else {
            self.init(title: localized("Matching"), detail: localized("One moment…"))
            return
        }
        switch status.state {
        case .idle: self.init(idle: pause, now: now)
        case .seeking: self.init(seeking: status)
        case .accepted, .confirming: self.init(committed: status, acceptance, now: now)
        case .matched: self.init(matched: status, time: time)
        case .unknown:
            self.init(
                title: localized("Matching"),
                detail: localized("This window is older than the rest. Open it again."))
        }
        switch status.action {
        case .look: action = status.state == .unknown ? nil : .look
        case .stop: action = .stop
        // The chat is there as soon as its room is known.
        case .openChat: action = .openChat
        case .unknown: action = nil
        }
        if action == .openChat { isEnabled = status.partner?.room != nil }
    }

    private init(title: String, detail: String, cancelTitle: String? = nil) {
        self.title = title
        self.detail = detail
        self.cancelTitle = cancelTitle
    }

    private init(idle pause: Countdown?, now: Duration) {
        if let pause, pause.left(at: now) > .zero {
            self.init(
                title: localized("You ended a match"),
                detail: localized("You can look again in \(pause.clockText(at: now))."))
            isEnabled = false
        } else {
            self.init(
                title: localized("Find someone to study with"),
                detail: localized(
                    "People within 700 m who look too then see your wishes, your location to "
                        + "100 m, and your age and gender if you give them."))
        }
    }

    private init(seeking status: MatchingStatus) {
        let asking = status.requestCount.value
        let parts = [
            asking == 0
                ? nil
                : localized(
                    Sentence(
                        count: asking, one: "1 person asks you.",
                        other: "\(asking) people ask you.")),
            status.location == nil
                ? localized("Your location is not known, so no distances are shown.")
                : localized("The list follows your location."),
        ].compactMap { $0 }
        self.init(title: localized("Looking for people"), detail: parts.joined(separator: " "))
    }

    private init(committed status: MatchingStatus, _ acceptance: Countdown?, now: Duration) {
        let name = PartnerText.name(status.partner)
        if status.state == .accepted {
            self.init(
                title: localized("You accepted the request of \(name)"),
                detail: acceptance.map {
                    localized("They have to confirm: \($0.text(at: now)).")
                } ?? localized("They have to confirm."),
                cancelTitle: localized("Withdraw"))
        } else {
            self.init(
                title: localized("You confirmed the match with \(name)"),
                detail: acceptance.map {
                    localized("Their device has to answer: \($0.text(at: now)).")
                } ?? localized("It stands as soon as their device has answered."),
                cancelTitle: localized("Withdraw"))
        }
    }

    private init(matched status: MatchingStatus, time: Timestamp) {
        let since = status.partner?.sinceMs.map { $0.dayAndTimeInSentence(now: time) }
        self.init(
            title: localized("You are matched with \(PartnerText.name(status.partner))"),
            detail: since.map { localized("Since \($0). The chat is open while the match stands.") }
                ?? localized("The chat is open while the match stands."),
            cancelTitle: localized("End the match…"))
    }
}

/// The partner, and what ending the match costs, in words.
enum PartnerText {
    /// Returns the name of the partner, or words for one without a name.
    static func name(_ partner: MatchingPartner?) -> String {
        guard let partner else { return localized("Someone without a name") }
        return name(partner.name, partner.suffix)
    }

    /// Returns a name, or words for a person without one.
    static func name(_ name: PersonName?, _ suffix: KeySuffix) -> String {
        name?.string ?? localized("Someone without a name (\(suffix.string))")
    }

    /// Returns what ending the match costs, after so many earlier ends.
    static func costOfEnding(after count: Int) -> String {
        let pauses = MatchingCommands.cancelPauses
        let minutes = pauses[min(max(count, 0), pauses.count - 1)].components.seconds / 60
        return localized(
            Sentence(
                count: minutes,
                one: "The chat closes, and you can look again after 1 minute.",
                other: "The chat closes, and you can look again after \(minutes) minutes."))
    }
}
