import GRDB
import Identity
import Records
import Testing

@testable import Replica

/// Batches dated more than 24 h ahead.
struct HeldTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let day = Duration.seconds(24 * 60 * 60)

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    private func future(_ ahead: Duration) throws -> (note: EntityID, author: Author) {
        var author = Author(mate.key, in: pair)
        let note = author.create(1)
        try author.write(
            [note.operation, .set(note.entity, "title", .text("later"))], at: now + ahead)
        return (note.entity, author)
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
    }

    @Test func `a batch 24 h ahead counts at once and moves the clock`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let (note, author) = try future(day)
        #expect(try await replica.merge([author]).commits.count == 1)
        #expect(try await replica.summary(pair)?.held == 0)
        #expect(try await replica.note(note)?["title"] == .text("later"))
        let commit = try await replica.author(
            [.own(collection: "test.note/1", fields: [:])], in: pair.id, wallTime: now)
        #expect(commit.stamp == Stamp(now + day).next)
    }

    @Test func `one a millisecond later is held and served, and does not move the clock`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        let (note, author) = try future(day + .milliseconds(1))
        let outcome = try await replica.merge([author])
        #expect(outcome.commits.isEmpty)
        #expect(outcome.stored.map(\.numbers) == [1...1])
        let summary = try await replica.summary(pair)
        #expect(summary?.held == 1)
        #expect(summary?.batches == 1)
        #expect(try await replica.note(note) == nil)
        let served = try await replica.runs(
            in: pair.id, log: author.log, after: 0, bytesMax: 4096)
        #expect(served == author.run)
        let commit = try await replica.author(
            [.own(collection: "test.note/1", fields: [:])], in: pair.id, wallTime: now)
        #expect(commit.stamp == Stamp(now))
    }

    @Test func `the owner of a replica sees when the next held batch is due, also after a restart`()
        async throws
    {
        let home = try homes.make()
        let due = now + .milliseconds(5)
        do {
            let replica = try await replica(home)
            #expect(replica.upkeep.nextDue == nil)
            try await replica.merge([try future(day + .milliseconds(9)).author])
            #expect(replica.upkeep.nextDue == due + .milliseconds(4))
        }
        let replica = try home.replica(me.key)
        #expect(replica.upkeep.nextDue == due + .milliseconds(4))
        #expect(try await replica.releaseDue(wallTime: now + .milliseconds(9)).count == 1)
        #expect(replica.upkeep.nextDue == nil)
    }

    @Test func `a held batch counts when it is due, also after a restart`() async throws {
        let home = try homes.make()
        let (note, author) = try future(day + .milliseconds(5))
        do {
            let replica = try await replica(home)
            try await replica.merge([author])
        }
        let replica = try home.replica(me.key)
        #expect(try await replica.releaseDue(wallTime: now + .milliseconds(4)).isEmpty)
        #expect(try await replica.note(note) == nil)
        let commits = try await replica.releaseDue(wallTime: now + .milliseconds(5))
        #expect(commits.map(\.hash) == author.batches.map(\.hash))
        #expect(try await replica.note(note)?["title"] == .text("later"))
        #expect(try await replica.summary(pair)?.held == 0)
        #expect(try await replica.releaseDue(wallTime: now + .milliseconds(5)).isEmpty)
    }

    @Test func `a replica that held a batch equals one that received it when it was due`()
        async throws
    {
        let two = [try homes.make(), try homes.make()]
        let held = try await replica(two[0])
        let direct = try await replica(two[1])
        var mine = Author(me.key, in: pair)
        let (note, theirs) = try future(day + .milliseconds(9))
        try mine.write([.count(note, "sum_any", 3)], at: now)
        try await held.merge([theirs, mine])
        _ = try await held.releaseDue(wallTime: now + .milliseconds(9))
        try await direct.merge([mine, theirs], at: now + .milliseconds(9))
        #expect(try await Dump(held) == Dump(direct))
        #expect(await held.spaces() == direct.spaces())
    }

    @Test func `a rebuild leaves held batches out`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let (note, author) = try future(day + .milliseconds(1))
        try await replica.merge([author])
        try await replica.rebuild(pair.id)
        #expect(try await replica.note(note) == nil)
        #expect(try await replica.summary(pair)?.held == 1)
    }

    @Test func `a backup keeps held batches, which count when they are due`() async throws {
        let (home, other) = (try homes.make(), try homes.make())
        let replica = try await replica(home)
        let (note, author) = try future(day + .milliseconds(5))
        try await replica.merge([author])
        let identity = BackupFile.Identity(
            key: me.key.rawRepresentation, person: me.record.encoded)
        // A backup contains the person's own space.
        try await replica.open(.own(me.person))
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(replica: home.file(), identity)
        try backup.unpack(to: other.file())
        let restored = try other.replica(me.key)
        #expect(try await restored.summary(pair)?.held == 1)
        #expect(try await restored.note(note) == nil)
        #expect(try await restored.releaseDue(wallTime: now + .milliseconds(5)).count == 1)
        #expect(try await restored.note(note)?["title"] == .text("later"))
    }

    @Test func `an export leaves held batches out until they are due`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        try await replica.merge([try future(day + .milliseconds(5)).author])
        func titles() throws -> [Value?] {
            try ReplicaReader.reading(home.file(), collections: [.note]) { reader in
                var titles: [Value?] = []
                for space in try reader.spaces() {
                    try reader.records(of: .note, in: space) { titles.append($0.fields["title"]) }
                }
                return titles
            }
        }
        #expect(try titles().isEmpty)
        _ = try await replica.releaseDue(wallTime: now + .milliseconds(5))
        #expect(try titles() == [.text("later")])
    }

    // MARK: Floods

    /// Returns a log of batches that are dated two days and more ahead.
    private func ahead(_ count: Int) throws -> Author {
        var author = Author(mate.key, in: pair)
        for number in 0..<count {
            try author.write(
                [author.create(1).operation], at: now + day * 2 + .milliseconds(number))
        }
        return author
    }

    @Test func `one run is stored whole, however many of its batches are held`() async throws {
        let replica = try await replica(try homes.make())
        let count = Limits.heldBatchesMax + 1
        let author = try ahead(count + 1)
        let first = try await replica.merge([(pair.id, author.run(0..<count))], wallTime: now)
        #expect(first.faults.isEmpty)
        #expect(try await replica.summary(pair)?.held == count)
        var mine = Author(me.key, in: pair)
        try mine.write([mine.create(1).operation], at: now)
        let next = try await replica.merge(
            [(pair.id, author.run(count..<count + 1)), (pair.id, mine.run)], wallTime: now)
        #expect(next.faults == [0: .tooFarAhead(mate.device)])
        #expect(next.commits.count == 1)
    }

    @Test func `a device at the limit of held batches may add more only after some are due`()
        async throws
    {
        let replica = try await replica(try homes.make())
        let author = try ahead(Limits.heldBatchesMax + 1)
        _ = try await replica.merge(
            [(pair.id, author.run(0..<Limits.heldBatchesMax))], wallTime: now)
        #expect(try await replica.summary(pair)?.held == Limits.heldBatchesMax)
        let last = author.run(Limits.heldBatchesMax..<Limits.heldBatchesMax + 1)
        let refused = try await replica.merge([(pair.id, last)], wallTime: now)
        #expect(refused.faults == [0: .tooFarAhead(mate.device)])
        let later = try await replica.merge([(pair.id, last)], wallTime: now + day)
        #expect(later.faults.isEmpty)
        #expect(try await replica.summary(pair)?.held == Limits.heldBatchesMax)
    }

    /// Returns the number of steps of SQLite's machine that the next start needs to read a space
    /// with the given number of held batches. An older version held any number of batches.
    /// - Parameter work: what is done with the file besides a start.
    private func steps(
        _ count: Int, _ work: @Sendable (Database) throws -> Void = { _ in }
    ) async throws -> Int {
        let home = try homes.make()
        let replica = try await replica(home)
        try await replica.merge([try ahead(count)], at: now + day * 3)
        try await replica.close()
        let queue = try DatabaseQueue(path: home.file())
        return try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO held SELECT log.space, stamp, id FROM batch
                    JOIN log ON log.number = batch.id >> 40
                    """)
            var held: [Int] = []
            let steps = try VirtualMachineSteps.count(in: database) {
                held = try StateLoader(database: database).spaces().map(\.heldCount)
                try work(database)
            }
            #expect(held == [count])
            return steps
        }
    }

    @Test func `a start takes time in proportion to the batches that are held`() async throws {
        let (few, many) = (try await steps(500), try await steps(2000))
        #expect(many < 5 * few)
    }

    @Test func `the check of a backup takes time in proportion to the batches that are held`()
        async throws
    {
        let check: @Sendable (Database) throws -> Void = {
            try BackupCheck(path: "backup").checkLogs($0)
        }
        let (few, many) = (try await steps(500, check), try await steps(2000, check))
        #expect(many < 5 * few)
    }
}
