import Contract
import InterestsAPI
import Testing

@testable import InterestsPanel

/// The interests that are chosen so far.
struct InterestDraftTests {
    private func draft(_ count: Int) -> InterestDraft {
        var draft = InterestDraft()
        for interest in Interest.allCases.prefix(count) { draft.set(interest, isChosen: true) }
        return draft
    }

    @Test func `4 cannot be saved, 5 and 10 can, and an eleventh is not chosen`() throws {
        #expect(!draft(4).isComplete && draft(5).isComplete)
        #expect(throws: CommandFault.self) { try draft(4).request() }
        #expect(try draft(5).request().interest.interests.count == 5)
        #expect(!draft(9).isFull && draft(10).isFull)
        #expect(draft(11) == draft(10))
        #expect(try draft(10).request().interest.interests.count == 10)
    }

    @Test func `a chosen one is removed again, also from a full choice`() {
        var full = draft(10)
        full.set(.games, isChosen: false)
        #expect(!full.isFull && !full.chosen.contains(.games))
        full.set(.collarbones, isChosen: true)
        #expect(full.isFull && full.chosen.contains(.collarbones))
    }

    @Test(
        arguments: [
            (0, "0 chosen, at least 5 to go"), (4, "4 chosen, at least 1 to go"),
            (5, "5 of 10 chosen"), (9, "9 of 10 chosen"), (10, "10 chosen (the maximum)"),
        ])
    func `the sentence says how many are missing`(count: Int, sentence: String) {
        #expect(draft(count).sentence == sentence)
    }
}
