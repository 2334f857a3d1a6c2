import Records
import Replica
import TestSupport
import Testing

/// Logs that a device forked, because a backup was restored, a disk was cloned, or the device is
/// dishonest.
struct ForkTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 71)
        mate = try Someone(seed: 72)
        pair = .between(me.person, mate.person)
    }

    private func replica(_ home: Home? = nil, of someone: Someone? = nil) async throws -> Replica {
        try await (home ?? homes.make()).replica(
            of: (someone ?? me).key, knowing: [me, mate], in: [pair])
    }

    /// Appends batches that each create a note.
    private func extend(_ author: Author, _ range: Range<UInt8>) throws -> Author {
        var author = author
        for number in range {
            let note = author.create(number)
            try author.write(
                [note.operation, .set(note.entity, "title", .text("\(number)"))],
                at: now + .milliseconds(number))
        }
        return author
    }

    /// Returns two logs of the mate that share three batches.
    private func forked() throws -> (left: Author, right: Author) {
        let shared = try extend(Author(mate.key, in: pair), 0..<3)
        return (try extend(shared, 10..<13), try extend(shared, 20..<22))
    }

    @Test func `both sides of a fork are kept, named by their first batches, and merged`()
        async throws
    {
        let replica = try await replica()
        let (left, right) = try forked()
        let outcome = try await replica.merge([left, right])
        #expect(outcome.faults.isEmpty)
        #expect(outcome.commits.count == 8)
        let states = await replica.heads(in: pair.id)
        let sides = [left, right].map { author in
            LogState(
                log: LogName(
                    device: mate.device, branch: BranchName(raw: author.batches[3].hash.raw)),
                low: 4, high: UInt64(author.batches.count),
                headHash: author.batches[author.batches.count - 1].hash)
        }
        let shared = LogState(
            log: left.log, low: 1, high: 3, headHash: left.batches[2].hash)
        #expect(states == ([shared] + sides).sorted { $0.log < $1.log })
        #expect(try await Dump(replica).lines.count == 8)
        #expect(try await replica.summary(pair)?.forkedDevices == [mate.device])
        let forks = try await replica.read(
            "SELECT device, number FROM waggle_fork", allowedTables: [])
        #expect(forks.map { $0.integer("number") } == [4, 4])
        #expect(forks.map { $0.device("device") } == [mate.device, mate.device])
    }

    @Test(arguments: 0..<24)
    func `a forked log gives the same result for any pieces and any order`(
        seed: UInt64
    ) async throws {
        var draw = SeededGenerator(seed: seed)
        var authors = [try extend(Author(mate.key, in: pair), 0..<2)]
        for step in 0..<UInt8(draw.number(2...9)) {
            let source = authors[draw.number(0...authors.count - 1)]
            let kept = draw.number(0...source.batches.count)
            let start = 10 + step * 10
            authors.append(
                try extend(
                    source.forgetting(after: kept), start..<start + UInt8(draw.number(1...4))))
        }
        let known = try extend(Author(me.key, in: pair), 0..<3)
        var dumps: [Dump] = []
        var summaries: [SpaceSummary?] = []
        for _ in 0..<3 {
            let home = try homes.make()
            var replica = try await replica(home)
            try await replica.merge([known])
            for _ in 0..<4 {
                for author in authors.shuffled(using: &draw) {
                    var done = 0
                    while done < author.batches.count {
                        let end = draw.number(done + 1...author.batches.count)
                        _ = try await replica.merge(
                            [(pair.id, author.run(done..<end))], wallTime: now)
                        done = end
                    }
                    if draw.chance(20) { replica = try home.replica(me.key) }
                }
            }
            dumps.append(try await Dump(replica))
            summaries.append(try await replica.summary(pair))
            try await replica.rebuild(pair.id)
            #expect(try await Dump(replica) == dumps.last)
            #expect(try await replica.summary(pair) == summaries.last)
        }
        #expect(dumps[1] == dumps[0])
        #expect(dumps[2] == dumps[0])
        #expect(summaries[1] == summaries[0])
        #expect(summaries[2] == summaries[0])
    }

    @Test(arguments: [1, 200, 65_536])
    func `replicas with one side each become equal`(bytesMax: Int) async throws {
        let (one, other) = (try await replica(), try await replica(of: mate))
        let (left, right) = try forked()
        _ = try await one.merge([(pair.id, left.run(0..<6))], wallTime: now)
        _ = try await other.merge([(pair.id, right.run(0..<5))], wallTime: now)
        for _ in 0..<3 {
            try await one.copy(pair, to: other, bytesMax: bytesMax)
            try await other.copy(pair, to: one, bytesMax: bytesMax)
        }
        #expect(try await Dump(one) == Dump(other))
        #expect(await one.spaces() == other.spaces())
        #expect(await one.heads(in: pair.id).count == 3)
        let third = try await replica()
        #expect(try await one.copy(pair, to: third, bytesMax: bytesMax).isEmpty)
        #expect(await third.spaces() == one.spaces())
        #expect(try await Dump(third) == Dump(one))
    }

    @Test(arguments: [1, 3, 4, 5], [false, true])
    func `a body that is missing when a log forks is asked for by the name of its side`(
        index: Int, forksFirst: Bool
    ) async throws {
        let replica = try await replica()
        let (left, right) = try forked()
        let gone = left.batches[index].hash
        let short = left.run(0..<left.batches.count) { $0.hash == gone }
        let runs = [short, right.run(forksFirst && index < 3 ? 3..<5 : 0..<5)]
        for run in forksFirst && index >= 3 ? runs.reversed() : runs {
            let outcome = try await replica.merge([(pair.id, run)], wallTime: now)
            #expect(outcome.faults.isEmpty)
        }
        // A run of the other side that repeats the shared batches brings their bodies.
        let isBack = index < 3 && !forksFirst
        #expect(try await replica.summary(pair)?.missing == (isBack ? 0 : 1))
        let side = BranchName(raw: left.batches[3].hash.raw)
        let log = LogName(device: mate.device, branch: index < 3 ? .main : side)
        // A side whose first batch lacks its body is asked for from its beginning.
        let before = index == 3 ? BatchHash.none : left.batches[index - 1].hash
        let asked = [LogHead(log: log, number: UInt64(index), hash: before)]
        #expect(try await replica.reachesBeforeMissing(in: pair.id) == (isBack ? [] : asked))

        let rest = left.run(index..<left.batches.count)
        #expect(try await replica.merge([(pair.id, rest)], wallTime: now).faults.isEmpty)
        #expect(try await replica.summary(pair)?.missing == 0)
        let whole = try await self.replica()
        try await whole.merge([left, right])
        #expect(try await Dump(replica) == Dump(whole))
        #expect(await replica.digest(of: pair.id) == whole.digest(of: pair.id))
    }

    @Test func `the four of five sides with the smallest hashes are kept`() async throws {
        let shared = try extend(Author(mate.key, in: pair), 0..<1)
        let sides = try (1...5).map { try extend(shared, UInt8(10 * $0)..<UInt8(10 * $0 + 2)) }
        let smallest = sides.map { $0.batches[1].hash }.sorted().prefix(4)
        for order in [sides, sides.reversed()] {
            let replica = try await replica()
            for side in order { try await replica.merge([side]) }
            let heads = await replica.heads(in: pair.id).dropFirst()
            #expect(heads.map { $0.log.branch.raw } == smallest.map(\.raw))
            #expect(try await replica.summary(pair)?.batches == 9)
            #expect(try await Dump(replica).lines.count == 9)
        }
        let replica = try await replica()
        let inOrder = sides.sorted { $0.batches[1].hash < $1.batches[1].hash }
        try await replica.merge(Array(inOrder.prefix(4)))
        let outcome = try await replica.merge([inOrder[4]])
        #expect(outcome.faults == [0: .forked(author: mate.device, number: 2)])
        #expect(outcome.stored.isEmpty)
    }

    @Test func `both first batches of a log may differ`() async throws {
        let (left, right) = (
            try extend(Author(mate.key, in: pair), 0..<2),
            try extend(Author(mate.key, in: pair), 5..<6)
        )
        let (one, other) = (try await replica(), try await replica())
        try await one.merge([left, right])
        try await other.merge([right])
        try await other.merge([left])
        #expect(await one.spaces() == other.spaces())
        #expect(await one.heads(in: pair.id).map(\.low) == [1, 1])
        try await one.copy(pair, to: other)
        #expect(await one.spaces() == other.spaces())
    }

    @Test
    func `a run from number 1 that names one side of a fork is refused, and the others stored`()
        async throws
    {
        let replica = try await replica()
        let (left, right) = try forked()
        try await replica.merge([left, right])
        let before = await replica.spaces()
        var bad = Author(mate.key, in: pair)
        bad.branch = BranchName(raw: left.batches[3].hash.raw)
        try bad.write([bad.create(90).operation], at: now)
        let mine = try extend(Author(me.key, in: pair), 0..<1)
        let outcome = try await replica.merge([bad, mine])
        #expect(outcome.faults == [0: .notABeginning(mate.device)])
        #expect(outcome.stored.map(\.numbers) == [1...1])
        #expect(try await replica.merge([bad]).faults == [0: .notABeginning(mate.device)])
        let mate = mate.device
        #expect(
            await replica.heads(in: pair.id).filter { $0.log.device == mate }.count == 3)
        #expect(before != (await replica.spaces()))
    }

    @Test func `a device that acknowledged one side also holds the shared batches`() async throws {
        let replica = try await replica()
        let (left, right) = try forked()
        try await replica.merge([left])
        let reach = LogReach(log: left.log, number: 5, prefix: left.batches[4].hash.prefix)
        try await replica.recordAcknowledgement(of: mate.device, in: pair.id, reaches: [reach])
        try await replica.merge([right])
        let rows = try await replica.read(
            "SELECT number FROM waggle_acknowledged ORDER BY number", allowedTables: [])
        #expect(rows.map { $0.integer("number") } == [3, 5])
    }

    // MARK: The device's own log

    @Test func `a restored backup adopts the tail that a peer holds and continues it`()
        async throws
    {
        let home = try homes.make()
        let peer = try await replica(of: mate)
        do {
            let replica = try await replica(home)
            try await write(replica, "one")
        }
        let backup = try home.copy()
        do {
            let replica = try home.replica(me.key)
            try await write(replica, "two")
            try await write(replica, "three")
            try await replica.copy(pair, to: peer)
        }
        let restored = try backup.replica(me.key)
        #expect(restored.startCountsDisagree == false)
        try await peer.copy(pair, to: restored)
        let commit = try await write(restored, "four")
        #expect(commit.number == 4)
        #expect(commit.log == LogName(device: me.device))
        try await restored.copy(pair, to: peer)
        #expect(await restored.spaces() == peer.spaces())
        #expect(try await peer.summary(pair)?.forkedDevices == [])
    }

    @discardableResult
    private func write(_ replica: Replica, _ title: String) async throws -> Commit {
        let nonce = Bytes16(Array((title + "                ").utf8.prefix(16))) ?? .zero
        return try await replica.author(
            [.create(collection: "test.note/1", nonce: nonce, fields: ["title": .text(title)])],
            in: pair.id, wallTime: now)
    }

    @Test func `two clones of one device each continue in their own branch`() async throws {
        let home = try homes.make()
        let peer = try await replica(of: mate)
        do { try await write(try await replica(home), "shared") }
        let clones = [try home.replica(me.key), try home.copy().replica(me.key)]
        try await write(clones[0], "left")
        try await write(clones[1], "right")
        try await write(clones[1], "right again")
        for clone in clones { try await clone.copy(pair, to: peer) }
        for clone in clones { try await peer.copy(pair, to: clone) }
        #expect(await clones[0].spaces() == clones[1].spaces())
        #expect(try await clones[0].summary(pair)?.forkedDevices == [me.device])
        let left = try await write(clones[0], "left after")
        let right = try await write(clones[1], "right after")
        #expect(left.number == 3)
        #expect(right.number == 4)
        #expect(left.log.branch != .main)
        #expect(left.log != right.log)
        try await Replica.settle(pair, clones + [peer])
        #expect(await peer.spaces() == clones[0].spaces())
        #expect(await peer.spaces() == clones[1].spaces())
        #expect(try await Dump(peer) == Dump(clones[0]))
        #expect(try await Dump(peer).lines.count == 6)
        #expect(await peer.heads(in: pair.id).count == 3)
        let run = try await peer.runs(in: pair.id, log: left.log, after: 2, bytesMax: 4096)
        #expect(run?.log.branch == left.log.branch, "headers name the branch once it is known")
        let fresh = try await replica(of: mate)
        #expect(try await peer.copy(pair, to: fresh).isEmpty)
        #expect(await fresh.spaces() == peer.spaces())
    }

    @Test func `a clone that is opened again continues its own branch`() async throws {
        let (home, other) = (try homes.make(), try homes.make())
        let peer = try await replica(other, of: mate)
        do { try await write(try await replica(home), "shared") }
        let copy = try home.copy()
        do {
            let clone = try copy.replica(me.key)
            for title in ["a", "b", "c"] { try await write(clone, title) }
            try await clone.copy(pair, to: peer)
        }
        do {
            let mine = try home.replica(me.key)
            try await write(mine, "mine")
            try await peer.copy(pair, to: mine)
        }
        let mine = try home.replica(me.key)
        let commit = try await write(mine, "mine too")
        #expect(commit.number == 3)
        try await mine.copy(pair, to: peer)
        try await peer.copy(pair, to: mine)
        #expect(await mine.spaces() == peer.spaces())
    }
}
