import Identity
import Records
import Testing

@testable import Replica

/// The limits of what a replica stores.
struct StorageQuotaTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 191, deviceCount: 2)
        mate = try Someone(seed: 192, deviceCount: 2)
        pair = .between(me.person, mate.person)
    }

    private func replica(
        _ quota: StorageQuota, _ disk: any DiskSpace = FileSystem(), at home: Home? = nil
    ) async throws -> Replica {
        try await (try home ?? homes.make()).replica(
            of: me.key, knowing: [me, mate], in: [pair], quota: quota, diskSpace: disk)
    }

    /// Expects that the bytes of all logs are those of the stored batches.
    private func expectCounted(_ replica: Replica, _ note: Comment? = nil) async throws {
        let rows = try await replica.read(
            "SELECT sum(length(body) + \(Limits.batchRowBytes)) AS bytes FROM batch",
            allowedTables: nil)
        let logs = try await replica.read(
            """
            SELECT sum(bytes + (SELECT ifnull(sum(length(body) + \(Limits.batchRowBytes)), 0)
                FROM batch WHERE id > (log.number << 40) + summed
                    AND id < log.number + 1 << 40)) AS bytes FROM log
            """, allowedTables: nil)
        let stored = await replica.storage().usedBytes
        #expect(rows.first?["bytes"] == .integer(Int64(stored)), note)
        #expect(logs.first?["bytes"] == .integer(Int64(stored)), note)
    }

    // MARK: One author

    @Test(arguments: [0, 1])
    func `a log that fills its quota is stored, and one byte over it is refused`(
        bytesOver: Int
    ) async throws {
        var filler = Filler(mate.key, in: pair)
        for _ in 0..<3 { try filler.write(bytes: 500) }
        let bytes = filler.author.batches.reduce(0) { $0 + $1.storedBytes }
        let replica = try await replica(StorageQuota(authorBytesMax: bytes - bytesOver))
        var faults: [BatchFault] = []
        for index in 0..<3 {
            faults += try await replica.merge([filler.run(index)], wallTime: now).faults.values
        }
        #expect(faults == (bytesOver == 0 ? [] : [.noRoom(mate.device)]))
        #expect(await replica.heads(in: pair.id).map(\.high) == [3 - UInt64(bytesOver)])
        #expect(await replica.storage().full.count == bytesOver)
        #expect(replica.upkeep.isAnyoneFull == (bytesOver > 0))
        try await expectCounted(replica)
    }

    @Test func `a refused run has no head to acknowledge, and is stored when it comes again`()
        async throws
    {
        var filler = Filler(mate.key, in: pair)
        for _ in 0..<3 { try filler.write() }
        let replica = try await replica(StorageQuota(authorBytesMax: 130_000))
        for index in 0..<2 { _ = try await replica.merge([filler.run(index)], wallTime: now) }
        for _ in 0..<3 {
            let outcome = try await replica.merge([filler.run(2)], wallTime: now)
            #expect(outcome.faults == [0: .noRoom(mate.device)])
            #expect(outcome.heads.isEmpty && outcome.stored.isEmpty)
        }
        let full = await replica.storage().full
        #expect(full.map(\.limit) == [.author])
        #expect(full.map(\.share.person) == [mate.person])
        await replica.setQuota(StorageQuota(authorBytesMax: 200_000))
        #expect(await replica.storage().full.isEmpty)
        #expect(try await replica.merge([filler.run(2)], wallTime: now).faults.isEmpty)
        try await expectCounted(replica)
    }

    @Test func `all devices of a person share one quota, and another person has their own`()
        async throws
    {
        let replica = try await replica(StorageQuota(authorBytesMax: 100_000))
        let fillers = try [mate.devices[0], mate.devices[1], me.devices[1]].map { key in
            var filler = Filler(key, in: pair)
            try filler.write()
            return filler
        }
        let outcome = try await replica.merge(fillers.map { $0.run(0) }, wallTime: now)
        #expect(outcome.faults == [1: .noRoom(mate.devices[1].id)])
        #expect(Set(outcome.stored.map(\.log.device)) == [mate.device, me.devices[1].id])
    }

    @Test func `an erase makes room, even if the log is full`() async throws {
        var filler = Filler(mate.key, in: pair)
        let first = try filler.write()
        try filler.write()
        try filler.erase(first)
        try filler.write()
        let replica = try await replica(StorageQuota(authorBytesMax: 130_000))
        for index in 0..<4 {
            #expect(
                try await replica.merge([filler.run(index)], wallTime: now).faults.isEmpty,
                "batch \(index + 1)")
        }
        try await expectCounted(replica)
        try await replica.rebuild(pair.id)
        try await expectCounted(replica, "after a rebuild")
    }

    @Test func `a run that erases as much as it brings is stored`() async throws {
        var filler = Filler(mate.key, in: pair)
        let first = try filler.write()
        try filler.write()
        try filler.write()
        try filler.erase(first)
        let replica = try await replica(StorageQuota(authorBytesMax: 130_000))
        let runs = [0..<2, 2..<4].map { (pair.id, filler.author.run($0)) }
        #expect(try await replica.merge(runs, wallTime: now).faults.isEmpty)
        #expect(await replica.heads(in: pair.id).map(\.high) == [4])
    }

    @Test func `erases of what is not here use the reserve, and no more than that`() async throws {
        var filler = Filler(mate.key, in: pair)
        let lost = try filler.write()
        let target = Operation.erase(lost)
        var (bytes, count) = (0, 0)
        let replica = try await replica(StorageQuota(authorBytesMax: 1))
        var eraser = Author(mate.devices[1], in: pair)
        while count < 40 {
            let batch = try eraser.write(
                [Operation](repeating: target, count: 400), at: now + .milliseconds(count))
            let run = eraser.run(count..<count + 1)
            let fault = try await replica.merge([(pair.id, run)], wallTime: now).faults[0]
            guard fault == nil else {
                #expect(fault == .noRoom(mate.devices[1].id))
                #expect(bytes + batch.storedBytes > Limits.reservedBytesMax)
                break
            }
            bytes += batch.storedBytes
            count += 1
        }
        #expect(bytes <= Limits.reservedBytesMax + 1)
        #expect(bytes > Limits.reservedBytesMax - 50_000)
    }

    @Test func `headers whose bodies come later do not pass the quota`() async throws {
        var filler = Filler(mate.key, in: pair)
        for _ in 0..<4 { try filler.write() }
        let replica = try await replica(StorageQuota(authorBytesMax: 130_000))
        let bare = filler.author.run(0..<4) { _ in true }
        #expect(try await replica.merge([(pair.id, bare)], wallTime: now).faults.isEmpty)
        #expect(try await replica.summary(pair)?.missing == 4)
        _ = try await replica.merge([(pair.id, filler.author.run)], wallTime: now)
        #expect(try await replica.summary(pair)?.missing == 2)
        #expect(await replica.storage().usedBytes <= 130_000)
        try await expectCounted(replica)
    }

    // MARK: All together, and the disk

    @Test func `when all room is used, others wait, and own writes and erases go on`()
        async throws
    {
        var filler = Filler(mate.key, in: pair)
        let first = try filler.write()
        try filler.write()
        try filler.erase(first)
        let replica = try await replica(StorageQuota(totalBytesMax: 100_000))
        _ = try await replica.merge([filler.run(0)], wallTime: now)
        let outcome = try await replica.merge([filler.run(1)], wallTime: now)
        #expect(outcome.faults == [0: .noRoom(mate.device)])
        #expect(await replica.storage().full.map(\.limit) == [.total])
        _ = try await replica.author(
            [.own(collection: "test.note/1", fields: [:])], in: pair.id, wallTime: now)
        var second = Filler(me.devices[1], in: pair)
        try second.write()
        #expect(try await replica.merge([second.run(0)], wallTime: now).faults.isEmpty)
        // Another device erases, since the log behind the refused batch waits.
        var eraser = Author(mate.devices[1], in: pair)
        try eraser.write([.erase(first)], at: now + .milliseconds(9))
        #expect(try await replica.merge([eraser]).faults.isEmpty)
        try await expectCounted(replica)
    }

    @Test func `a nearly full disk keeps others out, then all but what makes room`() async throws {
        let disk = FakeDisk(Limits.freeBytesMin)
        var filler = Filler(mate.key, in: pair)
        for _ in 0..<2 { try filler.write() }
        let need = filler.author.batches[0].storedBytes
        let replica = try await replica(StorageQuota(), disk)
        // Free pages of the database count too.
        let pages = try #require(await replica.storage().freeBytes) - Limits.freeBytesMin
        disk.set(Limits.freeBytesMin - pages + need - 1)
        #expect(
            try await replica.merge([filler.run(0)], wallTime: now).faults
                == [0: .noRoom(mate.device)])
        #expect(await replica.storage().full.map(\.limit) == [.disk])
        disk.set(Limits.freeBytesMin - pages + need)
        #expect(await replica.storage().full.isEmpty)
        #expect(try await replica.merge([filler.run(0)], wallTime: now).faults.isEmpty)

        disk.set(Limits.reserveFreeBytesMin)
        let edits = [Edit.own(collection: "test.note/1", fields: [:])]
        let mine = try await replica.author(edits, in: pair.id, wallTime: now)
        disk.set(-Limits.freeBytesMin)
        let path = replica.path
        await #expect(throws: ReplicaFault.diskFull(path: path)) {
            try await replica.author(edits, in: pair.id, wallTime: now)
        }
        let head = LogHead(log: mine.log, number: mine.number, hash: mine.hash)
        #expect(
            try await replica.eraseOwn(in: pair.id, through: [head], wallTime: now).count == 1)
    }

    @Test func `on a small disk there is room for others as far as the system says`() async throws {
        let home = try homes.make()
        let disk = try SmallDisk(at: home.path, kibibytes: 4096)
        defer { disk.unmount() }
        var filler = Filler(mate.key, in: pair)
        for _ in 0..<80 { try filler.write() }
        let quota = StorageQuota(freeBytesMin: 1024 * 1024)
        let replica = try await replica(quota, at: home)
        var faults: [BatchFault] = []
        for index in 0..<80 where faults.isEmpty {
            faults += try await replica.merge([filler.run(index)], wallTime: now).faults.values
        }
        #expect(faults == [.noRoom(mate.device)])
        #expect(await replica.storage().full.map(\.limit) == [.disk])
        // SQLite's log takes as much again until it is copied.
        _ = try await replica.author(
            [.own(collection: "test.note/1", fields: [:])], in: pair.id, wallTime: now)
    }

    @Test(arguments: [0, 1])
    func `all people together take no more than their part of the reserve`(
        bytesOver: Int
    ) async throws {
        let replica = try await replica(StorageQuota(totalBytesMax: 1))
        var eraser = Author(mate.devices[1], in: pair)
        let lost = try Author(mate.key, in: pair).writing().batches[0]
        let batch = try eraser.write([.erase(lost)], at: now)
        let free = batch.storedBytes - bytesOver
        await replica.useReserve(leaving: free, to: me.person)
        let fault = try await replica.merge([(pair.id, eraser.run)], wallTime: now).faults[0]
        #expect(fault == (bytesOver == 0 ? nil : .noRoom(mate.devices[1].id)))
    }

    @Test func `a restart gives nobody new reserved room`() async throws {
        let home = try homes.make()
        let replica = try await replica(StorageQuota(totalBytesMax: 1), at: home)
        var eraser = Author(mate.devices[1], in: pair)
        let lost = try Author(mate.key, in: pair).writing().batches[0]
        let bytes = try eraser.write([.erase(lost)], at: now).storedBytes
        try await replica.merge([eraser])
        #expect(await replica.reservedBytes == [mate.person: bytes])
        try await replica.close()
        let again = try home.replica(me.key)
        #expect(await again.reservedBytes == [mate.person: bytes])
        // With other room, it is given back.
        try eraser.write([.erase(lost)], at: now + .milliseconds(1))
        try await again.merge([eraser])
        #expect(await again.reservedBytes.isEmpty)
        try await again.close()
        #expect(await (try home.replica(me.key)).reservedBytes.isEmpty)
    }

    // MARK: Own writes

    @Test func `a person who filled what others store writes nothing more until they erase`()
        async throws
    {
        let replica = try await replica(StorageQuota(authorBytesMax: 1))
        var filler = Filler(me.devices[1], in: pair)
        var bytes = 0
        while bytes < Limits.ownAuthorBytesMax { bytes += try filler.write().storedBytes }
        let runs = stride(from: 0, to: filler.author.batches.count, by: 100).map { start in
            let end = min(start + 100, filler.author.batches.count)
            return (pair.id, filler.author.run(start..<end))
        }
        #expect(try await replica.merge(runs, wallTime: now).faults.isEmpty)
        let edits = [Edit.own(collection: "test.note/1", fields: [:])]
        await #expect(
            throws: BatchFault.ownRoomUsed(limitBytes: Limits.ownAuthorBytesMax)
        ) {
            try await replica.author(edits, in: pair.id, wallTime: now)
        }
        try filler.erase(filler.author.batches[0])
        _ = try await replica.merge(
            [filler.run(filler.author.batches.count - 1)], wallTime: now)
        _ = try await replica.author(edits, in: pair.id, wallTime: now)
    }

    // MARK: Counting

    @Test func `the bytes of logs are counted again the same after a restart and a repair`()
        async throws
    {
        let home = try homes.make()
        var filler = Filler(mate.key, in: pair)
        for _ in 0..<5 { try filler.write(bytes: 700) }
        var other = Filler(mate.key, in: pair)
        try other.write(bytes: 900)
        let used: Int
        do {
            let replica = try await replica(StorageQuota(), at: home)
            _ = try await replica.merge([(pair.id, filler.author.run)], wallTime: now)
            // The log forks at its first batch, so its rows are divided.
            _ = try await replica.merge([other.run(0)], wallTime: now)
            try await expectCounted(replica, "after a fork")
            used = await replica.storage().usedBytes
        }
        let replica = try await replica(StorageQuota(), at: home)
        #expect(await replica.storage().usedBytes == used)
        _ = try await replica.repair(pair.id)
        #expect(await replica.storage().usedBytes == used)
        try await expectCounted(replica)
    }

    // MARK: Void bodies

    @Test func `bodies beyond a cut are dropped for room, and asked for when the cut is void`()
        async throws
    {
        let people = try (60..<64).map { try Someone(seed: UInt64($0), deviceCount: 1) }
        let group = try await Group(of: people, in: homes)
        try await group.join([.owner, .writer, .writer])
        try await group.write(2, "one")
        try await group.settle()
        for title in ["two", "three", "four"] { try await group.write(2, title) }
        try await group.copy(2, to: 3)
        try await group.control(1, [.cut(group.person(2))])
        try await group.copy(1, to: 3)
        #expect(try await group.titles(3) == ["one"])
        let before = await group[3].storage().usedBytes

        await group[3].setQuota(StorageQuota(totalBytesMax: before))
        try await group.write(0, "more")
        let faults = try await group.copy(0, to: 3)
        #expect(faults == [.noRoom(people[0].device)])
        #expect(await group[3].storage().usedBytes < before)
        #expect(try await group[3].summary(group.space)?.missing == 0)
        await group[3].setQuota(StorageQuota())
        #expect(try await group.copy(0, to: 3).isEmpty)

        try await group.control(0, [.cut(group.person(1))])
        try await group.copy(0, to: 3)
        #expect(try await group[3].summary(group.space)?.missing == 3)
        let asked = try await group[3].reachesBeforeMissing(in: group.space.id)
        #expect(asked.map(\.log.device) == [people[2].device])
        let run = try await group[2].runs(
            in: group.space.id, log: asked[0].log, after: asked[0].number, bytesMax: 65_536)
        _ = try await group[3].merge([(group.space.id, try #require(run))], wallTime: now)
        #expect(try await group[3].summary(group.space)?.missing == 0)
        #expect(try await group.titles(3) == ["four", "more", "one", "three", "two"])
        try await group.settle()
        try await group.expectEqual()
    }
}

extension Replica {
    /// Lets a person use all but some bytes of the reserve.
    fileprivate func useReserve(leaving free: Int, to person: PersonID) {
        reservedBytes[person] = Limits.reservedTotalBytesMax - free
    }
}

extension Author {
    /// Returns the author after one more batch.
    fileprivate func writing() throws -> Author {
        var author = self
        try author.write([author.create(1).operation], at: now)
        return author
    }
}
