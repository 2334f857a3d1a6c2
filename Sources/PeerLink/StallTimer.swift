import NIOCore

/// Fires once if a wait has lasted its limit without a sign of life.
///
/// A sign of life costs an assignment and no timer: when the scheduled task is due, it checks
/// whether the wait still lasts and schedules itself again for the remaining time.
final class StallTimer {
    private let limit: TimeAmount
    private let eventLoop: any EventLoop
    private let stalled: () -> Void
    private var waitingSince: NIODeadline?
    private var scheduled: Scheduled<Void>?

    init(limit: Duration, eventLoop: any EventLoop, stalled: @escaping () -> Void) {
        self.limit = TimeAmount(limit)
        self.eventLoop = eventLoop
        self.stalled = stalled
    }

    /// Starts or restarts the wait.
    func wait() {
        let now = eventLoop.now
        waitingSince = now
        if scheduled == nil { schedule(at: now + limit) }
    }

    /// Ends the wait. The timer does not fire until the next wait.
    func stopWaiting() {
        waitingSince = nil
    }

    /// Ends the wait and releases the scheduled task.
    func cancel() {
        waitingSince = nil
        scheduled?.cancel()
        scheduled = nil
    }

    private func schedule(at deadline: NIODeadline) {
        scheduled = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.due() }
    }

    private func due() {
        scheduled = nil
        guard let waitingSince else { return }
        let deadline = waitingSince + limit
        if eventLoop.now < deadline {
            schedule(at: deadline)
        } else {
            self.waitingSince = nil
            stalled()
        }
    }
}
