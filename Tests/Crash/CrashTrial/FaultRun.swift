internal import Foundation

/// A run in which every call of a short workload fails once, in every way it can.
struct FaultRun {
    let options: Options
    let home: Directory

    /// The number of steps in the workload.
    private static let stepCount = 10

    /// - Returns: whether each failure was a clear refusal and lost nothing.
    func run() async throws -> Bool {
        var tally = Tally("io")
        var seed = options.seed
        var left = options.count ?? 1
        while left > 0 {
            let workload = try await Workload(
                seed: seed, stepCount: FaultRun.stepCount, entryBytesMax: 3000,
                scratch: home.path)
            let trial = try await FaultTrial(workload, home: home)
            for (number, failure) in trial.failures.enumerated() where options.includes(number) {
                tally.count(
                    seed: seed, number: number, "\(failure)", try await trial.run(failure))
            }
            left = options.count == nil || options.only != nil ? 0 : left - trial.failures.count
            seed += 1
        }
        print(tally.line)
        return tally.failedCount == 0
    }
}
