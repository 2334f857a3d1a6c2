import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

@MainActor
struct RepeatingConnectionTests {
    private let node = FakeNode()
    private let clock = HastyClock()

    private var connection: RepeatingConnection {
        RepeatingConnection(node, clock: clock.windowClock) {
            var random = SystemRandomNumberGenerator()
            return ActionID(using: &random)
        }
    }

    @Test func `an action without an answer is sent again with the same id`() async throws {
        node.answer(LocationCommands.clear, with: Done())
        node.loseNextAnswer()
        clock.patience = .zero
        let connection = connection
        let sending = Task { try await connection.call(LocationCommands.clear) }
        while node.isRunning { await Task.yield() }
        node.isRunning = true
        // The reply may be lost before the connection begins to wait.
        while node.idCount < 2 {
            connection.nodeIsBack()
            await Task.yield()
        }
        _ = try await sending.value
        let ids = node.drainIDs()
        #expect(ids.count == 2 && ids[0] != nil && ids[0] == ids[1])
    }

    @Test func `two actions of the user have two ids`() async throws {
        node.answer(LocationCommands.clear, with: Done())
        for _ in 0..<2 { _ = try await connection.call(LocationCommands.clear) }
        #expect(Set(node.drainIDs()).count == 2)
    }

    @Test func `a refusal is not sent again`() async throws {
        await #expect(throws: NodeRefusal.self) {
            _ = try await connection.call(LocationCommands.clear)
        }
        #expect(node.drainIDs().count == 1)
    }

    @Test func `what was given up keeps its id if the user does it again`() async throws {
        let connection = connection
        node.answer(LocationCommands.clear, with: Done())
        node.loseNextAnswer()
        await #expect(throws: NodeUnreachable.self) {
            _ = try await connection.call(LocationCommands.clear)
        }
        let givenUp = Set(node.drainIDs())
        node.isRunning = true
        for _ in 0..<2 { _ = try await connection.call(LocationCommands.clear) }
        let ids = node.drainIDs()
        #expect(ids.count == 2 && givenUp.count == 1 && givenUp == [ids[0]] && ids[0] != ids[1])
    }

    @Test func `an action is given up after a minute`() async {
        node.isRunning = false
        await #expect(throws: NodeUnreachable.self) {
            _ = try await connection.call(LocationCommands.clear)
        }
        #expect(clock.now == RepeatingConnection.repeatingMax)
    }

    @Test(.timeLimit(.minutes(1)))
    func `an action that is cancelled waits no longer and is not sent again`() async {
        node.isRunning = false
        clock.patience = .zero
        let connection = connection
        let sending = Task { try await connection.call(LocationCommands.clear) }
        // An action that finds no node is not recorded, so this only lets it begin to wait.
        for _ in 0..<100 { await Task.yield() }
        sending.cancel()
        await #expect(throws: CancellationError.self) { _ = try await sending.value }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an action that was cancelled before it waits does not wait`() async {
        node.isRunning = false
        clock.patience = .zero
        let connection = connection
        let sending = Task { try await connection.call(LocationCommands.clear) }
        sending.cancel()
        await #expect(throws: CancellationError.self) { _ = try await sending.value }
    }

    @Test func `neither a query nor the end of the node is sent again`() async {
        node.isRunning = false
        await #expect(throws: NodeUnreachable.self) {
            _ = try await connection.call(MateCommands.list)
        }
        await #expect(throws: NodeUnreachable.self) {
            _ = try await connection.call(NodeCommands.stop)
        }
        #expect(clock.now == .zero)
    }
}
