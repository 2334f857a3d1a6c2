import GRDB
import Identity
import Records
import Testing

@testable import Replica

/// The limit of one person's operations on entities that are not known yet.
struct WaitingLimitTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    /// Creates the note that the mate's batches write.
    private let mine: Author
    private let note: EntityID

    init() throws {
        me = try Someone(seed: 411)
        mate = try Someone(seed: 412)
        pair = .between(me.person, mate.person)
        var mine = Author(me.key, in: pair)
        let note = mine.create(1)
        try mine.write([note.operation], at: now)
        (self.mine, self.note) = (mine, note.entity)
    }

    private func replica(_ home: Home? = nil) async throws -> Replica {
        try await (try home ?? homes.make()).replica(
            of: me.key, knowing: [me, mate], in: [pair])
    }

    /// Writes a batch with so many operations on a note.
    private func write(
        _ count: Int, on entity: EntityID, at time: Timestamp = now, by author: inout Author
    ) throws {
        let text = Value.text("\(author.batches.count + 1)")
        try author.write(
            [Operation](repeating: .set(entity, "last_any", text), count: count),
            at: time + .milliseconds(author.batches.count))
    }

    /// Returns a log of full batches that write the note, of at least so many operations.
    private func waiting(_ count: Int) throws -> Author {
        var theirs = Author(mate.key, in: pair)
        for _ in 0..<(count + Limits.batchOperationsMax - 1) / Limits.batchOperationsMax {
            try write(Limits.batchOperationsMax, on: note, by: &theirs)
        }
        return theirs
    }

    /// Returns each batch in a run of its own.
    private func runs(_ author: Author) -> [(SpaceID, Run)] {
        author.batches.indices.map { (pair.id, author.run($0..<$0 + 1)) }
    }

    @Test func `at the limit, a run whose operations would wait is refused until the entity comes`()
        async throws
    {
        let replica = try await replica()
        let theirs = try waiting(Limits.waitingOperationsMax + 1)
        let runs = runs(theirs)
        let last = runs.count - 1
        let outcome = try await replica.merge(runs, wallTime: now)
        #expect(outcome.faults == [last: .tooManyWaiting(mate.device)])
        #expect(outcome.heads[last] == nil)
        #expect(try await replica.summary(pair)?.waiting == Limits.waitingOperationsMax)
        // It is refused in a later merge too.
        let again = try await replica.merge([runs[last]], wallTime: now)
        #expect(again.faults == [0: .tooManyWaiting(mate.device)])

        let later = try await replica.merge([(pair.id, mine.run), runs[last]], wallTime: now)
        #expect(later.faults.isEmpty)
        #expect(try await replica.summary(pair)?.waiting == 0)
        #expect(try await replica.note(note)?["last_any"] == .text("\(last + 1)"))
    }

    @Test func `one operation below the limit, a run is stored whole`() async throws {
        let replica = try await replica()
        var theirs = try waiting(Limits.waitingOperationsMax - Limits.batchOperationsMax)
        try write(Limits.batchOperationsMax - 1, on: note, by: &theirs)
        try write(2, on: note, by: &theirs)
        try write(1, on: note, by: &theirs)
        let outcome = try await replica.merge(runs(theirs), wallTime: now)
        #expect(outcome.faults == [theirs.batches.count - 1: .tooManyWaiting(mate.device)])
        #expect(try await replica.summary(pair)?.waiting == Limits.waitingOperationsMax + 1)
    }

    @Test func `a restart forgets nothing of what waits`() async throws {
        let home = try homes.make()
        var theirs = try waiting(Limits.waitingOperationsMax)
        do {
            let replica = try await replica(home)
            _ = try await replica.merge(runs(theirs), wallTime: now)
            try await replica.close()
        }
        let replica = try home.replica(me.key)
        let count = theirs.batches.count
        try write(1, on: note, by: &theirs)
        let last = theirs.run(count..<count + 1)
        let outcome = try await replica.merge([(pair.id, last)], wallTime: now)
        #expect(outcome.faults == [0: .tooManyWaiting(mate.device)])
    }

    @Test func `a person at the limit goes on writing what does not wait`() async throws {
        let replica = try await replica()
        var theirs = try waiting(Limits.waitingOperationsMax)
        let own = theirs.create(9)
        try theirs.write(
            [own.operation, .set(own.entity, "title", .text("mine"))],
            at: now + .milliseconds(theirs.batches.count))
        try write(3, on: own.entity, by: &theirs)
        let outcome = try await replica.merge(runs(theirs), wallTime: now)
        #expect(outcome.faults.isEmpty)
        #expect(try await replica.note(own.entity)?["title"] == .text("mine"))
    }

    @Test func `operations on entities that begin in the same merge do not wait`() async throws {
        let replica = try await replica()
        let theirs = try waiting(2 * Limits.waitingOperationsMax)
        let outcome = try await replica.merge(
            [(pair.id, mine.run)] + runs(theirs), wallTime: now)
        #expect(outcome.faults.isEmpty)
        #expect(try await replica.summary(pair)?.waiting == 0)
    }

    @Test func `a beginning without effect makes no room`() async throws {
        let replica = try await replica()
        var theirs = Author(mate.key, in: pair)
        // The note's id is bound to another device.
        let forged = Operation(
            collection: RecordCollection.note.id, entity: note,
            action: .create(nonce: Bytes16([UInt8](repeating: 1, count: 16)) ?? .zero))
        try theirs.write([forged], at: now)
        for _ in 0..<6 { try write(Limits.batchOperationsMax, on: note, by: &theirs) }
        let outcome = try await replica.merge(runs(theirs), wallTime: now)
        #expect(outcome.faults.values.contains(.tooManyWaiting(mate.device)))
        #expect(try await replica.summary(pair)?.waiting == Limits.waitingOperationsMax)
    }

    @Test func `bodies that come later pass the limit no more than others`() async throws {
        let replica = try await replica()
        let theirs = try waiting(Limits.waitingOperationsMax + 2 * Limits.batchOperationsMax)
        let bare = theirs.run(0..<theirs.batches.count) { _ in true }
        _ = try await replica.merge([(pair.id, bare)], wallTime: now)
        _ = try await replica.merge([(pair.id, theirs.run)], wallTime: now)
        #expect(try await replica.summary(pair)?.waiting == Limits.waitingOperationsMax)
        #expect(try await replica.summary(pair)?.missing == 2)
        _ = try await replica.merge([(pair.id, mine.run)], wallTime: now)
        _ = try await replica.merge([(pair.id, theirs.run)], wallTime: now)
        #expect(try await replica.summary(pair)?.missing == 0)
    }

    @Test(arguments: [0, 1])
    func `a batch dated ahead has few operations on unknown entities`(over: Int) async throws {
        let replica = try await replica()
        var theirs = Author(mate.key, in: pair)
        try write(
            Limits.heldWaitingOperationsMax + over, on: note, at: now + Limits.stampAheadMax * 2,
            by: &theirs)
        let outcome = try await replica.merge(runs(theirs), wallTime: now)
        #expect(outcome.faults == (over == 0 ? [:] : [0: .tooFarAhead(mate.device)]))
        #expect(try await replica.summary(pair)?.held == 1 - over)
    }

    // MARK: Portions

    @Test func `what waited for one entity is read in portions`() async throws {
        let replica = try await replica()
        var theirs = Author(mate.key, in: pair)
        for _ in 0..<3 { try write(3, on: note, by: &theirs) }
        try await replica.merge([theirs])
        let number = try #require(replica.states[pair.id]?.number)
        let key = EntityCache.Key(collection: RecordCollection.note.id, entity: note)
        let portions = try await replica.pool.write { database in
            let waiting = WaitingTable(database: database, space: number)
            return try (0..<4).map { _ in try waiting.removeFirst(4, of: key) }
        }
        #expect(portions.map(\.count) == [4, 4, 1, 0])
        let all = portions.flatMap(\.self)
        #expect(all == all.sorted() && Set(all.map(\.index)) == [0, 1, 2])
    }

    @Test func `more than one portion that waited for an entity is merged with it`() async throws {
        let replica = try await replica()
        let theirs = try waiting(2 * OperationMerge.readyOperationsMax + 1)
        // One run is judged as a whole.
        #expect(try await replica.merge([theirs]).faults.isEmpty)
        let outcome = try await replica.merge([mine])
        #expect(outcome.commits.map { $0.changes.map(\.author) } == [[me.person, mate.person]])
        #expect(try await replica.summary(pair)?.waiting == 0)
        let last = theirs.batches.count
        #expect(try await replica.note(note)?["last_any"] == .text("\(last)"))
    }

    @Test func `batches of many operations make short portions of a rebuild`() throws {
        var (long, short) = (MergePortion(), MergePortion())
        let theirs = try waiting(1)
        let author = PlacedBatch.Author(log: theirs.log, person: mate.person)
        func placed(_ batch: CheckedBatch) throws -> PlacedBatch {
            PlacedBatch(
                place: BatchPlace(log: 1, number: 1), author: author, stamp: batch.header.stamp,
                hash: batch.hash, body: try #require(batch.body))
        }
        var counts = (long: 0, short: 0)
        while !long.isFull {
            long.append(try placed(theirs.batches[0]))
            counts.long += 1
        }
        while !short.isFull {
            short.append(try placed(mine.batches[0]))
            counts.short += 1
        }
        #expect(counts.short == MergePortion.batchesMax)
        // Two bytes of a body may become an operation.
        let bytes = Limits.batchOperationsMax * MemoryLayout<Records.Operation>.stride
        #expect(counts.long <= MergePortion.bytesMax / bytes + 1)
        #expect(long.removeAll().count == counts.long && !long.isFull)
    }
}
