internal import Glibc
internal import Synchronization
internal import TestSupport

/// Plays one seed and says what came of it:
/// `waggle-sim-nodes SEED [--minutes N] [--people N] [--verbose]`.
@main struct Program {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let seed = arguments.first.flatMap({ UInt64($0) }) else {
            print("usage: waggle-sim-nodes SEED [--minutes N] [--people N] [--verbose]")
            exit(2)
        }
        guard unsafe getenv("SWIFT_DETERMINISTIC_HASHING") != nil else {
            print("set SWIFT_DETERMINISTIC_HASHING=1: a seed means nothing without it")
            exit(2)
        }
        func option(_ name: String) -> Int? {
            arguments.firstIndex(of: name).flatMap { index in
                index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
            }
        }
        var generator = SeededGenerator(seed: seed)
        let count = option("--people") ?? generator.number(3...10)
        exit(
            play(
                seed, minutes: option("--minutes") ?? 10, count: count,
                isVerbose: arguments.contains("--verbose")))
    }

    private static func play(
        _ seed: UInt64, minutes: Int, count: Int, isVerbose: Bool
    ) -> Int32 {
        SeededExecutor.install(seed: seed)
        do {
            let world = try World(seed: seed, isVerbose: isVerbose)
            defer { world.remove() }
            let scenario = Scenario(world: world, minutes: minutes, count: count)
            let outcome = try run(world) { try await scenario.play() }
            for violation in outcome.violations { print("seed \(seed): \(violation)") }
            print(
                "seed \(seed): \(outcome.violations.isEmpty ? "passed" : "failed"), "
                    + "\(count) people, \(outcome.events) events, \(outcome.frames) frames, "
                    + "\(SeededExecutor.shared.jobCount) jobs, trace \(outcome.trace)")
            return outcome.violations.isEmpty ? 0 : 1
        } catch {
            print("seed \(seed): failed: \(error)")
            return 1
        }
    }

    /// Runs everything, and lets time pass whenever nothing can run, until the work is done.
    private static func run<Outcome: Sendable>(
        _ world: World, _ work: @escaping @Sendable () async throws -> Outcome
    ) throws -> Outcome {
        let result = Mutex<Result<Outcome, any Error>?>(nil)
        Task {
            let outcome: Result<Outcome, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
        }
        while true {
            if let outcome = result.withLock({ $0 }) { return try outcome.get() }
            if !SeededExecutor.shared.runOne(), !world.time.leap() { throw Standstill() }
        }
    }
}

/// Nothing can run and nothing is due, and the work is not done: somebody waits for ever.
struct Standstill: Error {}
