internal import Glibc
internal import Synchronization
internal import TestSupport

/// Runs one seed and prints its result. A process runs only one seed, so that no state remains from
/// another: `waggle-sim-nodes SEED [--minutes N] [--people N] [--crowd N] [--days N] [--homes
/// DIRECTORY] [--verbose]`.
@main struct Program {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let seed = arguments.first.flatMap({ UInt64($0) }) else {
            print("usage: waggle-sim-nodes SEED [--minutes N] [--people N] [--crowd N]")
            exit(2)
        }
        guard unsafe getenv("SWIFT_DETERMINISTIC_HASHING") != nil else {
            print("set SWIFT_DETERMINISTIC_HASHING=1: a seed means nothing without it")
            exit(2)
        }
        func value(of name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { index in
                index + 1 < arguments.count ? arguments[index + 1] : nil
            }
        }
        func option(_ name: String) -> Int? { value(of: name).flatMap { Int($0) } }
        var generator = SeededGenerator(seed: seed)
        let days = option("--days")
        let count = option("--people") ?? generator.number(days == nil ? 3...10 : 3...5)
        let (minutes, crowd) = (option("--minutes") ?? 10, option("--crowd"))
        SeededExecutor.install(seed: seed)
        do {
            let world = try World(
                seed: seed, homes: value(of: "--homes"), isVerbose: arguments.contains("--verbose"))
            let figures: String
            do {
                // `exit` runs no `defer`, so the homes must be removed before it.
                defer { world.remove() }
                figures = try run(world) {
                    if let days {
                        return try await Days(world: world, days: days, count: count).play()
                    }
                    if let crowd { return try await Crowd(world: world, count: crowd).play() }
                    return try await Scenario(world: world, minutes: minutes, count: count).play()
                }
            }
            exit(report(world, figures))
        } catch {
            print("seed \(seed) FAILED trace none")
            print("  \(error)")
            exit(1)
        }
    }

    /// Prints the result of a seed.
    /// - Returns: the exit code.
    private static func report(_ world: World, _ figures: String) -> Int32 {
        let violations = world.violations
        let verdict = violations.isEmpty ? "ok" : "FAILED"
        print("seed \(world.seed) \(verdict) trace \(world.trace.digest)")
        for violation in violations.prefix(20) { print("  \(violation)") }
        let frames = world.network.frameCounts.values.reduce(0, +)
        print(
            "counts events=\(world.trace.count) frames=\(frames) "
                + "jobs=\(SeededExecutor.shared.jobCount) " + world.counts)
        print(figures)
        return violations.isEmpty ? 0 : 1
    }

    /// Runs all jobs, and advances the time when no job can run, until the work is done.
    private static func run<Outcome: Sendable>(
        _ world: World, _ work: @escaping @Sendable () async throws -> Outcome
    ) throws -> Outcome {
        let result = Mutex<Result<Outcome, any Error>?>(nil)
        Task {
            let outcome: Result<Outcome, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
        }
        var jobsNow = 0
        while true {
            if let outcome = result.withLock({ $0 }) { return try outcome.get() }
            if SeededExecutor.shared.runOne() {
                jobsNow += 1
                guard jobsNow < jobsAtOnceMax else { throw Stall.restless }
            } else {
                jobsNow = 0
                guard world.time.leap() else { throw Stall.stuck }
            }
        }
    }

    /// The highest number of jobs that may run at one virtual time.
    private static let jobsAtOnceMax = 5_000_000
}

/// The reason a simulation does not end.
enum Stall: Error, CustomStringConvertible {
    case stuck, restless

    var description: String {
        switch self {
        case .stuck: "nothing can run and nothing is due: a task waits for ever"
        case .restless: "time stands still and the work does not end"
        }
    }
}
