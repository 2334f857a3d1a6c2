import GRDB
import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// The cost of an erase depends on the batch it erases, not on the size of the space.
struct EraseFloodTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let salt = Bytes16([UInt8](repeating: 5, count: 16)) ?? .zero

    init() throws {
        me = try Someone(seed: 1, deviceCount: 2)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    private func replica(_ home: Home, _ collection: RecordCollection) async throws -> Replica {
        try await home.replica(
            of: mate.key, knowing: [me, mate], in: [pair], collections: [collection])
    }

    /// Returns two notes of the first device, and an erase of the first note by the second device.
    private func notesAndErase() throws -> (notes: Author, erase: Author) {
        var (one, two) = (Author(me.devices[0], in: pair), Author(me.devices[1], in: pair))
        for (number, title) in ["gone", "kept"].enumerated() {
            let note = one.create(UInt8(number))
            try one.write(
                [note.operation, .set(note.entity, "title", .text(title))],
                at: now + .milliseconds(number), salt: salt)
        }
        try two.write([.erase(one.batches[0])], at: now + .milliseconds(1))
        return (one, two)
    }

    /// Merges two notes, changes both rows behind the replica's back, and merges an erase of the
    /// first. Rows show the written titles again only if they were merged again.
    private func titles(of collection: RecordCollection) async throws -> [String?] {
        let home = try homes.make()
        let (notes, erase) = try notesAndErase()
        let before = try await replica(home, collection)
        try await before.merge([notes])
        try await before.close()
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write { try $0.execute(sql: "UPDATE note SET title = 'as it was'") }
        try queue.close()
        let after = try await replica(home, collection)
        try await after.merge([erase])
        return try await after.read("SELECT title FROM note", allowedTables: nil)
            .map { $0.text("title") }
    }

    @Test func `erasing an erasable record merges no other record again`() async throws {
        #expect(try await titles(of: .erasableNote) == ["as it was"])
        #expect(try await titles(of: .note) == ["kept"])
    }

    @Test func `writes that an erased batch overrode count again`() async throws {
        var (one, two) = (Author(me.devices[0], in: pair), Author(me.devices[1], in: pair))
        var theirs = Author(mate.key, in: pair)
        let note = one.createOwn(me.person)
        let write = { (text: String) in
            [
                note.operation, .set(note.entity, "title", .text(text)),
                .set(note.entity, "once_any", .text(text)),
                .add(note.entity, "set_any", .text(text)),
                .count(note.entity, "sum_any", Int64(text.count)),
            ]
        }
        try one.write(write("first"), at: now + .milliseconds(5), salt: salt)
        try two.write(write("the second"), at: now + .milliseconds(3), salt: salt)
        try theirs.write([.set(note.entity, "once_any", .text("void"))], at: now + .milliseconds(4))
        try two.write([.erase(one.batches[0])], at: now + .milliseconds(6))
        let replica = try await replica(try homes.make(), .erasableNote)
        try await replica.merge([one, theirs])
        #expect(try await replica.summary(pair)?.void == 1)
        try await replica.merge([two])
        let row = try #require(try await replica.note(note.entity))
        #expect(row.text("title") == "the second")
        #expect(row.text("once_any") == "the second")
        #expect(row.integer("sum_any") == 10)
        #expect(try await replica.elements(note.entity, "set_any") == ["the second"])

        try two.write([.erase(two.batches[0])], at: now + .milliseconds(7))
        try await replica.merge([two])
        #expect(try await Dump(replica, .erasableNote).lines.isEmpty)
        // Operations that were void on the record wait for it again, as if it had never begun.
        #expect(try await replica.summary(pair)?.void == 0)
        #expect(try await replica.summary(pair)?.waiting == 1)
    }

    /// Returns batches that all write one note, the first of them short, and erases of these.
    private func writesOfOneNote(
        longCount: Int, shortCount: Int
    ) throws -> (notes: Author, erases: Author) {
        var (notes, erases) = (Author(me.devices[0], in: pair), Author(me.devices[1], in: pair))
        let note = notes.create(1)
        let count = Operation.count(note.entity, "sum_any", 1)
        try notes.write([note.operation], at: now, salt: salt)
        for number in 0..<shortCount + longCount {
            let isLong = number >= shortCount
            try notes.write(
                Array(repeating: count, count: isLong ? 200 : 1),
                at: now + .milliseconds(number + 1), salt: salt)
        }
        for batch in notes.batches[1...shortCount] {
            try erases.write(
                [.erase(batch)], at: now + .milliseconds(1000 + erases.batches.count))
        }
        return (notes, erases)
    }

    @Test func `erases of a record that many batches write are paced, and one merge reads it once`()
        async throws
    {
        let (longCount, shortCount) = (300, 40)
        let (notes, erases) = try writesOfOneNote(longCount: longCount, shortCount: shortCount)
        let replica = try await replica(try homes.make(), .erasableNote)
        try await replica.merge([notes])
        let units = longCount * (1 + 200 / RebuildWork.operationsPerUnit)
        var (done, refused) = (0, 0)
        var (stepsDone, stepsRefused) = (0, 0)
        for _ in 0..<shortCount {
            let (outcome, steps) = try await replica.steps(
                merging: [erases.run(done..<done + 1)], in: pair.id)
            if outcome.faults.isEmpty {
                done += 1
                stepsDone += steps
            } else {
                #expect(outcome.faults == [0: .tooSoon(me.devices[1].id)])
                refused += 1
                stepsRefused += steps
            }
        }
        #expect((2...RebuildDebt.unitsMax / units + 1).contains(done))
        #expect(refused == shortCount - done && stepsRefused < stepsDone / done)
        // The person's batches without an erase arrive in the meantime.
        var longer = notes
        try longer.write([longer.create(2).operation], at: now + .milliseconds(5000))
        #expect(try await replica.merge([longer]).faults.isEmpty)
        let later = now + .milliseconds(60_000)
        let rest = try await replica.steps(
            merging: (done..<shortCount).map { erases.run($0..<$0 + 1) }, in: pair.id,
            wallTime: later)
        #expect(rest.outcome.faults.isEmpty)
        #expect(rest.count < 3 * stepsDone / done)
        let other = try await self.replica(try homes.make(), .erasableNote)
        try await other.merge([erases, longer])
        #expect(try await Dump(replica, .erasableNote) == Dump(other, .erasableNote))
        #expect(await replica.digest(of: pair.id) == other.digest(of: pair.id))
    }

    @Test func `records that only erased batches write cost no pause`() async throws {
        var (notes, erases) = (Author(me.devices[0], in: pair), Author(me.devices[1], in: pair))
        for number in 0..<200 as Range<UInt8> {
            let note = notes.create(number)
            try notes.write([note.operation], at: now + .milliseconds(number), salt: salt)
            try erases.write(
                [.erase(notes.batches[Int(number)])], at: now + .milliseconds(1000 + Int(number)))
        }
        let replica = try await replica(try homes.make(), .erasableNote)
        try await replica.merge([notes])
        await replica.owe(RebuildDebt.unitsMax, by: me.person)
        for step in 0..<200 {
            let run = erases.run(step..<step + 1)
            #expect(try await replica.merge([(pair.id, run)], wallTime: now).faults.isEmpty)
        }
        #expect(try await Dump(replica, .erasableNote).lines.isEmpty)
    }

    @Test func `thousands of erases without a batch wait on the disk, and one concerns a batch`()
        async throws
    {
        let home = try homes.make()
        let (notes, _) = try notesAndErase()
        var two = Author(me.devices[1], in: pair)
        for number in 1...40 as ClosedRange<UInt64> {
            let absent = (1...100 as ClosedRange<UInt64>).map { index in
                Operation(
                    collection: .control, entity: .control,
                    action: .erase(
                        BatchName(
                            log: notes.log, number: number * 1000 + index,
                            hash: notes.batches[0].hash)))
            }
            try two.write(absent, at: now + .milliseconds(number))
        }
        try two.write([.erase(notes.batches[0])], at: now + .milliseconds(50))
        let first = try await replica(home, .erasableNote)
        try await first.merge([two])
        try await first.close()
        let second = try await replica(home, .erasableNote)
        try await second.merge([notes])
        let shown = try await second.read("SELECT title FROM note", allowedTables: nil)
        #expect(shown.map { $0.text("title") } == ["kept"])
        let kept = try await second.read("SELECT count(*) AS n FROM erasure", allowedTables: nil)
        #expect(kept.first?.integer("n") == 4001)
    }

    @Test func `an erase waits even if a fork moved it to a side`() async throws {
        let (notes, _) = try notesAndErase()
        var shared = Author(me.devices[1], in: pair)
        let other = shared.create(9)
        try shared.write([other.operation], at: now)
        var (left, right) = (shared, shared)
        try left.write([.erase(notes.batches[0])], at: now + .milliseconds(1))
        try right.write([.set(other.entity, "title", .text("another"))], at: now + .milliseconds(2))
        for order in [[left, right, notes], [right, left, notes], [left, notes, right]] {
            let replica = try await replica(try homes.make(), .erasableNote)
            for author in order { try await replica.merge([author]) }
            let run = try await replica.runs(
                in: pair.id, log: notes.log, after: 0, bytesMax: 4096)
            #expect(run?.batches.map { $0.body == nil } == [true, false])
        }
    }

    @Test func `a database without a table of erases finds them in its log`() async throws {
        let home = try homes.make()
        let (notes, erase) = try notesAndErase()
        let old = try await replica(home, .erasableNote)
        try await old.merge([erase])
        try await old.close()
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write { database in
            try database.execute(sql: "DROP TABLE erasure; DROP TABLE mention")
            try database.execute(
                sql: "DELETE FROM grdb_migrations WHERE identifier = 'what erases name'")
        }
        try queue.close()
        let replica = try await replica(home, .erasableNote)
        try await replica.merge([notes])
        #expect(try await Dump(replica, .erasableNote).lines.count == 1)
    }
}

extension RecordCollection {
    /// Every merge rule with every writer rule, in erasable records.
    static let erasableNote = RecordCollection(
        note.name, table: note.table, spaces: note.spaces, indexes: note.indexes,
        isErasable: true, fields: note.fields)
}
