import Identity
import Records
import Replica
import Testing

/// The batches that a log accepts, and those it refuses.
struct LogRuleTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let stranger: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        stranger = try Someone(seed: 3)
        pair = .between(me.person, mate.person)
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(of: me.key, knowing: [me, mate, stranger], in: [pair])
    }

    /// Returns a log of some batches that each create a note.
    private func log(_ someone: Someone, count: Int, title: String = "x") throws -> Author {
        var author = Author(someone.key, in: pair)
        for index in 0..<count {
            let note = author.create(UInt8(index))
            try author.write(
                [note.operation, .set(note.entity, "title", .text(title))],
                at: now + .milliseconds(index))
        }
        return author
    }

    @Test func `a run of the next batches is stored and reported`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let author = try log(mate, count: 3)
        let outcome = try await replica.merge([author])
        #expect(outcome.faults.isEmpty)
        #expect(outcome.stored.map(\.space) == [pair.id])
        #expect(outcome.stored.map(\.log) == [author.log])
        #expect(outcome.stored.map(\.numbers) == [1...3])
        #expect(outcome.commits.map(\.number) == [1, 2, 3])
        #expect(outcome.commits.map(\.hash) == author.batches.map(\.hash))
        #expect(outcome.commits[0].changes.map(\.isOwn) == [false])
        let heads = await replica.heads(in: pair.id)
        #expect(
            heads == [
                LogState(log: author.log, low: 1, high: 3, headHash: author.batches[2].hash)
            ])
        #expect(await replica.digest(of: pair.id) == Digest.ofLogs(heads))
    }

    @Test func `replayed runs change nothing and cause no growth`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let author = try log(mate, count: 5)
        try await replica.merge([author])
        let before = await replica.spaces()
        let rows = try await batchRows(replica)
        for round in 0..<300 {
            let run = author.run(round % 5..<5)
            let outcome = try await replica.merge([(pair.id, run)], wallTime: now)
            #expect(outcome.stored.isEmpty && outcome.commits.isEmpty && outcome.faults.isEmpty)
        }
        #expect(await replica.spaces() == before)
        #expect(try await batchRows(replica) == rows)
    }

    private func batchRows(_ replica: Replica) async throws -> Int64? {
        try await replica.read(
            "SELECT count(*) AS n FROM batch", allowedTables: nil
        ).first?.integer("n")
    }

    @Test func `only the new batches of an overlapping run are stored`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let author = try log(mate, count: 6)
        _ = try await replica.merge([(pair.id, author.run(0..<4))], wallTime: now)
        let outcome = try await replica.merge(
            [(pair.id, author.run(2..<6))], wallTime: now)
        #expect(outcome.stored.map(\.numbers) == [5...6])
        #expect(outcome.commits.map(\.number) == [5, 6])
    }

    /// Merges one run and returns its fault; nothing may be stored then.
    private func fault(of run: Run, in replica: Replica) async throws -> BatchFault? {
        let before = await replica.spaces()
        let outcome = try await replica.merge([(pair.id, run)], wallTime: now)
        #expect(await replica.spaces() == before)
        #expect(outcome.stored.isEmpty)
        return outcome.faults[0]
    }

    @Test func `a batch signed by another key is refused`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        var author = Author(mate.key, in: pair)
        try author.write([author.create(1).operation], at: now, signer: stranger.key)
        #expect(try await fault(of: author.run, in: replica) == .signatureMismatch)
    }

    @Test func `a batch of a person who is not a member is refused`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let author = try log(stranger, count: 1)
        #expect(try await fault(of: author.run, in: replica) == .notAMember(stranger.device))
    }

    @Test func `a batch of a device without a known owner is refused`() async throws {
        let home = try homes.make()
        let replica = try await home.replica(of: me.key, knowing: [me], in: [pair])
        let author = try log(mate, count: 1)
        #expect(try await fault(of: author.run, in: replica) == .notAMember(mate.device))
        try await replica.learn(mate.record)
        #expect(try await replica.merge([author]).faults.isEmpty)
    }

    @Test func `a device of two people writes as the one who is a member`() async throws {
        let home = try homes.make()
        let second = try Someone(seed: 4, on: mate.devices)
        let replica = try await home.replica(of: me.key, knowing: [me, second, mate], in: [pair])
        #expect(await replica.person(of: mate.device) == second.person)
        let outcome = try await replica.merge([log(mate, count: 1)])
        #expect(outcome.commits.first?.changes.first?.author == mate.person)
    }

    @Test func `a removed device cannot write`() async throws {
        let home = try homes.make()
        let family = try Someone(seed: 5, deviceCount: 2)
        let space = SpaceDescriptor.card(family.person)
        let replica = try await home.replica(of: me.key, knowing: [me, family], in: [space])
        var author = Author(family.devices[1], in: space)
        try author.write([author.create(1).operation], at: now)
        try author.write([author.create(2).operation], at: now + .milliseconds(1))
        let first = try await replica.merge([(space.id, author.run(0..<1))], wallTime: now)
        #expect(first.faults.isEmpty)
        try await replica.learn(
            family.record.adding(
                .removing(author.key.id, from: family.person, by: family.key)))
        let second = try await replica.merge(
            [(space.id, author.run(1..<2))], wallTime: now)
        #expect(second.faults == [0: .notEnded(author.key.id)])
    }

    @Test func `a gap is refused, and the fault names the missing number`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let author = try log(mate, count: 4)
        #expect(
            try await fault(of: author.run(1..<2), in: replica) == .gap(expected: 1, found: 2))
        _ = try await replica.merge([(pair.id, author.run(0..<2))], wallTime: now)
        #expect(
            try await fault(of: author.run(3..<4), in: replica) == .gap(expected: 3, found: 4))
    }

    @Test func `a batch not dated after the one before it is refused`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        var author = Author(mate.key, in: pair)
        try author.write([author.create(1).operation], at: now)
        try author.write([author.create(2).operation], at: now)
        #expect(try await fault(of: author.run, in: replica) == .stampNotRising)
        _ = try await replica.merge([(pair.id, author.run(0..<1))], wallTime: now)
        #expect(try await fault(of: author.run(1..<2), in: replica) == .stampNotRising)
    }

    @Test func `a space that is not open accepts nothing`() async throws {
        let home = try homes.make()
        let replica = try await home.replica(of: me.key, knowing: [me, mate], in: [])
        #expect(try await fault(of: log(mate, count: 1).run, in: replica) == .unknownSpace)
    }

    @Test func `a refused run does not affect the others of the same merge`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let (good, bad) = (try log(mate, count: 2), try log(stranger, count: 1))
        let outcome = try await replica.merge(
            [(pair.id, bad.run), (pair.id, good.run(0..<1)), (pair.id, good.run(1..<2))],
            wallTime: now)
        #expect(outcome.faults == [0: .notAMember(stranger.device)])
        #expect(outcome.stored.map(\.numbers) == [1...1, 2...2])
    }
}
