internal import Foundation
internal import Simulation

/// The request of the command line: seeds and options.
struct Order {
    static let usage = """
        waggle-sim run FIRST STEP COUNT HOURS [--trace]
               waggle-sim laws FIRST STEP COUNT
               waggle-sim open SEED NODES LIARS KEYS
        """

    private enum Kind {
        case run(hours: Double)
        case laws
        case open(OpenTownPlan)
    }

    private let kind: Kind
    private let seeds: [UInt64]
    private let isTraced: Bool

    /// Parses the arguments, or returns nil if they are not a request.
    init?(_ words: [String]) {
        let plain = words.filter { $0 != "--trace" }
        isTraced = words.contains("--trace")
        if plain.first == "open" {
            let numbers = plain.dropFirst().compactMap { Int($0) }
            guard numbers.count == 4, plain.count == 5, numbers[0] >= 0, numbers[1] >= 4,
                numbers[1] <= 1000, numbers[2] >= 0, numbers[3] >= 0
            else { return nil }
            kind = .open(
                OpenTownPlan(
                    nodeCount: numbers[1], liarCount: numbers[2], keysPerLiar: numbers[3],
                    seed: UInt64(numbers[0])))
            seeds = [UInt64(numbers[0])]
            return
        }
        guard plain.count >= 4, let first = UInt64(plain[1]), let step = UInt64(plain[2]),
            let count = Int(plain[3]), count >= 0
        else { return nil }
        switch (plain[0], plain.count) {
        case ("run", 5):
            guard let hours = Double(plain[4]), hours > 0, hours <= 10_000 else { return nil }
            kind = .run(hours: hours)
        case ("laws", 4): kind = .laws
        default: return nil
        }
        seeds = (0..<count).map { first &+ step &* UInt64($0) }
    }

    /// Performs the request; returns whether no seed failed.
    func carryOut() async throws -> Bool {
        let (stage, directory) = (Stage(), Order.directory())
        var tally = Tally()
        var isGood = true
        for seed in seeds {
            switch kind {
            case .run(let hours):
                let run = try await stage.play(
                    seed: seed, hours: hours, directory: directory, isTraced: isTraced)
                tally.add(run.tally)
                report(seed, "trace \(run.trace)", run.violation, run.mix, &isGood)
            case .laws:
                let laws = try await stage.tryLaws(seed: seed, directory: directory)
                tally.add(laws.tally)
                report(seed, "laws", laws.violation, "\(laws.historyCount) histories", &isGood)
            case .open(let plan):
                let result = try await stage.live(plan, directory: directory)
                tally.add(result.tally)
                print("open \(result.text)")
                report(seed, "open", result.violation, "\(plan.nodeCount) nodes", &isGood)
            }
        }
        print("counts \(tally.text)")
        return isGood
    }

    /// Prints one line for a seed, with its violations on the lines below.
    private func report(
        _ seed: UInt64, _ what: String, _ violation: Violation?, _ drawn: String,
        _ isGood: inout Bool
    ) {
        print("seed \(seed) \(violation == nil ? "ok" : "FAILED") \(what)")
        guard let violation else { return }
        isGood = false
        print("  \(violation)\n  drawn: \(drawn)")
    }

    /// Returns a directory of this process, in memory if possible.
    private static func directory() -> String {
        let shared = "/dev/shm"
        let isThere = FileManager.default.isWritableFile(atPath: shared)
        let root = isThere ? shared : FileManager.default.temporaryDirectory.path
        return "\(root)/waggle-sim-\(ProcessInfo.processInfo.processIdentifier)"
    }
}
