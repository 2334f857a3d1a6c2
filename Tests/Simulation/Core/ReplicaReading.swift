internal import Records
internal import Replica

// The queries of the checks, which use only what every plugin may read.
extension Replica {
    /// Returns the notes of every space from the tables.
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

    /// Returns the rows of the view over the notes, without order.
    func openNotes() async throws -> Set<Row> {
        Set(try await read("SELECT * FROM simulated_open_notes", allowedTables: nil))
    }

    /// Returns the held batches, with their persons and due times.
    func held() async throws -> [Row] {
        try await read(
            """
            SELECT s.id AS id, b.hash AS hash, l.device AS device, b.stamp AS stamp FROM held h
            JOIN waggle_batch b ON b.batch = h.batch JOIN waggle_log l ON l.log = b.log
            JOIN waggle_space s ON s.space = b.space
            """, allowedTables: nil)
    }

    /// Returns the recorded acknowledgements: how much of this replica's own logs each device
    /// holds.
    func acknowledgements() async throws -> [Row] {
        try await read(
            """
            SELECT s.id AS id, a.device AS device, a.number AS number FROM waggle_acknowledged a
            JOIN waggle_log l ON l.log = a.log JOIN waggle_space s ON s.space = a.space
            WHERE l.device = ?
            """, [.bytes(device.bytes)], allowedTables: nil)
    }

    /// Returns all batches of a space, as they would be sent to another device.
    /// - Parameter person: returns the person of a device.
    nonisolated func batches(
        in space: SpaceID, person: (DeviceID) -> PersonID?, _ proven: ProvenRuns
    ) async throws -> [ReferenceModel.Batch] {
        var batches: [ReferenceModel.Batch] = []
        for head in await heads(in: space).sorted(by: { ($0.low, $0.log) < ($1.low, $1.log) }) {
            var (last, hash) = (head.low - 1, BatchHash?.none)
            while let run = try await runs(
                in: space, log: head.log, after: last, bytesMax: 65_536)
            {
                // A side of a fork continues one of the batches before it.
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
    /// Checks the chain after each of several batches until the signature matches.
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
    /// Creates a batch of the model.
    /// - Parameter log: the log that contains the batch, which decides about its author's
    ///   membership.
    init(_ batch: CheckedBatch, of log: LogName, person: PersonID) {
        self.init(
            log: log, person: person, number: batch.header.number,
            stamp: batch.header.stamp, hash: batch.hash, operations: batch.body?.operations ?? [])
    }
}

extension Row {
    /// Returns a space's id, or nil.
    func space(_ column: String) -> SpaceID? { bytes(column).flatMap { SpaceID(bytes: $0) } }

    /// Returns a batch's hash, or nil.
    func hash(_ column: String) -> BatchHash? { bytes(column).flatMap { BatchHash(bytes: $0) } }
}
