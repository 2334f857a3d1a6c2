internal import Foundation
internal import TestSupport

/// Power cuts in as many workloads as the count needs, then the control.
struct PowerRun {
    let options: Options
    let home: Directory

    /// The default count: enough for one workload of some 1 300 changes with each damage.
    private static let usualCount = 5000
    /// The number of steps in a workload.
    private static let stepCount = 64

    /// - Returns: whether every cut was survived, and the control lost writes.
    func run() async throws -> Bool {
        var tally = Tally("power")
        var seed = options.seed
        var left = options.count ?? PowerRun.usualCount
        var cutCount = 0
        while left > 0 {
            let workload = try await workload(seed)
            let trial = try await PowerTrial(workload, seed: seed, home: home)
            let numbers = (0..<min(left, trial.cutCount)).filter(options.includes)
            try await trial.run(numbers) { cut, verdict in
                tally.count(
                    seed: seed, number: cut.number, "\(cut.damage) after change \(cut.moment)",
                    verdict?.description)
            }
            left = options.only == nil ? left - trial.cutCount : 0
            cutCount += trial.cutCount
            seed += 1
        }
        if options.only == nil, options.share == 0 { try await tally.addControl(control()) }
        print(tally.line)
        return tally.failedCount == 0
    }

    private func workload(_ seed: UInt64) async throws -> Workload {
        try await Workload(seed: seed, stepCount: PowerRun.stepCount, scratch: home.path)
    }

    /// Repeats the trial on a disk that reports syncs of SQLite's log as done without doing them.
    /// - Returns: the number of cuts that lost an acknowledged write, and of all cuts.
    private func control() async throws -> (lostCount: Int, cutCount: Int) {
        let trial = try await PowerTrial(
            workload(options.seed), seed: options.seed, home: home, isSynced: false)
        let everyNinth = stride(from: 1, to: trial.cutCount, by: 9)
        var lostCount = 0
        try await trial.run(everyNinth) { _, verdict in
            if verdict?.isLoss == true { lostCount += 1 }
        }
        return (lostCount, Array(everyNinth).count)
    }
}

extension Tally {
    /// Adds the control, which passes if it shows losses: the trial can then detect them.
    fileprivate mutating func addControl(_ control: (lostCount: Int, cutCount: Int)) {
        let found =
            "without syncs of the log \(control.lostCount) of \(control.cutCount) cuts lost what "
            + "was acknowledged"
        print("control: \(found)")
        count(seed: 0, number: 0, "control", control.lostCount > 0 ? nil : found)
    }
}
