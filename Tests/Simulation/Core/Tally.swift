/// What was seen in a run, in counts, so that a run that does nothing is noticed.
package struct Tally: Sendable {
    /// How often each thing happened, by its name.
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    /// How often something happened.
    package subscript(_ name: String) -> Int { counts[name] ?? 0 }

    /// Counts something.
    mutating func count(_ name: String, _ times: Int = 1) {
        counts[name, default: 0] += times
    }

    /// Adds the counts of another run.
    package mutating func add(_ other: Tally) {
        counts.merge(other.counts) { $0 + $1 }
    }

    /// One `name=count` for each, by name.
    package var text: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
}
