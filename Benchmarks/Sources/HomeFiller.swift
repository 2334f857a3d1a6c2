import Records
import Replica

/// Fills the home of a stopped node with the workload.
struct HomeFiller {
    let household: Household
    let directory: String

    func run() async throws {
        let workload = Workload()
        try workload.check()
        let replica = try await BenchReplica.open(directory, household, key: household.first)
        let runs = try SignedWorkload(
            workload, batchOperationsCount: Workload.batchOperationsCount, household: household
        ).runs
        for run in runs {
            let outcome = try await replica.merge(
                [(household.space.id, run)], wallTime: BenchReplica.wallTime)
            if let fault = outcome.faults[0] { throw fault }
        }
        try await replica.close()
    }
}
