import Contract
import MatchingAPI
import PanelKit

/// A person in the list at one moment, as their card shows them.
struct PersonEntry: Equatable, Sendable {
    /// An action about a person.
    enum Action: Equatable, Sendable {
        case ask, takeBack, decline, accept, cancel, openChat

        /// The text of the button.
        var title: String {
            switch self {
            case .ask: localized("Ask")
            case .takeBack, .cancel: localized("Withdraw")
            case .decline: localized("Decline")
            case .accept: localized("Accept")
            case .openChat: localized("Open the chat")
            }
        }
    }

    /// The person.
    var person: Key
    /// The name, or words for a person without one.
    var name: String
    /// The name on the avatar; empty for a person without one.
    var initials: String
    /// Whether a wish is shared, or one of the two wants anything.
    var isSharing: Bool
    /// The request between the two, the distance, the age and the gender.
    var line: String
    /// The wishes, those that are shared first and with a mark.
    var wishes: String
    /// The state in a whole sentence; nil if nothing is between the two.
    var note: String?
    /// The buttons, from the safe one to the one that most users want.
    var actions: [Action]
    /// The number of reviews that the person says they show.
    var reviewCount: Int

    /// The mark before a wish that both have.
    static let sharedMark = "✓"

    /// The entry of a person.
    /// - Parameters:
    ///   - state: how far the user is.
    ///   - acceptance: the time in which the user's acceptance can be confirmed.
    init(
        _ person: MatchingPerson, in state: MatchingState, acceptance: Countdown? = nil,
        now: Duration = .zero
    ) {
        self.person = person.person
        name = PartnerText.name(person.name, person.suffix)
        initials = person.name?.string ?? ""
        isSharing = person.shares
        line = Self.line(of: person)
        wishes = Self.wishes(of: person.wishes)
        actions = Self.actions(person.state, isFree: state == .seeking)
        reviewCount = person.reviewCount.value
        note = Self.sentence(about: person, in: state, acceptance.map { $0.text(at: now) })
    }

    private static func line(of person: MatchingPerson) -> String {
        let distance = person.distanceMetres.map { ShownDistance.text(metres: $0.value) }
        let parts = [
            person.state == .asking ? localized("Asks you") : nil,
            distance ?? localized("Distance not known"),
            person.age.map { localized("\($0.value) years old") },
            person.gender.map(GenderText.name), person.mate ? localized("Mate") : nil,
        ].compactMap { $0 }
        return parts.joined(separator: " · ")
    }

    private static func wishes(of wishes: [PersonWish]) -> String {
        guard !wishes.isEmpty else { return localized("Wishes: anything") }
        let sorted = wishes.filter(\.shared) + wishes.filter { !$0.shared }
        let names = sorted.map { wish in
            wish.shared ? "\(sharedMark) \(wish.wish.string)" : wish.wish.string
        }
        return localized("Wishes: \(names.joined(separator: ", "))")
    }

    private static func actions(_ state: MatchingPersonState, isFree: Bool) -> [Action] {
        switch state {
        case .free: isFree ? [.ask] : []
        case .requested, .offering: [.takeBack]
        case .asking: isFree ? [.decline, .accept] : [.decline]
        case .accepted, .confirming: [.cancel]
        case .matched: [.openChat]
        case .gone, .unknown: []
        }
    }

    private static func sentence(
        about person: MatchingPerson, in state: MatchingState, _ timeLeft: String?
    ) -> String? {
        switch person.state {
        case .free: person.answer.map { localized($0.sentence) } ?? obstacle(in: state)
        case .requested: localized("You asked them. They have not answered yet.")
        case .asking where state == .seeking:
            localized("They ask you. A match begins if you accept and they confirm.")
        case .asking: joined(localized("They ask you."), obstacle(in: state))
        case .offering: joined(localized("They accepted."), obstacle(in: state))
        case .accepted:
            timeLeft.map { localized("You accepted. They have to confirm: \($0).") }
                ?? localized("You accepted. They have to confirm.")
        case .confirming:
            timeLeft.map { localized("Their device has to answer: \($0).") }
                ?? localized("It stands as soon as their device has answered.")
        case .matched: localized("You are matched.")
        case .gone:
            localized(person.answer?.sentence ?? "They stopped looking.")
        case .unknown: nil
        }
    }

    /// The reason why nobody can be asked now; nil if somebody can.
    private static func obstacle(in state: MatchingState) -> String? {
        switch state {
        case .accepted: localized("The request that you accepted has to be decided first.")
        case .confirming: localized("The match that you confirmed has to be decided first.")
        case .matched: localized("Your match has to end first.")
        case .idle, .seeking, .unknown: nil
        }
    }

    private static func joined(_ sentences: String?...) -> String {
        sentences.compactMap { $0 }.joined(separator: " ")
    }
}
