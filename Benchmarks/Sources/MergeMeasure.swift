import Identity
import PluginKit
import Records
import Replica

/// Measures the merge of the workload, from the bytes of frames to the commit.
struct MergeMeasure {
    let household: Household
    let directory: String
    let batchOperationsCount: Int

    /// The minimum bytes of frames that are merged together, as a node collects them from a link.
    private static let groupBytesMin = 2 * 1024 * 1024

    func run() async throws -> JSONValue {
        let workload = Workload()
        try workload.check()
        let frames = try SignedWorkload(
            workload, batchOperationsCount: batchOperationsCount, household: household
        ).runs.map { run in
            var bytes: [UInt8] = []
            run.encode(into: &bytes, sender: household.first.id)
            return bytes
        }
        let replica = try await BenchReplica.open(
            directory, household, key: household.second)
        let elapsed = try await ContinuousClock().measure { try await merge(frames, into: replica) }
        try await FinalState.read { try await replica.read($0, allowedTables: nil) }.check()
        let batches = await replica.spaces().reduce(0) { $0 + $1.batches }
        try await replica.close()
        let seconds = elapsed / .seconds(1)
        return [
            "operationsPerSecond": .number(Double(Workload.operationsCount) / seconds),
            "seconds": .number(seconds),
            "batches": .integer(Int64(batches)),
            "frames": .integer(Int64(frames.count)),
            "wireBytes": .integer(Int64(frames.reduce(0) { $0 + $1.count })),
            "diskBytes": .integer(Int64(try BenchReplica.bytes(in: directory))),
        ]
    }

    /// Merges the groups in order. The next group is decoded and checked meanwhile, as in a node.
    private func merge(_ frames: [[UInt8]], into replica: Replica) async throws {
        let groups = MergeMeasure.groups(frames)
        var (runs, checker) = try decode(groups[0], RunChecker())
        for next in groups.dropFirst() {
            let before = checker
            async let decoded = decode(next, before)
            try await commit(runs, replica)
            (runs, checker) = try await decoded
        }
        try await commit(runs, replica)
    }

    private static func groups(_ frames: [[UInt8]]) -> [[[UInt8]]] {
        var groups: [[[UInt8]]] = [[]]
        var bytes = 0
        for frame in frames {
            if bytes >= groupBytesMin {
                groups.append([])
                bytes = 0
            }
            groups[groups.count - 1].append(frame)
            bytes += frame.count
        }
        return groups
    }

    private func decode(
        _ frames: [[UInt8]], _ checker: RunChecker
    ) throws -> ([(SpaceID, Run)], RunChecker) {
        var checker = checker
        let runs = try frames.map { frame in
            var reader = ByteReader(frame)
            let run = try Run(from: &reader, sender: household.first.id)
            return (household.space.id, checker.check(run, in: household.space.id))
        }
        return (runs, checker)
    }

    private func commit(_ runs: [(SpaceID, Run)], _ replica: Replica) async throws {
        let outcome = try await replica.merge(
            runs, wallTime: BenchReplica.wallTime)
        if let fault = outcome.faults.values.first { throw fault }
    }
}

/// The reason there is no result.
enum BenchFault: Error, Equatable {
    /// The generated stream is not the workload.
    case wrongStream
    /// The table's content is not the correct final state.
    case wrongState(FinalState)
    /// A page or a search is not what a scan of all records finds.
    case wrongPage(String)
    case usage(String)
    case sqlite(String)
}
