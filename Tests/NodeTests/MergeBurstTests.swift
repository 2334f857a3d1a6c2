import Testing

@testable import Node

@Suite struct MergeBurstTests {
    /// Returns the answer of each second, after the given number of batches in each.
    private func answers(_ batches: [Int]) -> [Bool] {
        var burst = MergeBurst()
        return batches.map { count in
            burst.record(batchesCount: count)
            return burst.hasEnded()
        }
    }

    @Test func `memory is returned once, after a second without a batch`() {
        let half = MergeBurst.batchesMin / 2
        #expect(answers([half, half, 0, 0]) == [false, false, true, false])
    }

    @Test func `after one batch less, no memory is returned`() {
        #expect(answers([MergeBurst.batchesMin - 1, 0, 0]) == [false, false, false])
    }

    @Test func `memory is returned after messages of the limit's memory, stored or refused`() {
        for (bytes, isReturned) in [(MergeBurst.bytesMin, true), (MergeBurst.bytesMin - 1, false)] {
            var burst = MergeBurst()
            burst.record(bytes: bytes)
            let answers = [burst.hasEnded(), burst.hasEnded(), burst.hasEnded()]
            #expect(answers == [false, isReturned, false])
        }
    }

    @Test func `a few short messages neither make a burst nor prolong one`() {
        var burst = MergeBurst()
        burst.record(bytes: MergeBurst.bytesMin)
        _ = burst.hasEnded()
        burst.record(bytes: MergeBurst.bytesIgnored)
        let hasEnded = burst.hasEnded()
        #expect(hasEnded)
    }
}
