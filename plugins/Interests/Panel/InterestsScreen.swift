import Contract
import InterestsAPI
import PanelKit

/// The page of interests at one moment: a value, so that every moment can be tested alone.
struct InterestsScreen: Equatable, Sendable {
    /// The interests of the user, in words.
    var mine: String
    /// Whether the user looks.
    var isLooking: Bool
    /// The title of the switch, with the time that is left.
    var lookTitle: String
    /// The line under it: who can read the interests.
    var lookDetail: String
    /// The number of people who look, or that there are none; nil while the user does not look.
    var people: String?
    /// The reason why there is no match among them; nil without people or with a match.
    var hint: String?
    /// The best match.
    var match: Match?

    /// The page of a state that the node reported; nil before its first answer.
    init(
        _ status: InterestsStatus?, topicsCount: Int = 0, timeLeft: Countdown? = nil,
        now: Duration = .zero
    ) {
        mine = Self.names(status?.chosen ?? [])
        isLooking = status?.looking ?? false
        let left = isLooking ? timeLeft.map { " · \($0.clockText(at: now))" } : nil
        lookTitle = localized("Look for people for 10 min") + (left ?? "")
        lookDetail =
            isLooking
            ? localized("Everyone nearby can read your interests")
            : localized("While this is on, everyone nearby can read your interests")
        guard isLooking, let status else { return }
        let count = status.lookingCount?.value ?? 0
        people = Self.people(count)
        hint =
            count > 0 && status.match == nil
            ? localized("Nobody shares 3 of your interests yet.") : nil
        match = status.match.map { Match($0, topicsCount: topicsCount) }
    }

    /// The match as the page shows it.
    struct Match: Equatable, Sendable {
        /// The name of the person, or words for one without a name.
        var title: String
        /// The number of common interests, and their names.
        var common: String
        /// A question to begin a talk with.
        var topic: String?
        /// Whether there is another question.
        var hasFurtherTopics: Bool
        /// Whether the two can say that they have met; mates have each other's profile already.
        var canMeet: Bool
        /// The distance; nil if it is not known.
        var distance: String?
        /// The beat that shows the distance; nil if it is not known.
        var beat: PulseBeat?

        /// The words for a match, with the question that the user has asked for.
        init(_ match: InterestsStatus.Match, topicsCount: Int) {
            title = match.name?.string ?? localized("Someone nearby")
            let (count, names) = (match.common.count, InterestsScreen.names(match.common))
            common = localized(
                Sentence(
                    count: count, one: "1 interest in common: \(names)",
                    other: "\(count) interests in common: \(names)"))
            let topics = Interest.openers(for: match.common.map(\.interest.interest))
            topic = topics.isEmpty ? nil : localized(topics[topicsCount % topics.count])
            hasFurtherTopics = topics.count > 1
            canMeet = !match.mate
            guard let metres = match.distanceMetres, let beat = PulseBeat(match.pulse) else {
                return
            }
            distance = Self.text(metres: metres.value)
            self.beat = beat
        }

        /// A distance with one decimal below 10 m, where a pulse can be seen.
        private static func text(metres: Double) -> String {
            let number = metres < 9.95 ? metres.inTenths : "\(Int(metres.rounded()))"
            return localized("\(number) m away")
        }
    }

    private static func people(_ count: Int) -> String {
        guard count > 0 else { return localized("Nobody else is looking here yet") }
        let number = NumberText.grouped(count)
        return localized(
            Sentence(
                count: count, one: "1 person is looking here",
                other: "\(number) people are looking here"))
    }

    private static func names(_ interests: [NamedInterest]) -> String {
        localized(Sentence.list(interests.map(\.name.sentence)))
    }
}
