import Testing

@testable import GtkKit

struct RowExtentsTests {
    /// Ten rows, of which the first two were laid out: 40 and 60 pixels high, so 50 on average.
    private var rows: RowExtents<Int> {
        var rows = RowExtents<Int>()
        rows.ids = Array(0..<10)
        rows.measure(0, height: 40)
        rows.measure(1, height: 60)
        return rows
    }

    @Test func `a row that was never laid out is as high as the others on average`() {
        #expect(rows.height(of: 0..<10) == 500)
        #expect(rows.height(of: 0..<1) == 40)
        #expect(rows.height(of: 3..<3) == 0)
    }

    @Test func `a row without a height is not laid out`() {
        var rows = rows
        rows.measure(2, height: 0)
        #expect(rows.height(of: 2..<3) == 50)
    }

    @Test(arguments: [
        (0.0, 40.0, 0..<1), (0, 41, 0..<2), (39, 41, 0..<2), (40, 100, 1..<2), (100, 250, 2..<5),
        (-500, 10, 0..<1), (460, 9000, 9..<10),
    ])
    func `the rows in sight are those that the view touches`(
        top: Double, bottom: Double, expected: Range<Int>
    ) {
        #expect(rows.rows(from: top, to: bottom) == expected)
    }

    @Test func `a view beside the list has the nearest row`() {
        #expect(rows.rows(from: -900, to: -500) == 0..<1)
        #expect(rows.rows(from: 900, to: 1200) == 9..<10)
        #expect(RowExtents<Int>().rows(from: 0, to: 100).isEmpty)
    }

    @Test func `the height of a row that leaves the list is forgotten`() {
        var rows = rows
        rows.ids = Array(1..<10)
        rows.ids = Array(0..<10)
        #expect(rows.height(of: 1..<2) == 60)
        #expect(rows.height(of: 0..<1) == 60)
    }

    @Test func `a row keeps its height when others are added before it`() {
        var rows = rows
        rows.ids = [20, 21] + rows.ids
        #expect(rows.height(of: 2..<3) == 40)
        #expect(rows.height(of: 0..<3) == 140)
    }
}
