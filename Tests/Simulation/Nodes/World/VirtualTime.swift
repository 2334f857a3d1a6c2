internal import Records
internal import Synchronization

/// The time of a simulation. It stands still while a job can run, and then advances to the next due
/// action.
final class VirtualTime: Sendable {
    private struct Timer: Comparable {
        let due: Duration
        let number: Int

        static func < (left: Timer, right: Timer) -> Bool {
            (left.due, left.number) < (right.due, right.number)
        }
    }

    private struct State {
        var now = Duration.zero
        var nextNumber = 0
        var timers = Heap<Timer>()
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// The time since the simulation started.
    var now: Duration { state.withLock { $0.now } }

    /// The time in whole milliseconds.
    var milliseconds: Int64 { now.milliseconds }

    /// Performs an action after a delay.
    /// - Returns: a number for ``cancel(_:)``.
    @discardableResult
    func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.timers.insert(Timer(due: state.now + max(.zero, delay), number: state.nextNumber))
            state.actions[state.nextNumber] = action
            return state.nextNumber
        }
    }

    /// Cancels an action.
    /// - Returns: false if it was already performed.
    @discardableResult
    func cancel(_ number: Int) -> Bool {
        state.withLock { $0.actions.removeValue(forKey: number) != nil }
    }

    /// Advances to the next due action and performs it.
    /// - Returns: false if there is no action.
    func leap() -> Bool {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            while let timer = state.timers.popFirst() {
                guard let action = state.actions.removeValue(forKey: timer.number) else { continue }
                state.now = timer.due
                return action
            }
            return nil
        }
        action?()
        return action != nil
    }

    /// Waits for a duration.
    /// - Throws: `CancellationError`.
    func sleep(for duration: Duration) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                after(duration) { sleeper.end(nil) }
            }
        } onCancel: {
            sleeper.end(CancellationError())
        }
    }
}

/// A sleeping task, which is resumed once.
private final class Sleeper: Sendable {
    private enum State {
        case new
        case asleep(CheckedContinuation<Void, any Error>)
        case awake
    }

    private let state = Mutex(State.new)

    /// Starts to sleep, unless it was cancelled before.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let sleeps = state.withLock { state in
            guard case .new = state else { return false }
            state = .asleep(continuation)
            return true
        }
        if !sleeps { continuation.resume(throwing: CancellationError()) }
        return sleeps
    }

    /// Resumes the task.
    func end(_ error: (any Error)?) {
        let before = state.withLock { state in
            defer { state = .awake }
            return state
        }
        guard case .asleep(let continuation) = before else { return }
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
}
