internal import Synchronization

/// A pause of an actor that has nothing to do until something is due. It ends early if something is
/// due sooner. One task waits at a time.
public final class Alarm: Sendable {
    private struct State {
        var isRung = false
        var nap: Task<Void, any Error>?
    }

    private let state = Mutex(State())

    /// Creates an alarm on which no task waits.
    public init() {}

    /// Ends the current wait or, if no task waits, the next one.
    public func ring() {
        state.withLock { state in
            state.isRung = true
            state.nap?.cancel()
        }
    }

    /// Waits this long, or until the next ring. The task that waits checks everything afterwards,
    /// so a ring that comes as the wait ends is not lost.
    /// - Throws: `CancellationError`.
    public func wait(for duration: Duration, on clock: any NodeClock) async throws {
        let nap = state.withLock { state in
            if !state.isRung { state.nap = Task { try await clock.sleep(for: duration) } }
            return state.nap
        }
        await withTaskCancellationHandler {
            _ = await nap?.result
        } onCancel: {
            nap?.cancel()
        }
        state.withLock { $0 = State() }
        try Task.checkCancellation()
    }
}
