import Identity
import Records

/// A log as its author writes it: batches that are chained, signed and divided into runs.
struct SignedLog {
    private let space: SpaceID
    private let key: DeviceKey
    private var number: UInt64 = 0
    /// The hash of the last batch.
    private(set) var lastHash = BatchHash.none
    private(set) var runs: [Run] = []

    init(of key: DeviceKey, in space: SpaceID) {
        self.key = key
        self.space = space
    }

    /// Appends batches as one run and signs the last batch.
    mutating func append(_ batches: [Run.Link]) throws {
        let log = LogName(device: key.id)
        let firstNumber = number + 1
        for batch in batches {
            number += 1
            let header = BatchHeader(
                space: space, log: log, number: number, previous: lastHash, epoch: 0,
                stamp: batch.stamp, bodyHash: batch.content.bodyHash)
            lastHash = header.hash
        }
        let signature = try key.sign(BatchHeader.signedBytes(of: lastHash))
        runs.append(
            Run(
                log: log, firstNumber: firstNumber, epoch: 0, batches: batches,
                signature: signature))
    }
}

/// The workload as signed logs: the log that creates the records, then one log per writer.
struct SignedWorkload {
    let runs: [Run]

    /// The number of batches in a run: about as many as fit a frame.
    private static let runBatchesCount = 2500

    /// Creates the logs.
    /// - Parameter count: the number of writes per batch.
    init(_ workload: Workload, batchOperationsCount count: Int, household: Household) throws {
        let space = household.space.id
        let collection = FieldsPlugin.fields.id
        let records = SignedWorkload.records(of: household)
        var beginning = SignedLog(of: household.first, in: space)
        let creations = records.enumerated().map { number, entity in
            Operation(
                collection: collection, entity: entity,
                action: .create(nonce: SignedWorkload.nonce(number)))
        }
        // There are more records than one batch may create.
        try beginning.append(
            [creations.prefix(1000), creations.dropFirst(1000)].enumerated().map { number, some in
                Run.Link(
                    stamp: Stamp(Timestamp(milliseconds: 1_600_000_000_000 + Int64(number))),
                    body: BatchBody(Array(some)))
            })
        var runs = beginning.runs
        for (actor, transactions) in workload.transactions(of: count).enumerated() {
            var log = SignedLog(of: household.writers[actor], in: space)
            for start in stride(from: 0, to: transactions.count, by: Self.runBatchesCount) {
                let some = transactions[
                    start..<min(start + Self.runBatchesCount, transactions.count)]
                try log.append(some.map { SignedWorkload.link($0, collection, records) })
            }
            runs += log.runs
        }
        self.runs = runs
    }

    /// Returns the ids of the workload's records, which the household's first device creates.
    static func records(of household: Household) -> [EntityID] {
        (0..<Workload.recordsCount).map {
            Operation.entity(
                in: household.space.id, of: FieldsPlugin.fields.id, by: household.first.id,
                nonce: nonce($0))
        }
    }

    /// Returns the nonce with which a record is created.
    static func nonce(_ record: Int) -> Bytes16 {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(0))
        bytes.append(bigEndian: UInt64(record))
        guard let nonce = Bytes16(bytes) else { preconditionFailure("a nonce has 16 bytes") }
        return nonce
    }

    private static func link(
        _ transaction: Workload.Transaction, _ collection: CollectionID, _ records: [EntityID]
    ) -> Run.Link {
        let operations = transaction.writes.map { write in
            Operation(
                collection: collection, entity: records[write.record],
                action: .set(field: UInt64(write.field + 1), .text(write.value)))
        }
        return Run.Link(
            stamp: Stamp(Timestamp(milliseconds: transaction.time)), body: BatchBody(operations))
    }
}
