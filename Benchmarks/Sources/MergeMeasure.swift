import Identity
import PluginKit
import Records
import Replica

/// How fast a replica takes the workload: from the bytes of frames to what is committed.
struct MergeMeasure {
    let household: Household
    let directory: String
    let batchOperationsCount: Int

    /// Operations that are committed together, at least.
    private static let commitOperationsMin = 30_000

    func run() async throws -> JSONValue {
        let workload = Workload()
        guard workload.hash == Workload.streamHash else { throw BenchFault.wrongStream }
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
        let state = try await FinalState.read {
            try await replica.read($0, allowedTables: nil)
        }
        guard state.isRight else { throw BenchFault.wrongState(state) }
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

    private func merge(_ frames: [[UInt8]], into replica: Replica) async throws {
        var waiting: [(SpaceID, Run)] = []
        var operationsCount = 0
        for frame in frames {
            var reader = ByteReader(frame)
            let run = try Run(from: &reader, sender: household.first.id)
            waiting.append((household.space.id, run))
            operationsCount += run.batches.count * batchOperationsCount
            guard operationsCount >= MergeMeasure.commitOperationsMin else { continue }
            try await commit(waiting, replica)
            (waiting, operationsCount) = ([], 0)
        }
        try await commit(waiting, replica)
    }

    private func commit(_ runs: [(SpaceID, Run)], _ replica: Replica) async throws {
        guard !runs.isEmpty else { return }
        let outcome = try await replica.merge(
            runs, wallMilliseconds: BenchReplica.wallMilliseconds)
        if let fault = outcome.faults.values.first { throw fault }
    }
}

/// Why nothing is reported.
enum BenchFault: Error {
    /// The generated stream is not the workload.
    case wrongStream
    /// The table does not hold what the workload leads to.
    case wrongState(FinalState)
    case usage(String)
    case sqlite(String)
}
