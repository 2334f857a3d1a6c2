internal import Synchronization
internal import TestSupport

/// The draws of one who acts in a simulation.
final class Chance: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func number(_ range: ClosedRange<Int>) -> Int { generator.withLock { $0.number(range) } }
    /// Whether something happens that does so `share` times in a hundred.
    func chance(_ share: Int) -> Bool { generator.withLock { $0.chance(share) } }
    /// A time, drawn to the millisecond.
    func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(number(range)) }

    /// One of several; nil of none.
    func one<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element? {
        guard !elements.isEmpty else { return nil }
        let index = number(0...elements.count - 1)
        return elements[elements.index(elements.startIndex, offsetBy: index)]
    }

    /// One of several by weight.
    func draw<Choice>(_ weighted: [(Choice, Int)]) -> Choice {
        var rest = number(1...weighted.reduce(0) { $0 + $1.1 })
        for (choice, weight) in weighted {
            rest -= weight
            if rest <= 0 { return choice }
        }
        preconditionFailure("the draw is within the sum of weights")
    }
}
