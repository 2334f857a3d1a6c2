internal import Replica

/// Plays runs on one queue, and all their replicas with them: a question to a replica is a call
/// then, and nothing waits for another thread.
package actor Stage {
    private let queue = QueueExecutor(label: "waggle.simulation")

    package init() {}

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe queue.asUnownedSerialExecutor()
    }

    /// Runs a seed for so many virtual hours.
    /// - Parameter directory: where the nodes' files are put; it goes with the run.
    /// - Throws: what is no verdict on the engine, such as a directory that cannot be made.
    package func play(
        seed: UInt64, hours: Double, directory: String, isTraced: Bool
    ) async throws -> SimulationRun {
        try await SimulationRun(
            seed: seed, hours: hours, directory: directory, isTraced: isTraced, on: queue)
    }

    /// Tries the merge laws on a seed's histories.
    /// - Parameter directory: where the replicas' files are put; it goes with the run.
    /// - Throws: what is no verdict on the engine.
    package func tryLaws(seed: UInt64, directory: String) async throws -> MergeLaws {
        try await MergeLaws(seed: seed, directory: directory, on: queue)
    }
}
