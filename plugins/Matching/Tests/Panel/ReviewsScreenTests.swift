import Contract
import MatchingAPI
import PanelTestSupport
import Testing

@testable import MatchingPanel

/// Reviews as the page shows them.
struct ReviewsScreenTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func review(
        by author: Character, _ marks: [ReviewMark] = [.manners], text: String? = nil,
        isKnown: Bool = false, isShown: Bool? = nil, isShowable: Bool? = nil,
        isDelivered: Bool? = nil
    ) -> MatchingReview {
        MatchingReview(
            id: id("1"), by: key(author), name: "Ben", about: key("c"), marks: marks, text: text,
            matchedMs: now + .seconds(-3600), isKnown: isKnown, isShown: isShown,
            isShowable: isShowable, isDelivered: isDelivered)
    }

    private func screen(_ answer: MatchingReviews?) -> ReviewsScreen {
        ReviewsScreen(answer, now: now) { _ in "Mina" }
    }

    @Test func `a received review has its marks, its text and a switch`() {
        let shown = screen(
            MatchingReviews(
                received: [review(by: "b", [.kindness, .useful], text: "Again!", isShown: true)]))
        let entry = shown.received.first
        #expect(entry?.title == "Ben" && entry?.text == "Again!" && entry?.isShown == true)
        #expect(entry?.marks?.contains("a kind person") == true)
        #expect(entry?.line.hasPrefix("Matched ") == true)
        #expect(shown.label == "by people you have not met")
        #expect(shown.disclosure.contains("signed by both"))
        #expect(shown.empty == nil)
        let known = MatchingReviews(received: [review(by: "b", isKnown: true)])
        #expect(screen(known).label == nil)
    }

    @Test func `a review that others cannot check has no switch, and says so`() {
        let received = MatchingReviews(
            received: [review(by: "b", isShown: false, isShowable: false)])
        let entry = screen(received).received.first
        #expect(entry?.isShown == nil)
        #expect(entry?.line.hasSuffix("others cannot check it, so it cannot be shown") == true)
    }

    @Test func `a review that I wrote says whom it is about, and whether it has arrived`() {
        let given = MatchingReviews(
            received: [], given: [review(by: "a", isDelivered: false)])
        let entry = screen(given).given.first
        #expect(entry?.title == "To Mina" && entry?.isShown == nil)
        #expect(entry?.line.hasSuffix("not received yet") == true)
        let arrived = MatchingReviews(received: [], given: [review(by: "a", isDelivered: true)])
        #expect(screen(arrived).given.first?.line.contains("not received") == false)
    }

    @Test func `matches to review are listed, and nothing says when something will be`() {
        #expect(screen(nil).empty == "Reviews are here from 30 minutes after a match.")
        let due = MatchingReviews(
            received: [], due: [MatchingPartner(person: key("c"), name: "Ben", sinceMs: now)])
        #expect(screen(due).due.map(\.name) == ["Ben"] && screen(due).empty == nil)
    }

    @Test func `reviews of others say that they are on their way, or that none holds`() {
        #expect(PersonReviews(nil, now: now).hint == "Reviews are on their way…")
        let waiting = MatchingReviews(received: [], isIncomplete: true)
        #expect(PersonReviews(waiting, now: now).hint == "Reviews are on their way…")
        let late = PersonReviews(waiting, isLate: true, now: now)
        #expect(late.hint == "They did not arrive." && late.canTryAgain)
        #expect(!PersonReviews(waiting, now: now).canTryAgain)
        let none = MatchingReviews(received: [])
        #expect(!PersonReviews(none, isLate: true, now: now).canTryAgain)
        #expect(PersonReviews(none, now: now).hint == "No review could be checked.")
        let some = PersonReviews(MatchingReviews(received: [review(by: "b")]), now: now)
        #expect(some.hint == nil && some.label == "by people you have not met")
        #expect(some.reviews.count == 1)
    }
}
