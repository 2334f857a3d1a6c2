internal import Dispatch

/// Runs an actor's jobs on a separate queue, so that waiting for a disk never blocks the threads
/// that all other tasks share.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes a queue that runs only its own jobs.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
