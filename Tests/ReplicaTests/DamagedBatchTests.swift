import GRDB
import Records
import Replica
import Testing

/// A damaged batch is ignored until it is repaired, and prevents nothing else.
struct DamagedBatchTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let other: Someone
    private let pair: SpaceDescriptor
    private let group: SpaceDescriptor
    private let salt = Bytes16([UInt8](repeating: 5, count: 16)) ?? .zero

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        other = try Someone(seed: 3)
        pair = .between(me.person, mate.person)
        group = .group(owner: mate.person, nonce: .zero)
    }

    private func replica(
        _ home: Home, _ collections: [RecordCollection] = [.note]
    ) async throws -> Replica {
        try await home.replica(
            of: me.key, knowing: [me, mate, other], in: [pair, group], collections: collections)
    }

    /// Returns a home with the first batches of a log, each with its signature, changed on the disk
    /// by SQL statements.
    private func damaged(_ author: Author, _ count: Int, by sql: String) async throws -> Home {
        let home = try homes.make()
        let whole = try await replica(home)
        for index in 0..<count {
            let run = author.run(index..<index + 1)
            let outcome = try await whole.merge([(author.space, run)], wallTime: now)
            #expect(outcome.faults.isEmpty)
        }
        try await whole.close()
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write { database in
            try database.execute(sql: sql)
            #expect(database.changesCount == 1)
        }
        try queue.close()
        return home
    }

    /// Returns SQL that makes a batch's body unreadable.
    private func ruin(_ number: Int) -> String {
        """
        UPDATE batch SET body = CAST(x'07' || substr(body, 2) AS BLOB)
        WHERE id & 1099511627775 = \(number)
        """
    }

    /// Returns a log of twelve batches: a note and its titles.
    private func titles() throws -> Author {
        var author = Author(mate.key, in: pair)
        let note = author.create(1)
        try author.write([note.operation], at: now)
        for number in 1..<12 {
            try author.write(
                [.set(note.entity, "title", .text("\(number)"))], at: now + .milliseconds(number))
        }
        return author
    }

    /// Returns a log of two notes that ends with an erase of one.
    private func erasing() throws -> Author {
        var author = Author(mate.key, in: pair)
        let gone = try author.write([author.create(1).operation], at: now, salt: salt)
        try author.write([author.create(2).operation], at: now + .milliseconds(1))
        try author.write([.erase(gone)], at: now + .milliseconds(2))
        return author
    }

    private func ranges(
        _ replica: Replica, _ space: SpaceDescriptor
    ) async throws -> [ClosedRange<UInt64>] {
        try await replica.damagedBatches(in: space.id).map(\.numbers)
    }

    // MARK: Control operations

    @Test func `a store with an unreadable erase opens, reports it and repairs it`()
        async throws
    {
        let author = try erasing()
        let home = try await damaged(author, 3, by: ruin(3))
        let bad = try await replica(home)
        #expect(await bad.damagedSpaces() == [pair.id])
        #expect(try await ranges(bad, pair) == [3...3])
        let exported = try ReplicaReader.reading(home.file(), collections: [.note]) { reader in
            try reader.spaces().map(\.descriptor.id)
        }
        #expect(Set(exported) == [pair.id, group.id])
        try await bad.rebuild(pair.id)

        #expect(
            try await bad.mend(author.run(2..<3), in: pair.id, wallTime: now) == [3])
        try await bad.rebuild(pair.id)
        #expect(await bad.damagedSpaces().isEmpty)
        let good = try await replica(try homes.make())
        try await good.merge([author])
        #expect(try await Dump(bad) == Dump(good))
        #expect(try await bad.reachesBeforeMissing(in: pair.id).isEmpty)
    }

    @Test func `a store with a missing control batch opens`() async throws {
        let author = try erasing()
        let home = try await damaged(
            author, 3, by: "DELETE FROM batch WHERE id & 1099511627775 = 3")
        let bad = try await replica(home)
        #expect(await bad.damagedSpaces() == [pair.id])
        #expect(try await bad.merge([author]).faults.isEmpty)
        #expect(await bad.heads(in: pair.id).map(\.high) == [3])
        #expect(try await ranges(bad, pair).isEmpty)
        #expect(await bad.damagedSpaces().isEmpty)
    }

    @Test func `a repair cuts off an unreadable erase`() async throws {
        let bad = try await replica(try await damaged(try erasing(), 3, by: ruin(3)))
        let report = try await bad.repair(pair.id)
        #expect(report.damaged.map(\.numbers) == [3...3])
        #expect(await bad.heads(in: pair.id).map(\.high) == [2])
        #expect(await bad.damagedSpaces().isEmpty)
    }

    @Test func `a person who is an owner only by damage is not one after the repair`()
        async throws
    {
        var author = Author(mate.key, in: group)
        try author.write([Operation(control: .grant(other.person, .reader))], at: now)
        try author.write(
            [Operation(control: .grant(me.person, .reader))], at: now + .milliseconds(1))
        let home = try await damaged(
            author, 2,
            by: """
                UPDATE batch SET body = CAST(
                    substr(body, 1, length(body) - 1) || x'0\(Role.owner.rawValue)' AS BLOB)
                WHERE id & 1099511627775 = 1
                """)
        let bad = try await replica(home)
        let role = { await bad.members(in: group.id).first { $0.person == other.person }?.role }
        #expect(await role() == .owner)
        try await bad.mend(author.run(0..<1), in: group.id, wallTime: now)
        #expect(await role() == .reader)
    }

    // MARK: Merging again

    @Test func `an erase that forces a full merge ignores unreadable batches`() async throws {
        var author = Author(mate.key, in: pair)
        let note = author.create(1)
        try author.write([note.operation], at: now)
        try author.write([.set(note.entity, "title", .text("x"))], at: now + .milliseconds(1))
        let gone = try author.write(
            [.set(note.entity, "done", .boolean(true))], at: now + .milliseconds(2), salt: salt)
        try author.write([.erase(gone)], at: now + .milliseconds(3))
        let bad = try await replica(try await damaged(author, 3, by: ruin(2)))
        let outcome = try await bad.merge(
            [(pair.id, author.run(3..<4))], wallTime: now)
        #expect(outcome.faults.isEmpty && outcome.stored.count == 1)
        #expect(await bad.damagedSpaces() == [pair.id])
        try await bad.mend(author.run(1..<2), in: pair.id, wallTime: now)
        try await bad.rebuild(pair.id)
        #expect(await bad.damagedSpaces().isEmpty)
        #expect(try await bad.note(note.entity)?["title"] == .text("x"))
    }

    @Test func `a changed declaration merges the collection again without the unreadable batch`()
        async throws
    {
        let author = try titles()
        let home = try await damaged(author, 10, by: ruin(5))
        let changed = RecordCollection(
            RecordCollection.note.name, table: "note", spaces: [.pair],
            fields: RecordCollection.note.fields)
        let bad = try await replica(home, [changed])
        #expect(await bad.damagedSpaces() == [pair.id])
        let entity = author.create(1).entity
        #expect(try await bad.note(entity)?["title"] == .text("9"))
    }

    // MARK: The end of a log

    @Test func `a run that continues past the damaged end repairs it, and the rest is merged`()
        async throws
    {
        let author = try titles()
        let bad = try await replica(try await damaged(author, 10, by: ruin(10)))
        let run = author.run(8..<12)
        #expect(try await bad.mend(run, in: pair.id, wallTime: now) == [10])
        #expect(try await bad.merge([(pair.id, run)], wallTime: now).faults.isEmpty)
        try await bad.rebuild(pair.id)
        let good = try await replica(try homes.make())
        try await good.merge([author])
        #expect(try await Dump(bad) == Dump(good))
        #expect(await bad.digest(of: pair.id) == good.digest(of: pair.id))
        #expect(await bad.spaces().allSatisfy(\.forkedDevices.isEmpty))
        #expect(try await ranges(bad, pair).isEmpty)
    }

    @Test func `a repaired end keeps its signature, so that it can be passed on at once`()
        async throws
    {
        let author = try titles()
        let bad = try await replica(try await damaged(author, 10, by: ruin(10)))
        try await bad.mend(author.run(8..<12), in: pair.id, wallTime: now)
        let run = try await bad.runs(
            in: pair.id, log: author.log, after: 9, bytesMax: 4096)
        #expect(run?.lastNumber == 10)
    }

    @Test func `a damaged hash at a log's end does not make the next batch look like a fork`()
        async throws
    {
        let author = try titles()
        let home = try await damaged(
            author, 10,
            by: "UPDATE batch SET hash = zeroblob(32) WHERE id & 1099511627775 = 10")
        let bad = try await replica(home)
        #expect(await bad.damagedSpaces() == [pair.id])
        let outcome = try await bad.merge(
            [(pair.id, author.run(9..<12))], wallTime: now)
        #expect(outcome.faults.isEmpty)
        #expect(await bad.spaces().allSatisfy(\.forkedDevices.isEmpty))
        #expect(await bad.heads(in: pair.id).map(\.high) == [12])
        #expect(try await ranges(bad, pair) == [10...10])
        try await bad.mend(author.run(9..<10), in: pair.id, wallTime: now)
        #expect(try await ranges(bad, pair).isEmpty)
    }

    // MARK: Runs beside damage

    @Test(arguments: [
        "DELETE FROM batch WHERE id & 1099511627775 = 5",
        "UPDATE batch SET hash = zeroblob(32) WHERE id & 1099511627775 = 5",
    ])
    func `a run that meets damage is refused alone, and the damage is mended`(
        sql: String
    ) async throws {
        let author = try titles()
        let home = try await damaged(author, 10, by: sql)
        let bad = try await replica(home)
        var other = Author(mate.key, in: group)
        try other.write([Operation(control: .grant(me.person, .reader))], at: now)
        // Over the damaged batch, and right after it.
        for start in [3, 5] {
            let bad = try await replica(try home.copy())
            let outcome = try await bad.merge(
                [(pair.id, author.run(start..<12)), (group.id, other.run)], wallTime: now)
            guard case .gap = outcome.faults[0] else {
                Issue.record("\(outcome.faults)")
                continue
            }
            #expect(outcome.faults.count == 1)
            #expect(outcome.stored.map(\.space) == [group.id])
            #expect(await bad.damagedSpaces() == [pair.id])
            #expect(await bad.spaces().allSatisfy(\.forkedDevices.isEmpty))
        }
        let found = try await ranges(bad, pair)
        #expect(found.first == 5...5)
        for range in found {
            let run = author.run(Int(range.lowerBound) - 1..<Int(range.upperBound))
            try await bad.mend(run, in: pair.id, wallTime: now)
        }
        try await bad.rebuild(pair.id)
        #expect(try await bad.merge([author]).faults.isEmpty)
        #expect(try await ranges(bad, pair).isEmpty)
        let good = try await replica(try homes.make())
        try await good.merge([author])
        #expect(try await Dump(bad) == Dump(good))
    }

    @Test func `a run is sent up to a missing batch, and none from there`() async throws {
        let author = try titles()
        let home = try await damaged(
            author, 10, by: "DELETE FROM batch WHERE id & 1099511627775 = 5")
        let bad = try await replica(home)
        let first = try await bad.runs(
            in: pair.id, log: author.log, after: 0, bytesMax: Limits.frameBytesMax)
        #expect(first == author.run(0..<4))
        await #expect(throws: ReplicaFault.self) {
            try await bad.runs(
                in: pair.id, log: author.log, after: 4, bytesMax: Limits.frameBytesMax)
        }
        let rest = try await bad.runs(
            in: pair.id, log: author.log, after: 5, bytesMax: Limits.frameBytesMax)
        #expect(rest == author.run(5..<10))
    }

    // MARK: Columns beside the body

    @Test(arguments: ["hash = x'0102'", "hash = ''", "stamp = -1", "stamp = 1 << 62"], [5, 10])
    func `a store with an invalid hash or stamp opens, reports it and repairs it`(
        change: String, number: Int
    ) async throws {
        let author = try titles()
        let home = try await damaged(
            author, 10, by: "UPDATE batch SET \(change) WHERE id & 1099511627775 = \(number)")
        let bad = try await replica(home)
        // A start checks only the end of a log.
        #expect(await bad.damagedSpaces() == (number == 10 ? [pair.id] : []))
        #expect(try await ranges(bad, pair) == [UInt64(number)...UInt64(number)])
        try await bad.rebuild(pair.id)
        let run = author.run(number - 1..<number)
        #expect(
            try await bad.mend(run, in: pair.id, wallTime: now) == [UInt64(number)])
        try await bad.rebuild(pair.id)
        #expect(try await bad.merge([author]).faults.isEmpty)
        #expect(try await ranges(bad, pair).isEmpty)
        let good = try await replica(try homes.make())
        try await good.merge([author])
        #expect(try await Dump(bad) == Dump(good))
        #expect(await bad.spaces().allSatisfy(\.forkedDevices.isEmpty))
    }

    @Test func `a damaged stamp at a log's end does not move the clock`() async throws {
        let author = try titles()
        let home = try await damaged(
            author, 10, by: "UPDATE batch SET stamp = 1 << 62 WHERE id & 1099511627775 = 10")
        let commit = try await replica(home).author(
            [.own(collection: "test.note/1", fields: ["title": .text("mine")])], in: pair.id,
            wallTime: now)
        #expect(commit.stamp < Stamp(now + .milliseconds(1000)))
    }

    @Test func `a held batch with a damaged due time is not held for ever`() async throws {
        let day = Duration.seconds(24 * 60 * 60)
        var author = Author(mate.key, in: pair)
        let note = author.create(1)
        try author.write([note.operation], at: now + day + .milliseconds(1))
        let home = try await damaged(author, 1, by: "UPDATE held SET stamp = -1")
        let bad = try await replica(home)
        #expect(try await bad.releaseDue(wallTime: now).count == 1)
        #expect(try await bad.summary(pair)?.held == 0)
    }

    // MARK: Erasing own batches

    /// Returns a home in which I wrote a memo twice, with one of the two batches ruined on the
    /// disk, and the run of both.
    private func memo(ruining number: Int) async throws -> (Home, EntityID, Run) {
        let home = try homes.make()
        let whole = try await replica(home, [.memo])
        let name = RecordCollection.memo.name
        let created = try await whole.author(
            [.create(collection: name, nonce: salt, fields: ["text": .text("first")])],
            in: pair.id, wallTime: now
        ).created
        let memo = try #require(created.first)
        _ = try await whole.author(
            [.set(collection: name, entity: memo, fields: ["text": .text("second")])],
            in: pair.id, wallTime: now)
        let run = try #require(
            try await whole.runs(
                in: pair.id, log: LogName(device: me.device), after: 0, bytesMax: 4096))
        try await whole.close()
        let queue = try DatabaseQueue(path: home.file())
        let damage = ruin(number)
        try await queue.write { try $0.execute(sql: damage) }
        try queue.close()
        return (home, memo, run)
    }

    @Test func `a damaged own batch is erased with the others once it is repaired`()
        async throws
    {
        let (home, _, sound) = try await memo(ruining: 1)
        let bad = try await replica(home, [.memo])
        let heads = await bad.heads(in: pair.id).map(\.head)
        #expect(
            try await bad.eraseOwn(in: pair.id, through: heads, wallTime: now).count == 1)
        try await bad.mend(sound, in: pair.id, wallTime: now)
        try await bad.rebuild(pair.id)
        let run = try await bad.runs(in: pair.id, log: sound.log, after: 0, bytesMax: 4096)
        #expect(run?.batches.map { $0.body == nil } == [true, true, false])
        #expect(try await Dump(bad, .memo).lines.isEmpty)
        #expect(try await ranges(bad, pair).isEmpty)
    }

    @Test func `a record with a damaged batch can be erased`() async throws {
        let (home, memo, _) = try await memo(ruining: 2)
        let bad = try await replica(home, [.memo])
        _ = try await bad.author(
            [.erase(collection: RecordCollection.memo.name, entity: memo)], in: pair.id,
            wallTime: now)
        #expect(try await Dump(bad, .memo).lines.isEmpty)
        #expect(try await ranges(bad, pair) == [2...2])
    }
}
