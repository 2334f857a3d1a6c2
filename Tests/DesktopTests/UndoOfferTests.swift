import Contract
import ControlAPI
import FeaturesAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

/// Tests of what can be undone for a few seconds, and of actions that outlast the window.
@MainActor
struct UndoOfferTests {
    private let node = FakeNode()
    private let view = FakeBoardView()
    private let clock = HastyClock()
    private let board: PanelBoard
    private let walks: FakePanel
    private let posts: FakePanel

    init() throws {
        board = PanelBoard(
            of: [WalksFake.self, PostsFake.self], node: node,
            clock: PanelClock(clock.windowClock), people: People(), map: FakeMap())
        board.view = view
        walks = try #require(board.panel("walks") as? FakePanel)
        posts = try #require(board.panel("posts") as? FakePanel)
    }

    /// Offers to undo something, and records what happens to it.
    private func offer(_ name: String, _ log: @escaping @MainActor (String) -> Void) -> UndoOffer {
        UndoOffer(name, undo: { log("undo \(name)") }, settle: { log("settle \(name)") })
    }

    @Test func `something can be undone until its time is up`() {
        var log: [String] = []
        walks.context.offerUndo(offer("a") { log.append($0) })
        #expect(view.undo == "a" && log.isEmpty)
        board.update()
        #expect(view.undo == "a")
        board.undo()
        #expect(view.undo == nil && log == ["undo a"])
        board.settleUndo()
        #expect(log == ["undo a"])
    }

    @Test func `a second offer settles the first, and so does the end of the time`() async {
        var log: [String] = []
        walks.context.offerUndo(offer("a") { log.append($0) })
        posts.context.offerUndo(offer("b") { log.append($0) })
        #expect(view.undo == "b" && log == ["settle a"])
        clock.windowClock.after(PanelBoard.undoTime) {}
        while clock.now < PanelBoard.undoTime { await Task.yield() }
        board.update()
        #expect(view.undo == nil && log == ["settle a", "settle b"])
        board.undo()
        #expect(log == ["settle a", "settle b"])
    }

    @Test func `what a deleted user could undo is not settled`() {
        walks.context.offerUndo(offer("a") { _ in Issue.record("it was settled") })
        posts.context.forgetUser()
        board.settleUndo()
        #expect(view.undo == nil && view.hasForgotten)
    }

    @Test func `what can be undone is done when the window closes, and counts until it is`()
        async throws
    {
        node.answer(InboxCommands.handle, with: Done())
        let (context, reference) = (walks.context, InboxReference(id: RecordPrefix(id("a"))))
        context.offerUndo(
            UndoOffer("a", undo: { Issue.record("it was undone") }) {
                context.perform(InboxCommands.handle, reference)
            })
        #expect(board.unfinishedCount == 0)
        board.close()
        #expect(board.unfinishedCount == 1)
        while board.unfinishedCount > 0 { await Task.yield() }
        #expect(try node.drainRequests(of: InboxCommands.handle) == [reference])
    }

    @Test func `an action that is refused says so, and takes its effect back`() async {
        var isBack = false
        walks.context.perform(
            InboxCommands.handle, InboxReference(id: RecordPrefix(id("a"))),
            then: { isBack = !$0 })
        while board.unfinishedCount > 0 { await Task.yield() }
        #expect(isBack && view.fault != nil)
    }
}
