import Contract
import MatchingAPI
import PanelTestSupport
import Testing

@testable import MatchingPanel

/// Wishes, reviews and choices before they are saved.
struct MatchingDraftTests {
    @Test func `8 wishes of 8 characters can be saved; a ninth or a longer one cannot`() throws {
        let eight = (1...8).map { "\($0)abcdefg" }
        #expect(WishDraft(eight).fault == nil)
        #expect(try WishDraft(eight).list().wishes == eight)
        #expect(WishDraft(eight + ["run"]).fault == "Give at most 8 wishes; these are 9.")
        #expect(WishDraft(eight + ["1ABCDEFG"]).fault == nil)
        let long = WishDraft(typed: "abcdefghi").fault
        #expect(long?.hasPrefix("A wish ") == true && long?.contains("8") == true)
        #expect(WishDraft(typed: "  ").fault == nil)
    }

    @Test func `the wishes differ from those that are saved only if saving would change them`() {
        #expect(!WishDraft(typed: " coffee  run coffee").differs(from: ["coffee", "run"]))
        #expect(WishDraft(typed: "run coffee").differs(from: ["coffee", "run"]))
        #expect(WishDraft(typed: "abcdefghi").differs(from: []))
        #expect(!WishDraft(typed: "").differs(from: []))
    }

    @Test func `a wish of others is added at the end, and removed in any letters`() {
        var draft = WishDraft(typed: "Coffee run")
        draft.toggle("tea")
        #expect(draft.text == "Coffee run tea")
        draft.toggle("coffee")
        #expect(draft.text == "run tea")
    }

    @Test func `a review needs a mark or a text of at most 300 characters`() throws {
        var draft = ReviewDraft()
        #expect(draft.fault == "Tick a mark or write a text.")
        draft.marks = [.useful, .manners]
        #expect(draft.fault == nil)
        let marked = try draft.request(for: key("c"))
        #expect(marked.mark == [.manners, .useful] && marked.text == nil)
        draft = ReviewDraft(text: String(repeating: "가", count: 300) + "\n")
        #expect(draft.fault == nil && draft.countText == "300 of 300 characters")
        #expect(try draft.request(for: key("c")).mark == nil)
        draft.text = String(repeating: "가", count: 301)
        #expect(draft.fault?.hasPrefix("The text ") == true)
        #expect(throws: CommandFault.self) { try draft.request(for: key("c")) }
    }

    @Test func `filters are saved as a whole, and an empty range of ages cannot be`() {
        var draft = FilterDraft()
        #expect(draft.sentence == nil && draft.request == EditMatchingFilters(clear: true))
        draft.gender = .female
        draft.isByAge = true
        draft.ageMin = 20
        draft.ageMax = 30
        #expect(draft.sentence == "Woman, 20 to 30 years" && draft.fault == nil)
        let request = draft.request
        #expect(request.ageMin?.value == 20 && request.ageMax?.value == 30)
        #expect(request.gender == .female && request.clear == true)
        draft.ageMin = 30
        #expect(draft.fault == nil)
        draft.ageMin = 31
        #expect(draft.fault != nil)
        #expect(FilterDraft(MatchingFilters(ageMax: 40)).ageMin == 18)
        #expect(FilterDraft(MatchingFilters()) == FilterDraft())
    }

    @Test func `age and gender are shown only if they are given, and removed if not`() {
        var draft = CardDraft(MatchingCard())
        #expect(draft.sentence == "You keep your age and gender private.")
        #expect(draft.request == EditMatchingCard(without: [.age, .gender]))
        draft.showsAge = true
        draft.age = 17
        #expect(draft.sentence == "17 years old")
        #expect(draft.request.age?.value == 17 && draft.request.without == [.gender])
        draft.gender = .other
        #expect(draft.request.without == nil)
        #expect(CardDraft(MatchingCard(age: 99, gender: .male)).sentence == "99 years old, Man")
    }
}
