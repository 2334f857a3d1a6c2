import Identity
import Records
import Replica
import TestSupport
import Testing

/// Pieces of logs of an open space: where they may begin, and what becomes of them.
struct OpenSpaceTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let ben: Someone
    private let link: Someone

    init() throws {
        me = try Someone(seed: 501)
        ben = try Someone(seed: 502)
        link = try Someone(seed: 503)
    }

    private func replica(retaining retained: Set<PersonID>? = []) async throws -> Replica {
        try await town.replica(
            of: me.key, knowing: [me], in: homes.make(), retaining: retained)
    }

    private func poster(_ count: Int, at time: Timestamp = now) throws -> Poster {
        var poster = Poster(ben, in: town)
        for number in 0..<count { try poster.post("post \(number + 1)", at: time) }
        return poster
    }

    @Test func `a piece from the middle of a log is stored, with its author's record`()
        async throws
    {
        let replica = try await replica()
        let poster = try poster(9)
        let received = try await replica.receive(poster.piece(4...6), from: link, in: town)
        let offered = try #require(replica.offered(poster.log, in: town))
        #expect(received.result == .stored(offered))
        #expect((offered.low, offered.high) == (4, 6))
        #expect(try await replica.titles() == ["post 4", "post 5", "post 6"])
        #expect(await replica.isBrought(ben.person))
        #expect(received.commits.count == 3)
    }

    @Test func `a piece whose hash before is another one is refused`() async throws {
        let replica = try await replica()
        let poster = try poster(5)
        let piece = poster.piece(3...4)
        for previous in [BatchHash.none, poster.author.batches[0].hash] {
            let wrong = PassedRun(record: piece.record, previous: previous, run: piece.run)
            #expect(
                try await replica.receive(wrong, from: link, in: town).result
                    == .refused(.signatureMismatch))
        }
        #expect(replica.offer(of: town.id)?.logs.isEmpty == true)
        #expect(await !replica.isBrought(ben.person))
    }

    @Test func `pieces extend a log at both ends, in any order`() async throws {
        let poster = try poster(12)
        let pieces = [1...3, 4...5, 6...6, 7...10, 11...12]
        var generator = SeededGenerator(seed: 5)
        var dumps: Set<[String]> = []
        for _ in 0..<12 {
            let replica = try await replica()
            var left = pieces
            var first = true
            while !left.isEmpty {
                let index = generator.number(0...left.count - 1)
                let offered = replica.offered(poster.log, in: town)
                let touches =
                    first
                    || left[index].lowerBound == Int(offered?.high ?? 0) + 1
                    || left[index].upperBound == Int(offered?.low ?? 0) - 1
                guard touches else { continue }
                let piece = poster.piece(left.remove(at: index), withRecord: first)
                guard case .stored = try await replica.receive(piece, from: link, in: town).result
                else {
                    Issue.record("a piece that touches the log was not stored")
                    return
                }
                first = false
            }
            let offered = try #require(replica.offered(poster.log, in: town))
            #expect((offered.low, offered.high) == (1, 12))
            dumps.insert(try await Dump(replica, .post).lines)
        }
        #expect(dumps.count == 1)
    }

    @Test func `a tail that touches nothing takes the place of an unknown author's batches only`()
        async throws
    {
        let poster = try poster(9)
        let replica = try await replica()
        try await replica.receive(poster.piece(1...3), from: link, in: town)
        try await replica.receive(poster.piece(7...9), from: link, in: town)
        #expect(replica.offered(poster.log, in: town)?.low == 7)
        #expect(try await replica.titles() == ["post 7", "post 8", "post 9"])

        let retaining = try await self.replica(retaining: [ben.person])
        try await retaining.receive(poster.piece(1...3), from: link, in: town)
        #expect(
            try await retaining.receive(poster.piece(7...9), from: link, in: town).result
                == .refused(.gap(expected: 4, found: 7)))
        #expect(try await retaining.titles() == ["post 1", "post 2", "post 3"])
        // The author has left the space with the batches in between, and joined again.
        try await retaining.receive(poster.piece(7...9), from: ben, in: town)
        #expect(try await retaining.titles() == ["post 7", "post 8", "post 9"])
    }

    @Test func `a liar who passes only the end hides nothing for ever`() async throws {
        let poster = try poster(9)
        let replica = try await replica()
        let liar = try Someone(seed: 504)
        try await replica.receive(poster.piece(9...9), from: liar, in: town)
        try await replica.receive(poster.piece(5...8), from: link, in: town)
        try await replica.receive(poster.piece(1...6), from: link, in: town)
        let offered = try #require(replica.offered(poster.log, in: town))
        #expect((offered.low, offered.high) == (1, 9))
        #expect(try await replica.titles().count == 9)
    }

    @Test func `what is passed on is what was received, from any place`() async throws {
        let poster = try poster(12)
        let replica = try await replica()
        try await replica.receive(poster.piece(3...5), from: link, in: town)
        try await replica.receive(poster.piece(6...9), from: link, in: town)
        try await replica.receive(poster.piece(10...12), from: link, in: town)
        func ask(_ position: LogAsk.Position, _ bytesMax: Int = 1 << 17) async throws -> Run? {
            let ask = LogAsk(log: poster.log, position: position, bytesMax: bytesMax)
            guard let answer = try await replica.passing(ask, in: town.id) else { return nil }
            #expect(answer.author == ben.person)
            #expect(answer.passed.record == ben.record.encoded)
            _ = try answer.passed.run.check(in: town.id, after: answer.passed.previous)
            return answer.passed.run
        }
        #expect(try await ask(.after(0, prefix: 0))?.firstNumber == 3)
        #expect(try await ask(.after(0, prefix: 0))?.lastNumber == 12)
        #expect(try await ask(.after(0, prefix: 0), 1)?.lastNumber == 5)
        let prefix = { (number: Int) in poster.author.batches[number - 1].hash.prefix }
        #expect(try await ask(.after(5, prefix: prefix(5)))?.firstNumber == 6)
        #expect(try await ask(.after(2, prefix: prefix(2)))?.firstNumber == 3)
        #expect(try await ask(.after(5, prefix: 1))?.firstNumber == 3)
        #expect(try await ask(.after(1, prefix: prefix(1))) == nil)
        #expect(try await ask(.after(12, prefix: prefix(12))) == nil)
        #expect(try await ask(.before(3)) == nil)
        #expect(try await ask(.before(10), 1).map { $0.firstNumber...$0.lastNumber } == 9...9)
        #expect(try await ask(.before(6))?.firstNumber == 3)
        // Batch 4 has no signature of its own, so the run goes on to 5.
        #expect(try await ask(.before(5), 1).map { $0.firstNumber...$0.lastNumber } == 4...5)
        #expect(try await ask(.before(40)) == nil)
        let absent = LogAsk(
            log: LogName(device: me.device), position: .after(0, prefix: 0), bytesMax: 1000)
        #expect(try await replica.passing(absent, in: town.id) == nil)
    }

    @Test
    func `an offer names what changed since a revision, and equal batches make equal digests`()
        async throws
    {
        let poster = try poster(4)
        let (one, other) = (try await replica(), try await replica())
        let empty = try #require(one.offer(of: town.id))
        #expect(empty.isWhole && empty.logs.isEmpty)
        try await one.receive(poster.piece(1...2), from: link, in: town)
        let first = try #require(one.offer(of: town.id, since: empty.revision))
        #expect(!first.isWhole && first.logs.map(\.high) == [2])
        #expect(try #require(one.offer(of: town.id, since: first.revision)).logs.isEmpty)
        try await one.receive(poster.piece(3...4), from: link, in: town)
        #expect(one.offer(of: town.id, since: first.revision)?.logs.map(\.high) == [4])
        try await other.receive(poster.piece(2...4), from: link, in: town)
        #expect(one.offer(of: town.id)?.digest != other.offer(of: town.id)?.digest)
        try await other.receive(poster.piece(1...1), from: link, in: town)
        #expect(one.offer(of: town.id)?.digest == other.offer(of: town.id)?.digest)
        let before = try #require(one.offer(of: town.id))
        try await one.prune(wallTime: now + .days(31))
        let after = try #require(one.offer(of: town.id, since: before.revision))
        #expect(after.gone == [poster.log] && after.logs.isEmpty)
        #expect(after.digest == empty.digest)
        #expect(one.offer(of: town.id, since: 1 << 40)?.isWhole == true)
    }

    @Test func `after a restart everything is as it was`() async throws {
        let home = try homes.make()
        let poster = try poster(9)
        let replica = try await town.replica(of: me.key, knowing: [me], in: home)
        try await replica.receive(poster.piece(4...9), from: link, in: town)
        _ = try await replica.author(
            [.create(collection: "test.post/1", nonce: .zero, fields: ["title": .text("mine")])],
            in: town.id, wallTime: now)
        let (dump, offer) = (try await Dump(replica, .post), replica.offer(of: town.id))
        let use = await replica.use(of: town.id, wallTime: now)
        let copy = try home.copy()
        let again = try copy.replica(me.key, collections: [.post, .comment])
        await again.retain([])
        #expect(try await Dump(again, .post) == dump)
        #expect(again.offer(of: town.id)?.logs == offer?.logs)
        #expect(again.offer(of: town.id)?.digest == offer?.digest)
        #expect(await again.use(of: town.id, wallTime: now) == use)
        #expect(await again.isBrought(ben.person))
        #expect(await !again.isBrought(me.person))
        try await again.rebuild(town.id)
        #expect(try await Dump(again, .post) == dump)
        #expect(try await again.damagedBatches(in: town.id).isEmpty)
        let received = try await again.receive(poster.piece(1...3), from: link, in: town)
        #expect(received.result == .stored(try #require(again.offered(poster.log, in: town))))
        #expect(try await again.damagedBatches(in: town.id).isEmpty)
    }

    @Test func `people of blocked authors are refused, and what is here goes`() async throws {
        let poster = try poster(5)
        let replica = try await replica()
        try await replica.receive(poster.piece(1...3), from: link, in: town)
        await replica.retain([], blocked: [ben.person])
        #expect(
            try await replica.receive(poster.piece(4...5), from: link, in: town).result
                == .refused(.notAMember(ben.device)))
        let pruning = try await replica.prune(wallTime: now)
        #expect(pruning.spaces == [town.id] && pruning.removed.count == 3)
        #expect(try await replica.titles().isEmpty)
        #expect(await replica.personRecord(ben.person) == nil)
    }

    @Test func `a run of another space, of nobody or with another person's record is refused`()
        async throws
    {
        let replica = try await replica()
        let poster = try poster(2)
        let none = PassedRun(record: nil, previous: .none, run: poster.piece.run)
        #expect(
            try await replica.receive(none, from: link, in: town).result
                == .refused(.notAMember(ben.device)))
        let other = PassedRun(
            record: link.record.encoded, previous: .none, run: poster.piece.run)
        #expect(
            try await replica.receive(other, from: link, in: town).result
                == .refused(.notAMember(ben.device)))
        #expect(await replica.personRecord(link.person) == nil)
        let malformed = PassedRun(
            record: Array(ben.record.encoded.dropLast()), previous: .none, run: poster.piece.run)
        guard
            case .refusedRecord = try await replica.receive(malformed, from: link, in: town).result
        else {
            Issue.record("a malformed record was accepted")
            return
        }
        let elsewhere = try await replica.receive(
            poster.piece, in: SpaceDescriptor.open(name: "elsewhere").id, from: link.person,
            wallTime: now)
        #expect(elsewhere.result == .refused(.unknownSpace))
    }

    @Test func `a person with 56 devices is stored with all of them, and each may write`()
        async throws
    {
        let many = try Someone(seed: 505, deviceCount: Limits.personDevicesMax + 1)
        #expect(many.record.devices.count == Limits.personDevicesMax + 1)
        let replica = try await replica()
        for (index, key) in many.devices.suffix(3).enumerated() {
            var poster = Poster(many, in: town, with: key)
            try poster.post("by \(key.id.suffix)", at: now, nonce: UInt64(index))
            guard
                case .stored = try await replica.receive(poster.piece, from: link, in: town).result
            else {
                Issue.record("a device's batch was not stored")
                return
            }
        }
        #expect(try await replica.titles().count == 3)
        let use = try #require(await replica.use(of: town.id, wallTime: now))
        #expect(use.bringers[link.person]?.bytes ?? 0 >= many.record.encoded.count)
    }
}
