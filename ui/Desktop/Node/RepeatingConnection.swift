import Contract
import ControlAPI
import NodeAPI
import PanelKit

/// Sends an action again, with the same id, if the node went away before it answered.
///
/// The node recognises the id and does not perform the action twice, not even if it was killed
/// after it had written and before it answered. Queries are not repeated: the window asks
/// everything again as soon as the node is back.
///
/// An action that was given up may have been performed all the same. If the user does the same
/// again, such as sending a message that the window could not report as sent, it gets the same id.
@MainActor
final class RepeatingConnection: NodeConnection {
    /// The time for which an action is repeated.
    static let repeatingMax = Duration.seconds(60)
    /// The number of actions that were given up whose ids are kept.
    static let unansweredMax = 16
    /// The pause before an action is sent again, unless the node is back earlier.
    static let pause = Duration.seconds(1)

    private let connection: any NodeConnection
    private let clock: WindowClock
    private let drawID: @Sendable () -> ActionID
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var waiterCount = 0
    /// The actions that were given up, with their ids, the oldest first.
    private var unanswered: [(action: Action, id: ActionID)] = []

    /// An action of the user.
    private struct Action: Equatable {
        let command: CommandDeclaration
        let arguments: Arguments
    }

    /// Creates a connection that sends through another one.
    /// - Parameter drawID: draws the id of an action.
    nonisolated init(
        _ connection: any NodeConnection, clock: WindowClock,
        drawID: @escaping @Sendable () -> ActionID
    ) {
        self.connection = connection
        self.clock = clock
        self.drawID = drawID
    }

    nonisolated func answer(
        to command: CommandDeclaration, _ arguments: Arguments, id: ActionID?
    ) async throws -> JSONValue {
        guard command.kind == .action, !Self.ending.contains(command.route) else {
            return try await connection.answer(to: command, arguments, id: id)
        }
        return try await repeating(command, arguments, id: id)
    }

    private func repeating(
        _ command: CommandDeclaration, _ arguments: Arguments, id: ActionID?
    ) async throws -> JSONValue {
        let action = Action(command: command, arguments: arguments)
        let id = id ?? removeUnanswered(action) ?? drawID()
        let deadline = clock.now() + Self.repeatingMax
        while true {
            do {
                return try await connection.answer(to: command, arguments, id: id)
            } catch let fault as NodeUnreachable {
                guard clock.now() < deadline else {
                    remember(action, id)
                    throw fault
                }
                do { try await rest() } catch {
                    remember(action, id)
                    throw error
                }
            }
        }
    }

    private func remember(_ action: Action, _ id: ActionID) {
        unanswered.append((action, id))
        if unanswered.count > Self.unansweredMax { unanswered.removeFirst() }
    }

    private func removeUnanswered(_ action: Action) -> ActionID? {
        unanswered.firstIndex { $0.action == action }.map { unanswered.remove(at: $0).id }
    }

    nonisolated func events() -> AsyncThrowingStream<NodeEvent, any Error> { connection.events() }

    /// Sends the waiting actions now, because the node is back.
    func nodeIsBack() {
        for id in waiters.keys { wake(id) }
    }

    /// The routes of the actions that end the node: without an answer they were performed.
    private nonisolated static let ending: Set = [
        NodeCommands.stop.declaration.route, NodeCommands.deleteMe.declaration.route,
    ]

    /// Waits for the pause, or until the node is back.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    private func rest() async throws {
        waiterCount += 1
        let id = waiterCount
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                guard !Task.isCancelled else { return waiter.resume() }
                waiters[id] = waiter
                clock.after(Self.pause) { [weak self] in self?.wake(id) }
            }
        } onCancel: {
            Task { @MainActor in self.wake(id) }
        }
        try Task.checkCancellation()
    }

    private func wake(_ id: Int) { waiters.removeValue(forKey: id)?.resume() }
}
