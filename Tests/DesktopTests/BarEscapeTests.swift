import Contract
import GtkKit
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

/// The Escape key for bars that wait for something, and sheets that it would remove.
@MainActor
struct BarEscapeTests {
    private let map = FakeMap()
    private let board: PanelBoard
    private let view = FakeBoardView()
    private let walks: FakePanel

    init() throws {
        board = PanelBoard(
            of: [WalksFake.self], node: FakeNode(), clock: PanelClock(HastyClock().windowClock),
            people: People(), map: map)
        board.view = view
        walks = try #require(board.panel("walks") as? FakePanel)
    }

    @Test func `without a sheet, Escape ends what a bar waits for`() {
        var leftCount = 0
        walks.bars = [
            PanelBar(id: "a", icon: "i", title: "t", detail: "", answers: []),
            PanelBar(
                id: "b", icon: "i", title: "t", detail: "", answers: [],
                onEscape: { leftCount += 1 }),
        ]
        walks.context.present(FakeSheet())
        #expect(board.press(KeyPress(.escape)) && leftCount == 0 && view.sheet == nil)
        #expect(board.press(KeyPress(.escape)) && leftCount == 1)
        walks.bars = []
        #expect(!board.press(KeyPress(.escape)) && leftCount == 1)
    }

    @Test func `Escape ends the choice of a location without one`() {
        let pick = LocationPick(walks.context)
        var ends: [Coordinate?] = []
        pick.begin("Where?") { ends.append($0) }
        walks.bars = pick.bars
        #expect(board.press(KeyPress(.escape)))
        #expect(ends == [nil] && pick.bars.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a map that was hidden before a choice is hidden after it`(wasShown: Bool) {
        let pick = LocationPick(walks.context)
        map.isMapped = wasShown
        view.showMap(true)
        pick.begin("Where?") { _ in }
        walks.bars = pick.bars
        #expect(board.press(KeyPress(.escape)))
        #expect(view.hasMap == wasShown)
    }

    @Test func `a sheet that Escape removes does not stay above an opened inbox item`() {
        var dismissedCount = 0
        walks.known = ["post/1"]
        walks.context.present(FakeSheet()) { dismissedCount += 1 }
        board.open(InboxSubject("post", "1"))
        #expect(dismissedCount == 1 && view.sheet == nil)
        let running = FakeSheet()
        walks.context.present(running, onEscape: {})
        board.open(InboxSubject("post", "1"))
        #expect(view.sheet === running)
    }
}
