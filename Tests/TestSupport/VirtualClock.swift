public import PluginKit
internal import Synchronization

/// A clock whose time changes only when a test moves it.
///
/// A test that moves it can wait until all tasks that slept on it have worked and sleep again, so
/// nothing in a test depends on the speed of the machine.
public final class VirtualClock: NodeClock {
    private struct Sleeper {
        let due: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var uptime = Duration.zero
        var wallTime: Timestamp
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var runnerCount = 0
        var watchers: [CheckedContinuation<Void, Never>] = []

        var isIdle: Bool { sleepers.count >= runnerCount }
    }

    private let state: Mutex<State>

    /// Creates a clock that shows a time.
    public init(wallTime: Timestamp = Timestamp(milliseconds: 1_900_000_000_000)) {
        state = Mutex(State(wallTime: wallTime))
    }

    /// The time it shows.
    public var wallTime: Timestamp { state.withLock { $0.wallTime } }
    /// The total time by which it was moved.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// The number of times that a task began to sleep on it.
    public var sleepCount: Int { state.withLock { $0.nextID } }

    /// The number of tasks that sleep on it now.
    public var sleepingCount: Int { state.withLock { $0.sleepers.count } }

    /// Sets the wall clock, as a wrong setting would; the uptime does not jump.
    public func setWall(_ time: Timestamp) {
        state.withLock { $0.wallTime = time }
    }

    /// Adds a task that works between its sleeps on this clock.
    public func runnerBegan() { state.withLock { $0.runnerCount += 1 } }

    /// Removes a task that worked on this clock.
    public func runnerEnded() {
        let watchers = state.withLock { state in
            state.runnerCount -= 1
            return Self.removeWatchers(&state)
        }
        for watcher in watchers { watcher.resume() }
    }

    /// Moves the time and wakes the tasks that are due.
    public func advance(by step: Duration) {
        let due = state.withLock { state in
            state.uptime += step
            state.wallTime = state.wallTime + step
            let due = state.sleepers.filter { $0.value.due <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        }
        for (_, sleeper) in due { sleeper.continuation.resume() }
    }

    /// Returns when every task that works on this clock sleeps.
    public func untilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if !state.isIdle { state.watchers.append(continuation) }
                return state.isIdle
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Waits until the clock was moved by a duration.
    /// - Throws: `CancellationError`.
    public func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enter(id, duration, $0) }
        } onCancel: {
            wakeCancelled(id)
        }
    }

    private func enter(
        _ id: Int, _ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let (isCancelled, watchers) = state.withLock { state in
            guard state.cancelled.remove(id) == nil else {
                return (true, [CheckedContinuation<Void, Never>]())
            }
            state.sleepers[id] = Sleeper(due: state.uptime + duration, continuation: continuation)
            return (false, Self.removeWatchers(&state))
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.resume() }
    }

    private func wakeCancelled(_ id: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: id)
            if sleeper == nil { state.cancelled.insert(id) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    private static func removeWatchers(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        guard state.isIdle else { return [] }
        defer { state.watchers = [] }
        return state.watchers
    }
}
