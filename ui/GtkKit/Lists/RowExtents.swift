/// The heights of the rows of a list in which only some rows have been laid out. Every other row
/// counts as their average height.
///
/// ```swift
/// var rows = RowExtents<Int>()
/// rows.ids = Array(0..<300)
/// rows.measure(0, height: 50)
/// rows.height(of: 0..<300)           // 15 000
/// rows.rows(from: 1000, to: 1200)    // 20..<24
/// ```
package struct RowExtents<ID: Hashable> {
    /// The rows in their order. The heights of rows that leave the list are forgotten.
    package var ids: [ID] = [] {
        didSet {
            let kept = Set(ids)
            measured = measured.filter { kept.contains($0.key) }
        }
    }
    private var measured: [ID: Double] = [:]

    /// The height of a row before any is laid out, in pixels.
    private static var heightAtFirst: Double { 60 }

    /// Creates the extents of a list without rows.
    package init() {}

    /// Records the height with which a row was laid out.
    package mutating func measure(_ id: ID, height: Double) {
        if height > 0 { measured[id] = height }
    }

    private var average: Double {
        measured.isEmpty
            ? Self.heightAtFirst : measured.values.reduce(0, +) / Double(measured.count)
    }

    /// Returns the height of these rows together.
    package func height(of range: Range<Int>) -> Double {
        let average = average
        return ids[range].reduce(0) { $0 + (measured[$1] ?? average) }
    }

    /// Returns the rows that touch this part of the list, which may reach beyond its ends; the
    /// nearest row if none does.
    package func rows(from top: Double, to bottom: Double) -> Range<Int> {
        guard !ids.isEmpty else { return 0..<0 }
        let average = average
        var (first, end, y) = (ids.count - 1, ids.count, 0.0)
        for (index, id) in ids.enumerated() {
            y += measured[id] ?? average
            if y > top { first = min(first, index) }
            guard y < bottom else {
                end = index + 1
                break
            }
        }
        return first..<max(end, first + 1)
    }
}
