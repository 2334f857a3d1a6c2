/// The choice of the rows of a long list that exist as widgets: those in sight, and some above and
/// below them. Rows are added a few at a time, so that no step takes long.
package struct RowWindow: Equatable {
    /// The rows that exist.
    package private(set) var range: Range<Int> = 0..<0

    /// The most rows that one step adds, unless more of those in sight do not exist yet.
    package static let addedCountMax = 6
    /// A row with the keyboard focus is kept if at most this many rows lie between it and the rest.
    package static let keptCountMax = 20

    /// The number of rows that exist before the list is laid out.
    package static let atFirstCount = 4

    /// Returns the rows that exist before the list is laid out: the first ones, or those with the
    /// row that is to be revealed.
    package static func rowsAtFirst(revealing index: Int?, of count: Int) -> Range<Int> {
        let first = min(index ?? 0, max(0, count - atFirstCount))
        return first..<min(count, first + atFirstCount)
    }

    /// Whether a row with the keyboard focus is kept while these rows are in sight.
    package static func keeps(_ focused: Int, seen: Range<Int>) -> Bool {
        focused + keptCountMax >= seen.lowerBound && focused < seen.upperBound + keptCountMax
    }

    /// Creates a choice of no rows.
    package init() {}

    /// Moves towards the rows that are wanted, by one step.
    /// - Parameters:
    ///   - seen: the rows in sight, which exist after the step.
    ///   - wanted: the rows that should exist in the end, with those in sight.
    ///   - focused: the row with the keyboard focus.
    /// - Returns: whether they all exist now.
    package mutating func move(
        seen: Range<Int>, wanted: Range<Int>, focused: Int?
    ) -> Bool {
        var wanted = wanted.union(seen)
        if let focused, Self.keeps(focused, seen: wanted) {
            wanted = wanted.union(focused..<focused + 1)
        }
        let kept = range.clamped(to: wanted)
        var next = kept.isEmpty ? seen : kept.union(seen)
        var free = max(0, Self.addedCountMax - (next.count - kept.count))
        while free > 0, next != wanted {
            if next.upperBound < wanted.upperBound {
                next = next.lowerBound..<next.upperBound + 1
            } else {
                next = next.lowerBound - 1..<next.upperBound
            }
            free -= 1
        }
        range = next
        return next == wanted
    }

    /// Forgets the rows, because they are others now; those of the range may still exist.
    package mutating func clamp(toCount count: Int) { range = range.clamped(to: 0..<count) }
}

extension Range<Int> {
    /// Returns the smallest range that contains both.
    fileprivate func union(_ other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}
