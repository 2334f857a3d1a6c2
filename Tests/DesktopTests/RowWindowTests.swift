import Testing

@testable import GtkKit

struct RowWindowTests {
    /// Moves until all rows exist that are wanted.
    private func settle(
        _ window: inout RowWindow, seen: Range<Int>, wanted: Range<Int>, focused: Int? = nil
    ) -> Int {
        var steps = 1
        while !window.move(seen: seen, wanted: wanted, focused: focused), steps < 100 { steps += 1 }
        return steps
    }

    @Test(
        arguments: [
            (nil, 300, 0..<4), (0, 300, 0..<4), (200, 300, 200..<204), (299, 300, 296..<300),
            (1, 2, 0..<2), (nil, 0, 0..<0),
        ] as [(Int?, Int, Range<Int>)])
    func `before a list is laid out, the row to reveal exists, or the first ones`(
        index: Int?, count: Int, expected: Range<Int>
    ) {
        #expect(RowWindow.rowsAtFirst(revealing: index, of: count) == expected)
    }

    @Test func `the rows in sight exist after one step, however far the list was scrolled`() {
        var window = RowWindow()
        _ = settle(&window, seen: 0..<10, wanted: 0..<20)
        let isDone = window.move(seen: 200..<210, wanted: 190..<220, focused: nil)
        #expect(!isDone)
        #expect(window.range == 200..<210)
    }

    @Test func `a step adds no more rows than its limit, but for those in sight`() {
        var window = RowWindow()
        _ = window.move(seen: 100..<104, wanted: 90..<120, focused: nil)
        #expect(window.range == 100..<100 + RowWindow.addedCountMax)
        var before = window.range.count
        for _ in 0..<10 {
            _ = window.move(seen: 100..<104, wanted: 90..<120, focused: nil)
            #expect(window.range.count - before <= RowWindow.addedCountMax)
            before = window.range.count
        }
        #expect(window.range == 90..<120)
    }

    @Test func `rows that are no longer wanted cease to exist`() {
        var window = RowWindow()
        _ = settle(&window, seen: 0..<10, wanted: 0..<20)
        _ = settle(&window, seen: 12..<22, wanted: 2..<32)
        #expect(window.range == 2..<32)
    }

    @Test func `nothing changes while the wanted rows exist`() {
        var window = RowWindow()
        _ = settle(&window, seen: 0..<10, wanted: 0..<20)
        let before = window
        #expect(settle(&window, seen: 1..<11, wanted: 0..<20) == 1)
        #expect(window == before)
    }

    @Test func `a row with the focus exists until it is too far away`() {
        let limit = RowWindow.keptCountMax
        var window = RowWindow()
        _ = settle(&window, seen: 0..<10, wanted: 0..<20, focused: 5)
        _ = settle(
            &window, seen: limit + 15..<limit + 25, wanted: limit + 5..<limit + 35, focused: 5)
        #expect(window.range == 5..<limit + 35)
        _ = settle(
            &window, seen: limit + 16..<limit + 26, wanted: limit + 6..<limit + 36, focused: 5)
        #expect(window.range == limit + 6..<limit + 36)
    }

    @Test func `a row with the focus below exists until it is too far away`() {
        let limit = RowWindow.keptCountMax
        var window = RowWindow()
        _ = settle(&window, seen: 0..<10, wanted: 0..<20, focused: limit + 19)
        #expect(window.range == 0..<limit + 20)
        _ = settle(&window, seen: 0..<10, wanted: 0..<20, focused: limit + 20)
        #expect(window.range == 0..<20)
    }

    @Test func `a list that becomes shorter loses the rows behind its end`() {
        var window = RowWindow()
        _ = settle(&window, seen: 10..<20, wanted: 0..<30)
        window.clamp(toCount: 12)
        #expect(window.range == 0..<12)
    }

    @Test func `a row with the focus is kept up to 20 rows beyond those in sight`() {
        let seen = 100..<110
        #expect(RowWindow.keeps(80, seen: seen) && RowWindow.keeps(129, seen: seen))
        #expect(!RowWindow.keeps(79, seen: seen) && !RowWindow.keeps(130, seen: seen))
    }
}
