/// Repeats one piece of work on request, never twice at a time.
///
/// Any number of requests during a run lead to one more run after it. So the data that a run reads
/// is never older than the last request that it answers. The owner calls all methods in its own
/// isolation, for example in an actor:
///
/// ```swift
/// private let refreshing = SingleFlight()
///
/// func refresh() async throws {
///     guard refreshing.request() else { return }
///     try await refreshing.run { try await self.readEverything() }
/// }
/// ```
///
/// If `refresh()` is called three times during a run, the calls return at once and the run is
/// followed by one other. A caller that needs the result of that one calls ``finished()``.
public final class SingleFlight {
    private enum State {
        case idle
        /// A run is due or under way.
        case running
        /// A run is under way, and another was requested since it began.
        case runningBeforeAnother
    }

    private var state = State.idle
    /// Callers that wait for the end of this run, and of the one after it.
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var waitersForAnother: [CheckedContinuation<Void, Never>] = []

    /// Creates a flight without a request.
    public init() {}

    /// Whether a run is due or under way.
    public var isRunning: Bool { state != .idle }

    /// Requests a run.
    /// - Returns: true if the caller has to call ``run(_:)`` now, false if an earlier caller
    ///   repeats the work.
    public func request() -> Bool {
        guard state == .idle else {
            state = .runningBeforeAnother
            return false
        }
        state = .running
        return true
    }

    /// Performs the work, and repeats it as long as it was requested during the last run. Only the
    /// caller that got true from ``request()`` calls this.
    /// - Throws: the first error of the work. If a run fails, a request made during it still gets
    ///   another run.
    public func run<Fault: Error>(
        _ work: () async throws(Fault) -> Void
    ) async throws(Fault) {
        precondition(state != .idle, "a run is requested before it begins")
        var fault: Fault?
        repeat {
            state = .running
            waiters += waitersForAnother
            waitersForAnother = []
            do throws(Fault) { try await work() } catch { fault = fault ?? error }
            for waiter in waiters { waiter.resume() }
            waiters = []
        } while state == .runningBeforeAnother
        state = .idle
        if let fault { throw fault }
    }

    /// Waits until every run that was requested so far has ended. The work itself must not wait for
    /// this.
    public func finished() async {
        await withCheckedContinuation { waiter in
            switch state {
            case .idle: waiter.resume()
            case .running: waiters.append(waiter)
            case .runningBeforeAnother: waitersForAnother.append(waiter)
            }
        }
    }
}
