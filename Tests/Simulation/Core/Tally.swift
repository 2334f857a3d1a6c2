/// The counts of the events in a run, which show that the run was active.
package struct Tally: Sendable {
    /// The counts by their names.
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    /// Returns a count.
    package subscript(_ name: String) -> Int { counts[name] ?? 0 }

    /// Adds to a count.
    mutating func count(_ name: String, _ times: Int = 1) {
        counts[name, default: 0] += times
    }

    /// Adds the counts of another run.
    package mutating func add(_ other: Tally) {
        counts.merge(other.counts) { $0 + $1 }
    }

    /// A text `name=count` for each count, ordered by name.
    package var text: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
}
