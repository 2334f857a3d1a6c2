import Contract
import MatchingAPI
import PanelKit

/// The people who look, and their wishes, at one moment.
struct PeopleScreen: Equatable, Sendable {
    /// A wish of others that the user can add or remove.
    struct Recommended: Equatable, Sendable {
        /// The wish.
        var wish: String
        /// The wish with a mark if it is the user's, and the number of people who have it.
        var title: String
        /// The name of its button for a screen reader.
        var name: String
    }

    /// The one action of an empty list.
    enum Remedy: Equatable, Sendable {
        case showAll, clearFilters

        /// The text of the button.
        var title: String {
            switch self {
            case .showAll: localized("Show everyone")
            case .clearFilters: localized("Remove the filters")
            }
        }
    }

    /// Wishes of others, the most frequent first.
    var recommended: [Recommended]
    /// The people in the list, those who share a wish first.
    var people: [PersonEntry]
    /// The number of people who look; nil while there is none.
    var heading: String?
    /// The reason why the list is empty, or why some are missing.
    var hint: String?
    /// The action that changes that; nil if nothing does.
    var remedy: Remedy?

    /// The screen of an answer of the node; nil before the first.
    /// - Parameter sharedOnly: whether only people who share a wish are listed.
    init(
        _ answer: MatchingPeople?, state: MatchingState, sharedOnly: Bool, isFiltered: Bool,
        acceptance: Countdown? = nil, now: Duration = .zero
    ) {
        let all = answer?.people ?? []
        let listed = sharedOnly ? all.filter(\.shares) : all
        let entries = listed.map {
            PersonEntry($0, in: state, acceptance: acceptance, now: now)
        }
        people = entries
        let lookingCount = listed.count { $0.state != .gone }
        recommended = (answer?.recommended ?? []).map(Self.shown)
        heading =
            lookingCount == 0
            ? nil
            : localized(
                Sentence(
                    count: lookingCount, one: "1 person within 700 m",
                    other: "\(lookingCount) people within 700 m"))
        guard let answer else { return }
        let hidden = answer.hiddenCount.value
        if entries.isEmpty, !all.isEmpty {
            hint = localized("Nobody here shares a wish with you yet.")
            remedy = .showAll
        } else if lookingCount == 0, hidden > 0, isFiltered {
            hint = localized("Your filters hide everyone, or they are more than 700 m away.")
            remedy = .clearFilters
        } else if lookingCount == 0 {
            hint = localized("Nobody looks within 700 m yet. People appear here by themselves.")
        } else if hidden > 0 {
            hint = localized(
                Sentence(
                    count: hidden, one: "1 more person is too far away, or a filter hides them.",
                    other: "\(hidden) more people are too far away, or a filter hides them."))
        }
    }

    private static func shown(_ wish: RecommendedWish) -> Recommended {
        let (text, count) = (wish.wish.string, wish.count.value)
        let name =
            wish.mine
            ? Sentence(
                count: count, one: "Remove the wish “\(text)”, which 1 person has",
                other: "Remove the wish “\(text)”, which \(count) people have")
            : Sentence(
                count: count, one: "Add the wish “\(text)”, which 1 person has",
                other: "Add the wish “\(text)”, which \(count) people have")
        let mark = wish.mine ? "\(PersonEntry.sharedMark) " : ""
        return Recommended(wish: text, title: "\(mark)\(text) · \(count)", name: localized(name))
    }
}
