import Notifications
import PluginKit
import Testing

@testable import DesktopBus

@Suite struct NoticeBoardTests {
    private func notice(_ reference: String, _ title: String = "Title") -> ShownNotice {
        ShownNotice(tag: Sample.tag(reference), title: title)
    }

    /// A board whose server shows one notice under the id 7.
    private func shown(_ one: ShownNotice) -> NoticeBoard {
        var board = NoticeBoard()
        board.show(one)
        board.connected()
        board.greeted()
        board.told(one, id: 7)
        return board
    }

    @Test func `without a notice the bus is left alone`() {
        #expect(NoticeBoard().step(now: .zero) == .wait(nil))
    }

    @Test func `a notice is shown once there is a connection, and then nothing is left to do`() {
        var board = NoticeBoard()
        board.show(notice("1"))
        #expect(board.step(now: .zero) == .connect)
        board.connected()
        #expect(board.step(now: .zero) == .greet)
        board.greeted()
        #expect(board.step(now: .zero) == .show(notice("1"), replacing: 0))
        board.told(notice("1"), id: 7)
        #expect(board.step(now: .zero) == .wait(nil))
        #expect(board.tag(of: 7) == Sample.tag("1"))
    }

    @Test func `a later notice replaces the earlier by the server's id`() {
        var board = shown(notice("1"))
        board.show(notice("1", "Later"))
        #expect(board.step(now: .zero) == .show(notice("1", "Later"), replacing: 7))
    }

    @Test func `a withdrawn notice is closed by its id; one that was never shown is not`() {
        var board = shown(notice("1"))
        board.show(notice("2"))
        board.withdraw(Sample.tag("2"))
        board.withdraw(Sample.tag("1"))
        #expect(board.step(now: .zero) == .close(7))
        board.closed(id: 7)
        #expect(board.step(now: .zero) == .wait(nil))
    }

    @Test func `without a bus the pauses between attempts grow to a minute`() {
        var board = NoticeBoard()
        board.show(notice("1"))
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<8 {
            #expect(board.step(now: now) == .connect)
            board.failed(.connect, .busAway, now: now)
            guard case .wait(let pause?) = board.step(now: now) else { return }
            pauses.append(pause)
            now += pause
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    }

    @Test func `a server that comes is told at once, without the rest of the pause`() {
        var board = NoticeBoard()
        board.show(notice("1"))
        board.connected()
        board.failed(.greet, .serverAway, now: .zero)
        #expect(board.step(now: .zero) == .wait(.seconds(1)))
        board.serverChanged(isThere: true, now: .milliseconds(10))
        #expect(board.step(now: .milliseconds(10)) == .greet)
        board.greeted()
        #expect(board.step(now: .milliseconds(10)) == .show(notice("1"), replacing: 0))
    }

    @Test func `a server that restarts is told everything that is still open`() {
        var board = shown(notice("1"))
        board.show(notice("2"))
        board.told(notice("2"), id: 8)
        board.withdraw(Sample.tag("2"))
        board.serverChanged(isThere: false, now: .zero)
        board.serverChanged(isThere: true, now: .zero)
        board.greeted()
        #expect(board.step(now: .zero) == .show(notice("1"), replacing: 0))
        board.told(notice("1"), id: 3)
        #expect(board.step(now: .zero) == .wait(nil), "the id of the other is not the new server's")
    }

    @Test func `a bus that ends is connected to again`() {
        var board = shown(notice("1"))
        board.busWasLost()
        #expect(board.step(now: .zero) == .connect)
    }

    @Test func `a notice that the server refuses is dropped, and the next one is shown`() {
        var board = NoticeBoard()
        board.connected()
        board.greeted()
        board.show(notice("1"))
        board.show(notice("2"))
        board.failed(.show(notice("1"), replacing: 0), .refused, now: .zero)
        #expect(board.step(now: .zero) == .show(notice("2"), replacing: 0))
    }

    @Test func `a notice that the person closes leaves the board`() {
        var board = shown(notice("1"))
        #expect(board.dismissed(id: 7) == Sample.tag("1"))
        #expect(board.dismissed(id: 7) == nil && board.dismissed(id: 0) == nil)
        #expect(board.step(now: .zero) == .wait(nil))
    }

    @Test func `while there is no server the newest sixteen wait`() {
        var board = NoticeBoard()
        for number in 0...NoticeLimits.waitingCountMax { board.show(notice("\(number)")) }
        board.connected()
        board.greeted()
        #expect(board.step(now: .zero) == .show(notice("1"), replacing: 0))
    }

    @Test
    func `a server that the bus starts for the first question is asked again, then told once`() {
        var board = NoticeBoard()
        board.show(notice("1"))
        board.connected()
        board.greeted()
        // The bus reports the server before its answer, so before anything was shown.
        board.serverChanged(isThere: true, now: .zero)
        #expect(board.step(now: .zero) == .greet)
        board.greeted()
        #expect(board.step(now: .zero) == .show(notice("1"), replacing: 0))
    }

    @Test func `a notice that changed or was withdrawn while it was shown is not forgotten`() {
        var board = NoticeBoard()
        board.connected()
        board.greeted()
        board.show(notice("1"))
        board.show(notice("1", "Later"))
        board.told(notice("1"), id: 7)
        #expect(board.step(now: .zero) == .show(notice("1", "Later"), replacing: 0))
        board.withdraw(Sample.tag("1"))
        board.told(notice("1", "Later"), id: 8)
        #expect(board.step(now: .zero) == .close(8))
    }
}
