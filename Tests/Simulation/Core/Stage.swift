internal import Replica

/// Runs simulations and their replicas on one queue, so that a call to a replica never waits for
/// another thread.
package actor Stage {
    private let queue = QueueExecutor(label: "waggle.simulation")

    /// The executor of the runs and their replicas.
    var executor: any SerialExecutor { queue }

    package init() {}

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe queue.asUnownedSerialExecutor()
    }

    /// Runs a seed for a number of virtual hours.
    /// - Parameter directory: the directory for the nodes' files, which is removed with the run.
    /// - Throws: errors that are not about the engine, for example if a directory cannot be
    ///   created.
    package func play(
        seed: UInt64, hours: Double, directory: String, isTraced: Bool
    ) async throws -> SimulationRun {
        try await SimulationRun(
            seed: seed, hours: hours, directory: directory, isTraced: isTraced, on: queue)
    }

    /// Tests the merge laws on a seed's histories.
    /// - Parameter directory: the directory for the replicas' files, which is removed with the run.
    /// - Throws: errors that are not about the engine.
    package func tryLaws(seed: UInt64, directory: String) async throws -> MergeLaws {
        try await MergeLaws(seed: seed, directory: directory, on: queue)
    }
}
