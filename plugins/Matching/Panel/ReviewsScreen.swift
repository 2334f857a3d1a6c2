import Contract
import MatchingAPI
import PanelKit

/// One review at one moment.
struct ReviewEntry: Equatable, Sendable {
    /// The review's id; nil for a review that another person shows.
    var id: RecordKey?
    /// The author, or the person whom it is about.
    var title: String
    /// The marks in words; nil without one.
    var marks: String?
    /// The text; nil without one.
    var text: String?
    /// The time of the match, and whether the review has arrived or can be shown.
    var line: String
    /// Whether the user shows it on their card; nil if they cannot.
    var isShown: Bool?

    /// The entry of a review.
    /// - Parameter isMine: whether the user wrote it.
    init(_ review: MatchingReview, isMine: Bool, name: String, now: Timestamp) {
        id = review.id
        title = isMine ? localized("To \(name)") : name
        marks =
            review.marks.isEmpty
            ? nil : localized(Sentence.list(review.marks.map(\.name)))
        text = review.text?.string
        let matched = localized("Matched \(review.matchedMs.dayAndTimeInSentence(now: now))")
        let isWaiting = isMine && review.delivered == false
        let isUnprovable = review.showable == false
        line = [
            matched, isWaiting ? localized("not received yet") : nil,
            isUnprovable ? localized("others cannot check it, so it cannot be shown") : nil,
        ].compactMap { $0 }.joined(separator: " · ")
        isShown = isMine || isUnprovable ? nil : review.shown
    }
}

/// The reviews of the user at one moment.
struct ReviewsScreen: Equatable, Sendable {
    /// A match that can be reviewed.
    struct Due: Equatable, Sendable {
        /// The person.
        var person: Key
        /// Their name, or words for one without a name.
        var name: String
        /// The time of the match.
        var line: String
    }

    /// The matches that can be reviewed.
    var due: [Due]
    /// The reviews that the user received.
    var received: [ReviewEntry]
    /// The reviews that the user wrote.
    var given: [ReviewEntry]
    /// The sentence above reviews by people whom the user has not met.
    var label: String?
    /// The sentence that says what showing a review tells others.
    var disclosure: String
    /// The sentence in place of reviews, if there are none.
    var empty: String?

    /// The screen of an answer of the node; nil before the first.
    /// - Parameter name: returns the name of a person whom a review is about.
    init(_ answer: MatchingReviews?, now: Timestamp, name: (Key) -> String) {
        due = (answer?.due ?? []).map { partner in
            Due(
                person: partner.person, name: PartnerText.name(partner),
                line: partner.sinceMs.map {
                    localized("Matched \($0.dayAndTimeInSentence(now: now))")
                } ?? "")
        }
        received = (answer?.received ?? []).map {
            ReviewEntry($0, isMine: false, name: PartnerText.name($0.name, $0.suffix), now: now)
        }
        given = (answer?.given ?? []).map {
            ReviewEntry($0, isMine: true, name: name($0.about), now: now)
        }
        label = answer?.label.map { localized($0.sentence) }
        disclosure = localized(MatchingReviews.disclosureText)
        guard received.isEmpty, given.isEmpty, due.isEmpty else { return }
        empty = localized("Reviews are here from 30 minutes after a match.")
    }
}

/// The reviews that a person who looks shows, at one moment.
struct PersonReviews: Equatable, Sendable {
    /// The reviews; each was checked.
    var reviews: [ReviewEntry]
    /// The sentence above reviews by people whom the user has not met.
    var label: String?
    /// The sentence in place of reviews that are missing.
    var hint: String?
    /// Whether the person can be asked again.
    var canTryAgain = false

    /// The reviews of an answer of the node; nil before the first.
    /// - Parameter isLate: whether those that are missing were awaited long enough.
    init(_ answer: MatchingReviews?, isLate: Bool = false, now: Timestamp) {
        reviews = (answer?.received ?? []).map {
            ReviewEntry($0, isMine: false, name: PartnerText.name($0.name, $0.suffix), now: now)
        }
        label = answer?.label.map { localized($0.sentence) }
        let isIncomplete = answer?.incomplete ?? true
        canTryAgain = isIncomplete && isLate
        if canTryAgain {
            hint = localized("They did not arrive.")
        } else if isIncomplete {
            hint = localized("Reviews are on their way…")
        } else if reviews.isEmpty {
            hint = localized("No review could be checked.")
        }
    }
}
