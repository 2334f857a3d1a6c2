internal import Records
internal import Replica

// What the checks read of a replica, from outside and by what every plugin may read.
extension Replica {
    /// The notes of every space, by what the tables show.
    func notes() async throws -> [SpaceID: [EntityID: NoteRow]] {
        let collection = RecordCollection.simulatedNote
        var notes: [SpaceID: [EntityID: NoteRow]] = [:]
        let rows = try await read(
            """
            SELECT s.id AS id, l.device AS device, t.* FROM \(collection.table) t
            JOIN waggle_space s ON s.space = t.space JOIN waggle_log l ON l.log = t.log
            """, allowedTables: nil)
        for row in rows {
            guard let id = row.space("id"), let entity = row.entity("entity") else { continue }
            notes[id, default: [:]][entity] = NoteRow(row)
        }
        for field in collection.fields where field.merge == .addWinsSet {
            let elements = try await read(
                """
                SELECT s.id AS id, t.entity AS entity, t.element AS element
                FROM \(collection.table)_\(field.name) t JOIN waggle_space s ON s.space = t.space
                """, allowedTables: nil)
            for row in elements {
                guard let id = row.space("id"), let entity = row.entity("entity") else { continue }
                notes[id]?[entity]?.add(row["element"], to: field.name)
            }
        }
        return notes
    }

    /// What the view over the notes shows, in an order of its own.
    func openNotes() async throws -> Set<Row> {
        Set(try await read("SELECT * FROM simulated_open_notes", allowedTables: nil))
    }

    /// The batches that wait until they are due, with whose they are and when.
    func held() async throws -> [Row] {
        try await read(
            """
            SELECT s.id AS id, b.hash AS hash, l.device AS device, b.stamp AS stamp FROM held h
            JOIN waggle_batch b ON b.batch = h.batch JOIN waggle_log l ON l.log = b.log
            JOIN waggle_space s ON s.space = b.space
            """, allowedTables: nil)
    }

    /// How far each device is noted to hold this replica's own logs.
    func acknowledgements() async throws -> [Row] {
        try await read(
            """
            SELECT s.id AS id, a.device AS device, a.number AS number FROM waggle_acknowledged a
            JOIN waggle_log l ON l.log = a.log JOIN waggle_space s ON s.space = a.space
            WHERE l.device = ?
            """, [.bytes(device.bytes)], allowedTables: nil)
    }

    /// All batches of a space, as they would be served to another device.
    /// - Parameter person: whose a device is.
    nonisolated func batches(
        in space: SpaceID, person: (DeviceID) -> PersonID?, _ proven: ProvenRuns
    ) async throws -> [ReferenceModel.Batch] {
        var batches: [ReferenceModel.Batch] = []
        for head in await heads(in: space).sorted(by: { ($0.low, $0.log) < ($1.low, $1.log) }) {
            var (last, hash) = (head.low - 1, BatchHash?.none)
            while let run = try await runs(
                in: space, log: head.log, after: last, bytesMax: 65_536)
            {
                // A side of a fork goes on from one of the batches before it.
                let before = batches.filter {
                    $0.log.device == head.log.device && $0.number == last
                }.map(\.hash)
                let checked = try proven.check(
                    run, in: space, afterOneOf: hash.map { [$0] } ?? before + [.none])
                for batch in checked.batches where batch.header.number <= head.high {
                    (last, hash) = (batch.header.number, batch.hash)
                    guard let author = person(head.log.device) else { continue }
                    batches.append(
                        ReferenceModel.Batch(batch, of: head.log, person: author))
                }
                if last >= head.high { break }
            }
        }
        return batches
    }
}

extension ProvenRuns {
    /// Follows the chain from the one of several batches that the signature proves it goes on from.
    fileprivate func check(
        _ run: Run, in space: SpaceID, afterOneOf hashes: [BatchHash]
    ) throws(BatchFault) -> CheckedRun {
        var fault = BatchFault.signatureMismatch
        for hash in hashes {
            do throws(BatchFault) {
                return try check(run, in: space, after: hash)
            } catch {
                fault = error
            }
        }
        throw fault
    }
}

extension ReferenceModel.Batch {
    /// - Parameter log: the log the batch lies in, by which its author's place is judged.
    init(_ batch: CheckedBatch, of log: LogName, person: PersonID) {
        self.init(
            log: log, person: person, number: batch.header.number,
            stamp: batch.header.stamp, hash: batch.hash, operations: batch.body?.operations ?? [])
    }
}

extension Row {
    /// A space's id, or nil.
    func space(_ column: String) -> SpaceID? { bytes(column).flatMap { SpaceID(bytes: $0) } }

    /// A batch's hash, or nil.
    func hash(_ column: String) -> BatchHash? { bytes(column).flatMap { BatchHash(bytes: $0) } }
}
