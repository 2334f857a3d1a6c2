internal import Dispatch

/// Runs an actor's jobs on a queue of its own, so that waiting for a disk never holds up the
/// threads all other tasks share.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// A queue that waits for nothing but its own jobs.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
