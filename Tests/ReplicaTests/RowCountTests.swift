import GRDB
import Identity
import Records
import Testing

@testable import Replica

/// The rows of operations that broke a rule or wait, and of batches that lack their body: they are
/// counted with the log of their batch.
struct RowCountTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let mine: Author
    private let note: EntityID

    init() throws {
        me = try Someone(seed: 421)
        mate = try Someone(seed: 422, deviceCount: 2)
        pair = .between(me.person, mate.person)
        var mine = Author(me.key, in: pair)
        let note = mine.create(1)
        try mine.write([note.operation], at: now)
        (self.mine, self.note) = (mine, note.entity)
    }

    /// The tables that a mate can fill.
    enum Table: String, CaseIterable {
        case void, waiting, erasure
        case missing = "missing_body"
    }

    private func replica(
        _ quota: StorageQuota = StorageQuota(), at home: Home? = nil
    ) async throws -> Replica {
        try await (try home ?? homes.make()).replica(
            of: me.key, knowing: [me, mate], in: [pair], quota: quota)
    }

    /// Returns the mate's operations that break a rule once the note is known.
    private func forbidden(_ count: Int) -> [Records.Operation] {
        [Records.Operation](repeating: .set(note, "title", .text("no")), count: count)
    }

    /// Returns runs that make so many rows in a table.
    private func runs(filling table: Table, _ count: Int) throws -> [Run] {
        var theirs = Author(mate.key, in: pair)
        switch table {
        case .void:
            try theirs.write(forbidden(count), at: now)
            return [mine.run, theirs.run]
        case .waiting:
            try theirs.write(forbidden(count), at: now)
            return [theirs.run]
        case .erasure:
            let lost = try theirs.write([theirs.create(3).operation], at: now)
            let names = (0..<count).map { number in
                Operation(
                    control: .erase(
                        BatchName(
                            log: lost.header.log, number: UInt64(number + 1), hash: lost.hash)))
            }
            var eraser = Author(mate.devices[1], in: pair)
            try eraser.write(names, at: now)
            return [eraser.run]
        case .missing:
            for number in 0..<count {
                try theirs.write([theirs.create(3).operation], at: now + .milliseconds(number))
            }
            return [theirs.run(0..<count) { _ in true }]
        }
    }

    /// Returns the number of steps of SQLite's machine in which a start reads the spaces.
    private func startSteps(filling table: Table, _ count: Int) async throws -> Int {
        let home = try homes.make()
        let replica = try await replica(at: home)
        let outcome = try await replica.merge(
            try runs(filling: table, count).map { (pair.id, $0) }, wallTime: now)
        #expect(outcome.faults.isEmpty)
        try await expectCounted(replica)
        try await replica.close()
        return try await DatabaseQueue(path: home.file()).write { database in
            let rows = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.rawValue)")
            #expect(rows == count)
            return try VirtualMachineSteps.count(in: database) {
                _ = try StateLoader(database: database).spaces()
            }
        }
    }

    @Test(arguments: Table.allCases)
    func `a start does not count rows that a mate can make`(table: Table) async throws {
        // A start reads the batches since the last count of their bytes: of a multiple of it, none.
        let few = try await startSteps(filling: table, 64)
        let many = try await startSteps(filling: table, 512)
        #expect(many < few + 600)
    }

    @Test func `a question for missing bodies reads one row of each log`() async throws {
        var steps: [Int] = []
        for count in [10, 1000] {
            let replica = try await replica()
            let runs = try runs(filling: .missing, count).map { (pair.id, $0) }
            _ = try await replica.merge(runs, wallTime: now)
            let (asked, taken) = try await replica.askingForMissing(in: pair.id)
            #expect(asked.map(\.number) == [0])
            steps.append(taken)
        }
        #expect(steps[1] <= steps[0])
    }

    /// Expects that the counts in memory and in the file are those of the rows.
    private func expectCounted(_ replica: Replica, _ note: Comment? = nil) async throws {
        let rows = try await replica.read(
            """
            SELECT (SELECT count(*) FROM void) AS void, (SELECT count(*) FROM waiting) AS waiting,
                (SELECT count(*) FROM missing_body) AS missing, sum(void_rows) AS void_rows,
                sum(waiting_rows) AS waiting_rows, sum(missing_rows) AS missing_rows FROM log
            """, allowedTables: nil)
        let state = replica.states[pair.id]
        for (name, count) in [
            ("void", state?.brokenCount), ("waiting", state?.waitingCount),
            ("missing", state?.missingCount),
        ] {
            #expect(rows[0][name] == .integer(Int64(count ?? -1)), note)
            #expect(rows[0]["\(name)_rows"] == rows[0][name], note)
        }
    }

    @Test func `counts follow the rows through merges, forks, erases, rebuilds and restarts`()
        async throws
    {
        let home = try homes.make()
        let salt = Bytes16([UInt8](repeating: 5, count: 16))
        var theirs = Author(mate.key, in: pair)
        for number in 0..<6 {
            try theirs.write(
                forbidden(number + 1) + [.set(note, "last_any", .text("\(number)"))],
                at: now + .milliseconds(number), salt: salt)
        }
        let replica = try await replica(at: home)
        let bare = theirs.run(0..<6) { $0.header.number > 3 }
        _ = try await replica.merge([(pair.id, bare)], wallTime: now)
        try await expectCounted(replica, "waiting and missing")
        #expect(try await replica.summary(pair)?.missing == 3)
        var side = theirs.forgetting(after: 4)
        try side.write(forbidden(9), at: now + .milliseconds(50))
        _ = try await replica.merge([(pair.id, side.run(4..<5))], wallTime: now)
        try await expectCounted(replica, "after a fork")
        #expect(try await replica.summary(pair)?.missing == 3)
        try await replica.merge([mine])
        try await expectCounted(replica, "void")
        var eraser = Author(mate.devices[1], in: pair)
        for batch in [1, 4] {
            try eraser.write(
                [.erase(theirs.batches[batch])], at: now + .milliseconds(60 + batch))
        }
        try await replica.merge([eraser])
        try await expectCounted(replica, "after erases")
        try await replica.rebuild(pair.id)
        try await expectCounted(replica, "after a rebuild")
        let before = await replica.spaces()
        try await replica.close()
        let again = try await self.replica(at: home)
        #expect(await again.spaces() == before)
        _ = try await again.repair(pair.id)
        try await expectCounted(again, "after a repair")
    }

    @Test(arguments: [Table.void, .waiting])
    func `operations that broke a rule or wait take room`(table: Table) async throws {
        let count = 4000
        let replica = try await replica(StorageQuota(authorBytesMax: 90_000))
        var theirs = Author(mate.key, in: pair)
        let body = try theirs.write(forbidden(count), at: now)
        try theirs.write([theirs.create(3).operation], at: now + .milliseconds(1))
        #expect(body.storedBytes < 45_000)
        if table == .void { try await replica.merge([mine]) }
        let first = try await replica.merge([(pair.id, theirs.run(0..<1))], wallTime: now)
        #expect(first.faults.isEmpty)
        let rowBytes = table == .void ? Limits.voidRowBytes : Limits.waitingRowBytes
        let own = table == .void ? mine.batches[0].storedBytes : 0
        let used = await replica.storage().usedBytes - own
        #expect(used == body.storedBytes + count * rowBytes)
        let next = try await replica.merge([(pair.id, theirs.run(1..<2))], wallTime: now)
        #expect(next.faults == [0: .noRoom(mate.device)])
    }

    @Test(arguments: [Table.void, .waiting])
    func `a row takes no more of the file than it is counted with`(table: Table) async throws {
        let home = try homes.make()
        let replica = try await replica(at: home)
        if table == .void { try await replica.merge([mine]) }
        func pages() async throws -> Int {
            try await replica.pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        }
        let (before, count) = (try await pages(), 4 * Limits.batchOperationsMax)
        var theirs = Author(mate.key, in: pair)
        for number in 0..<4 {
            try theirs.write(
                forbidden(Limits.batchOperationsMax), at: now + .milliseconds(number))
        }
        try await replica.merge([theirs])
        let bytes = theirs.batches.reduce(0) { $0 + $1.storedBytes }
        let rowBytes = table == .void ? Limits.voidRowBytes : Limits.waitingRowBytes
        let grown = (try await pages() - before) * 4096
        #expect(grown <= bytes + count * rowBytes + 16 * 4096)
        #expect(grown >= bytes + count * rowBytes / 2)
    }
}

extension Replica {
    /// Returns where the logs with missing bodies should be sent from, and the steps this takes.
    fileprivate func askingForMissing(in space: SpaceID) throws -> (heads: [LogHead], steps: Int) {
        var heads: [LogHead] = []
        let steps = try VirtualMachineSteps.count(inWriterOf: pool) {
            heads = try reachesBeforeMissing(in: space)
        }
        return (heads, steps)
    }
}
