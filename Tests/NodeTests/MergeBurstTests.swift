import Testing

@testable import Node

@Suite struct MergeBurstTests {
    /// What is answered, second by second, after so many batches came in each.
    private func answers(_ batches: [Int]) -> [Bool] {
        var burst = MergeBurst()
        return batches.map { count in
            burst.note(count)
            return burst.hasEnded()
        }
    }

    @Test func `memory is given back once, when a second has passed without a batch`() {
        let half = MergeBurst.batchesMin / 2
        #expect(answers([half, half, 0, 0]) == [false, false, true, false])
    }

    @Test func `one batch less is not worth it`() {
        #expect(answers([MergeBurst.batchesMin - 1, 0, 0]) == [false, false, false])
    }
}
