import GRDB
import Identity
import Records
import Replica
import TestSupport
import Testing

/// Records of an open space expire, and their bytes go.
struct OpenExpiryTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let ben: Someone
    private let link: Someone

    init() throws {
        me = try Someone(seed: 511)
        ben = try Someone(seed: 512)
        link = try Someone(seed: 513)
    }

    private func replica(_ home: Home? = nil) async throws -> Replica {
        try await town.replica(of: me.key, knowing: [me], in: home ?? homes.make())
    }

    @Test func `a batch counts for 30 days to the millisecond`() async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        try poster.post("old", at: now)
        try poster.post("young", at: now + .milliseconds(1))
        try await replica.receive(poster.piece, from: link, in: town)
        let atLimit = try await replica.prune(wallTime: now + Limits.openStampAgeMax)
        #expect(atLimit.removed.isEmpty)
        #expect(atLimit.nextExpiry == now + Limits.openStampAgeMax + .milliseconds(1))
        #expect(try await replica.titles() == ["old", "young"])
        let after = try await replica.prune(
            wallTime: now + Limits.openStampAgeMax + .milliseconds(1))
        #expect(after.removed.count == 1 && after.spaces == [town.id])
        #expect(try await replica.titles() == ["young"])
        #expect(replica.offered(poster.log, in: town)?.low == 2)
        let last = try await replica.prune(
            wallTime: now + Limits.openStampAgeMax + .milliseconds(2))
        #expect(last.nextExpiry == nil)
        #expect(replica.offer(of: town.id)?.logs.isEmpty == true)
        #expect(await replica.personRecord(ben.person) == nil)
    }

    @Test func `what has expired when it arrives is not stored, and a part of a piece may be`()
        async throws
    {
        var poster = Poster(ben, in: town)
        for day in 0..<4 { try poster.post("day \(day)", at: now + .days(day)) }
        let replica = try await replica()
        let wall = now + .days(31) + .seconds(1)
        #expect(
            try await replica.receive(poster.piece(1...2), from: link, in: town, at: wall).result
                == .expired)
        #expect(await replica.personRecord(ben.person) == nil)
        try await replica.receive(poster.piece, from: link, in: town, at: wall)
        #expect(try await replica.titles() == ["day 2", "day 3"])
        #expect(replica.offered(poster.log, in: town)?.low == 3)
        #expect(
            try await replica.receive(poster.piece(1...2), from: link, in: town, at: wall).result
                == .expired)
        // What continues expired batches takes their place.
        try await replica.receive(poster.piece(3...4), from: link, in: town, at: wall)
        var longer = poster
        try longer.post("day 40", at: now + .days(40))
        try await replica.receive(
            longer.piece(3...5), from: link, in: town, at: now + .days(41))
        try await replica.prune(wallTime: now + .days(41))
        #expect(try await replica.titles() == ["day 40"])
        #expect(try await replica.damagedBatches(in: town.id).isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
    func `the tables are the merge of what has not expired, whatever the order`(
        seed: Int
    ) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let people = [ben, link, try Someone(seed: 514, deviceCount: 2)]
        var posters = people.flatMap { someone in
            someone.devices.map { Poster(someone, in: town, with: $0) }
        }
        // Posts, edits that write the record anew, and erases, over 40 days.
        for hour in 0..<160 {
            let index = generator.number(0...posters.count - 1)
            let time = now + .seconds(hour * 6 * 60 * 60)
            if generator.chance(15), let batch = posters[index].author.batches.last,
                batch.body?.hasControl == false
            {
                try posters[index].write([.erase(batch)], at: time)
            } else {
                try posters[index].post(
                    "\(hour)", at: time, nonce: UInt64(generator.number(0...12)))
            }
        }
        let end = now + .days(40)
        var dumps: [[String]] = []
        for round in 0..<4 {
            let replica = try await replica()
            try await pass(posters, to: replica, until: end, round, &generator)
            try await replica.prune(wallTime: end)
            dumps.append(try await Dump(replica, .post).lines)
            try await replica.rebuild(town.id)
            #expect(try await Dump(replica, .post).lines == dumps[round])
            #expect(try await replica.damagedBatches(in: town.id).isEmpty)
        }
        #expect(dumps[0].count > 10)
        for dump in dumps.dropFirst() { #expect(dump == dumps[0]) }
    }

    /// Passes all that has not expired, in random pieces at random times with prunings between.
    private func pass(
        _ posters: [Poster], to replica: Replica, until end: Timestamp, _ round: Int,
        _ generator: inout SeededGenerator
    ) async throws {
        var reached = posters.map { _ in (low: 0, high: 0) }
        for step in 0..<400 {
            let isEarly = round > 0 && step < 200
            let wall = isEarly ? now + .days(step / 5) : end
            if generator.chance(10) { try await replica.prune(wallTime: wall) }
            let index = generator.number(0...posters.count - 1)
            let poster = posters[index]
            let written = poster.author.batches.prefix { $0.header.stamp.time <= wall }.count
            guard written > 0 else { continue }
            let offered = replica.offered(poster.log, in: town)
            reached[index] = (Int(offered?.low ?? 0), Int(offered?.high ?? 0))
            let length = generator.number(0...6)
            let numbers: ClosedRange<Int>
            if offered == nil {
                let first = generator.number(1...written)
                numbers = first...min(written, first + length)
            } else if generator.chance(50), reached[index].low > 1 {
                numbers = max(1, reached[index].low - 1 - length)...reached[index].low - 1
            } else if reached[index].high < written {
                numbers = reached[index].high + 1...min(written, reached[index].high + 1 + length)
            } else {
                continue
            }
            try await replica.receive(poster.piece(numbers), from: link, in: town, at: wall)
        }
        for poster in posters {
            try await replica.receive(poster.piece, from: link, in: town, at: end)
        }
    }

    @Test func `an erase takes effect in any order, and is dropped with its batch`() async throws {
        var poster = Poster(ben, in: town)
        try poster.post("wrong", at: now)
        try poster.post("right", at: now)
        try poster.write([.erase(poster.author.batches[0])], at: now + .days(1))
        let (first, last) = (try await replica(), try await replica())
        try await first.receive(poster.piece(1...2), from: link, in: town)
        try await first.receive(poster.piece(3...3), from: link, in: town, at: now + .days(1))
        try await last.receive(poster.piece(2...3), from: link, in: town, at: now + .days(1))
        try await last.receive(poster.piece(1...1), from: link, in: town, at: now + .days(1))
        for replica in [first, last] {
            #expect(try await replica.titles() == ["right"])
            let passed = try await replica.passing(
                LogAsk(log: poster.log, position: .after(0, prefix: 0), bytesMax: 1 << 17),
                in: town.id)
            #expect(passed?.passed.run.batches[0].body == nil)
            #expect(try await replica.summary(town.space)?.missing == 0)
            let end = now + .days(30) + .seconds(1)
            try await replica.prune(wallTime: end)
            #expect(replica.offered(poster.log, in: town)?.low == 3)
            try await replica.prune(wallTime: end + .days(1))
            #expect(replica.offer(of: town.id)?.logs.isEmpty == true)
            let rows = try await replica.read(
                "SELECT count(*) AS count FROM erasure", allowedTables: nil)
            #expect(rows.first?.integer("count") == 0)
        }
    }

    @Test func `no file contains what has expired`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        var poster = Poster(ben, in: town)
        let marks = (0..<8).map { "<gone-\($0)>" + String(repeating: "x", count: 300 * $0) }
        for mark in marks { try poster.post(mark, at: now) }
        try poster.post("<kept>", at: now + .days(2))
        try await replica.receive(poster.piece, from: link, in: town, at: now + .days(2))
        try await replica.prune(wallTime: now + .days(31))
        #expect(replica.upkeep.dueScrub != nil)
        try await replica.scrub()
        let found = try DatabaseBytes(of: home.file()).marks
        #expect(found.contains("kept"))
        #expect(!found.contains { $0.hasPrefix("gone") })
        #expect(try await replica.titles() == ["<kept>"])
    }

    @Test func `pruning ends although the disk lost a batch, and the rest comes again`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        var poster = Poster(ben, in: town)
        for day in [0, 0, 5] { try poster.post("post \(poster.count + 1)", at: now + .days(day)) }
        try await replica.receive(poster.piece, from: link, in: town, at: now + .days(5))
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write { database in
            try database.execute(sql: "DELETE FROM batch WHERE id & 1099511627775 = 2")
        }
        try queue.close()
        let wall = now + .days(31)
        try await replica.prune(wallTime: wall)
        #expect(replica.offer(of: town.id)?.logs == [])
        try await replica.receive(poster.piece, from: link, in: town, at: wall)
        #expect(try await replica.titles() == ["post 3"])
        #expect(try await replica.damagedBatches(in: town.id).isEmpty)
    }

    @Test func `no row of an expired log stays in any table`() async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        for number in 0..<5 { try poster.post("post \(number)", at: now) }
        try poster.write([.erase(poster.author.batches[1])], at: now)
        try await replica.receive(poster.piece, from: link, in: town)
        try await replica.prune(wallTime: now + .days(63))
        let tables = [
            "log", "batch", "held", "register", "element", "removed", "waiting", "void",
            "control", "missing_body", "erasure", "mention", "allowance", "post",
        ]
        for table in tables {
            let rows = try await replica.read(
                "SELECT count(*) AS count FROM \(table)", allowedTables: nil)
            #expect(rows.first?.integer("count") == 0, "\(table) has rows left")
        }
    }
}
