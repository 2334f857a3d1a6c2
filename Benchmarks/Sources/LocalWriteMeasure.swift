import Identity
import PluginKit
import Records
import Replica

/// Measures a write of one field, signed and synced, against a plain upsert of the same value.
///
/// The two alternate in blocks, so that a slow disk affects both.
struct LocalWriteMeasure {
    let household: Household
    let directory: String
    let count: Int

    private static let blockCount = 50

    func run() async throws -> JSONValue {
        let writes = Array(Workload().writes.prefix(count))
        let replica = try await BenchReplica.open(directory, household, key: household.first)
        let records = try await begin(replica)
        let raw = try RawTable(path: directory + "/raw.db")
        for (number, record) in records.enumerated() {
            try raw.write(entity: record.bytes, field: number % 10, value: "")
        }
        var signed: [Double] = []
        var bare: [Double] = []
        for start in stride(from: 0, to: writes.count, by: Self.blockCount) {
            let block = writes[start..<min(start + Self.blockCount, writes.count)]
            for write in block {
                let began = SharedClock.nanoseconds
                _ = try await replica.author(
                    [
                        .set(
                            collection: FieldsPlugin.fields.name, entity: records[write.record],
                            fields: ["f\(write.field)": .text(write.value)])
                    ], in: household.space.id, wallTime: BenchReplica.wallTime)
                signed.append(Double(SharedClock.nanoseconds - began) / 1000)
            }
            for write in block {
                let began = SharedClock.nanoseconds
                try raw.write(
                    entity: records[write.record].bytes, field: write.field, value: write.value)
                bare.append(Double(SharedClock.nanoseconds - began) / 1000)
            }
        }
        try await replica.close()
        return [
            "signedMicroseconds": Spread(signed).json, "bareMicroseconds": Spread(bare).json,
            "ratio": .number(signed.reduce(0, +) / bare.reduce(0, +)),
        ]
    }

    /// Returns the records to write, which are created before the measurement.
    private func begin(_ replica: Replica) async throws -> [EntityID] {
        var created: [EntityID] = []
        for start in stride(from: 0, to: Workload.recordsCount, by: 1000) {
            let edits = (start..<start + 1000).map {
                Edit.create(
                    collection: FieldsPlugin.fields.name, nonce: SignedWorkload.nonce($0),
                    fields: [:])
            }
            created += try await replica.author(
                edits, in: household.space.id, wallTime: BenchReplica.wallTime
            ).created
        }
        return created
    }
}

/// The median and percentiles of numbers.
struct Spread {
    let sorted: [Double]

    init(_ numbers: [Double]) { sorted = numbers.sorted() }

    /// Returns the number that `share` per cent of the numbers do not exceed.
    func percentile(_ share: Int) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * share / 100)]
    }

    var json: JSONValue {
        [
            "p50": .number(percentile(50)), "p99": .number(percentile(99)),
            "mean": .number(sorted.reduce(0, +) / Double(max(1, sorted.count))),
        ]
    }
}
