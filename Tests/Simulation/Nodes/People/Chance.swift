internal import Records
internal import Synchronization
internal import TestSupport

/// The random choices of an actor in a simulation.
final class Chance: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func number(_ range: ClosedRange<Int>) -> Int { generator.withLock { $0.number(range) } }
    /// Returns true with a probability of `share` per cent.
    func chance(_ share: Int) -> Bool { generator.withLock { $0.chance(share) } }
    /// Returns a duration in whole milliseconds.
    func duration(_ range: ClosedRange<Duration>) -> Duration {
        generator.withLock { $0.duration(range) }
    }

    /// Returns one of several elements; nil if there is none.
    func one<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element? {
        guard !elements.isEmpty else { return nil }
        let index = number(0...elements.count - 1)
        return elements[elements.index(elements.startIndex, offsetBy: index)]
    }

    /// Returns one of several values by weight.
    func draw<Choice>(_ weighted: [(Choice, Int)]) -> Choice {
        var rest = number(1...weighted.reduce(0) { $0 + $1.1 })
        for (choice, weight) in weighted {
            rest -= weight
            if rest <= 0 { return choice }
        }
        preconditionFailure("the draw is within the sum of weights")
    }
}

extension SeededGenerator {
    /// Returns a duration in whole milliseconds.
    mutating func duration(_ range: ClosedRange<Duration>) -> Duration {
        .milliseconds(
            number(Int(range.lowerBound.milliseconds)...Int(range.upperBound.milliseconds)))
    }
}
