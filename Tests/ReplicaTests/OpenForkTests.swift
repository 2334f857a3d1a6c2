import Identity
import Records
import Replica
import TestSupport
import Testing

/// Forked logs, removed devices and damage in an open space.
struct OpenForkTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let ben: Someone
    private let link: Someone

    init() throws {
        me = try Someone(seed: 561)
        ben = try Someone(seed: 562, deviceCount: 2)
        link = try Someone(seed: 563)
    }

    private func replica() async throws -> Replica {
        try await town.replica(of: me.key, knowing: [me], in: homes.make())
    }

    private func forked(after shared: Int) throws -> [Poster] {
        var poster = Poster(ben, in: town)
        for number in 0..<6 { try poster.post("one \(number)", at: now + .seconds(number)) }
        var other = poster.forking(after: shared)
        for number in shared..<6 { try other.post("other \(number)", at: now + .seconds(number)) }
        return [poster, other]
    }

    @Test func `both sides of a fork are stored, whichever arrives first`() async throws {
        let sides = try forked(after: 3)
        var dumps: [[String]] = []
        for order in [[0, 1], [1, 0]] {
            let replica = try await replica()
            for index in order {
                guard
                    case .stored = try await replica.receive(
                        sides[index].piece, from: link, in: town
                    ).result
                else {
                    Issue.record("a side was not stored")
                    return
                }
            }
            #expect(replica.offer(of: town.id)?.logs.count == 3)
            #expect(try await replica.titles().count == 9)
            dumps.append(try await replica.titles())
            try await replica.rebuild(town.id)
            #expect(try await replica.titles() == dumps.last)
            #expect(try await replica.damagedBatches(in: town.id).isEmpty)
        }
        #expect(dumps[0] == dumps[1])
    }

    @Test func `a fork that begins before what is here is a gap`() async throws {
        let sides = try forked(after: 2)
        let replica = try await replica()
        try await replica.receive(sides[0].piece(4...6), from: link, in: town)
        await replica.retain([ben.person])
        #expect(
            try await replica.receive(sides[1].piece(3...6), from: link, in: town).result
                == .refused(.gap(expected: 7, found: 3)))
        #expect(
            try await replica.receive(sides[1].piece(4...6), from: link, in: town).result
                == .refused(.gap(expected: 7, found: 4)))
        #expect(try await replica.titles().count == 3)
    }

    @Test(arguments: [0, 3])
    func `the sides go on when what they share has expired`(shared: Int) async throws {
        let sides = try forked(after: shared)
        let replica = try await replica()
        for side in sides { try await replica.receive(side.piece, from: link, in: town) }
        let end = now + Limits.openStampAgeMax + .milliseconds(3001)
        try await replica.prune(wallTime: end)
        let titles = ["one 4", "one 5", "other 4", "other 5"]
        #expect(try await replica.titles() == titles)
        #expect(try await replica.damagedBatches(in: town.id).isEmpty)
        try await replica.rebuild(town.id)
        #expect(try await replica.titles() == titles)
        let logs = try #require(replica.offer(of: town.id)?.logs)
        #expect(logs.map(\.low) == [5, 5])
        for log in logs {
            let ask = LogAsk(log: log.log, position: .after(0, prefix: 0), bytesMax: 1 << 17)
            let passed = try #require(try await replica.passing(ask, in: town.id)).passed
            let newcomer = try await self.replica()
            try await newcomer.receive(passed, from: link, in: town, at: end)
            #expect(try await newcomer.titles().count == 2)
        }
        try await replica.prune(wallTime: end + .days(1))
        #expect(replica.offer(of: town.id)?.logs == [])
    }

    @Test func `a fifth side is refused, and nothing is merged again`() async throws {
        var sides = try forked(after: 3)
        for index in 0..<3 {
            var side = sides[0].forking(after: 3)
            try side.post(
                "side \(index)", at: now + .seconds(10 + index), nonce: UInt64(5000 + index))
            sides.append(side)
        }
        let replica = try await replica()
        for side in sides.dropLast() { try await replica.receive(side.piece, from: link, in: town) }
        guard
            case .refused(.forked) = try await replica.receive(
                sides[4].piece, from: link, in: town
            ).result
        else {
            Issue.record("a fifth side was stored")
            return
        }
        #expect(try await replica.titles().count == 11)
    }

    @Test func `a removed device's log ends at the cut of a listed one`() async throws {
        let lost = ben.devices[1]
        var stolen = Poster(ben, in: town, with: lost)
        for number in 0..<6 { try stolen.post("lost \(number)", at: now) }
        let removed = try ben.record.adding(
            .removing(lost.id, from: ben.person, by: ben.recovery))
        var listed = Poster(ben, in: town)
        listed.record = removed
        let head = LogHead(
            log: stolen.log, number: 4, hash: stolen.author.batches[3].hash)
        try listed.write([Operation(control: .cut(ben.person, [head]))], at: now + .seconds(9))
        try listed.post("kept", at: now + .seconds(10), nonce: 900)
        let titles = ["kept", "lost 0", "lost 1", "lost 2", "lost 3"]

        let first = try await replica()
        try await first.receive(stolen.piece, from: link, in: town)
        try await first.receive(listed.piece, from: link, in: town)
        #expect(try await first.titles() == titles)
        #expect(first.offered(stolen.log, in: town)?.high == 4)

        let last = try await replica()
        try await last.receive(listed.piece, from: link, in: town)
        try await last.receive(stolen.piece(1...4), from: link, in: town)
        #expect(
            try await last.receive(stolen.piece(5...6), from: link, in: town).result
                == .refused(.beyondCut(lost.id)))
        #expect(try await last.titles() == titles)
        for replica in [first, last] {
            try await replica.prune(wallTime: now)
            try await replica.rebuild(town.id)
            #expect(try await replica.titles() == titles)
            #expect(try await replica.summary(town.space)?.void == 0)
        }
        // Without the cut, nothing new of the device is stored.
        let none = try await replica()
        let piece = stolen.piece
        #expect(
            try await none.receive(
                PassedRun(record: removed.encoded, previous: .none, run: piece.run), from: link,
                in: town
            ).result == .refused(.notEnded(lost.id)))
    }

    @Test func `the own person ends a removed device's log, whatever the day's allowance`()
        async throws
    {
        let mine = try Someone(seed: 564, deviceCount: 2)
        let replica = try await town.replica(
            of: mine.key, knowing: [mine], in: homes.make(), retaining: [])
        var lost = Poster(mine, in: town, with: mine.devices[1])
        for number in 0..<20 { try lost.post("\(number)", at: now, nonce: UInt64(number)) }
        try await replica.receive(lost.piece, from: link, in: town)
        try await replica.learn(
            mine.record.adding(
                .removing(mine.devices[1].id, from: mine.person, by: mine.recovery)))
        #expect(await replica.devicesToEnd() == [mine.devices[1].id])
        let commits = try await replica.endLogs(of: [mine.devices[1].id], wallTime: now)
        #expect(commits.count == 1)
        #expect(await replica.devicesToEnd().isEmpty)
        #expect(try await replica.titles().count == 20)
    }
}
