import GRDB
import Identity
import Records
import Testing

@testable import Replica

/// A device that forks its log at every number.
struct ForkLimitTests {
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

    /// Returns a long log of the mate, and after each of its batches another side.
    private func comb(_ count: Int) throws -> [Author] {
        let log = try extend(Author(mate.key, in: pair), 0..<UInt8(count))
        let teeth = try (0..<count - 1).map { number in
            try extend(log.forgetting(after: number), UInt8(100 + number)..<UInt8(101 + number))
        }
        return [log] + teeth
    }

    @Test func `four sides that begin at different numbers are kept, whatever arrives`()
        async throws
    {
        let comb = try comb(60)
        var dumps: [Dump] = []
        var summaries: [[SpaceSummary]] = []
        for order in [comb, comb.reversed(), comb.sorted { $0.name < $1.name }] {
            let home = try homes.make()
            let replica = try await replica(home)
            // Batches that were refused for lack of room arrive again.
            for _ in 0..<4 {
                for author in order {
                    _ = try await replica.merge([author])
                    let rows = try #require(replica.states[pair.id]).rows(of: mate.device)
                    #expect(rows.count <= 7)
                }
            }
            #expect(try await replica.summary(pair)?.forkedDevices == [mate.device])
            dumps.append(try await Dump(replica))
            summaries.append(await replica.spaces())
            try await replica.close()
            let again = try home.replica(me.key)
            #expect(await again.spaces() == summaries.last)
            try await again.rebuild(pair.id)
            #expect(try await Dump(again) == dumps.last)
            #expect(try await again.damagedBatches(in: pair.id).isEmpty)
        }
        #expect(dumps[1] == dumps[0])
        #expect(dumps[2] == dumps[0])
        #expect(summaries[1] == summaries[0])
        #expect(summaries[2] == summaries[0])
    }

    @Test func `replicas that keep different sides become equal by exchange`() async throws {
        let comb = try comb(12)
        let replicas = [try await replica(), try await replica(of: mate), try await replica()]
        for (index, author) in comb.enumerated() {
            _ = try await replicas[index % 3].merge([author])
        }
        try await Replica.settle(pair, replicas)
        #expect(await replicas[0].spaces() == replicas[1].spaces())
        #expect(await replicas[0].spaces() == replicas[2].spaces())
        #expect(try await Dump(replicas[0]) == Dump(replicas[1]))
        #expect(try await Dump(replicas[0]) == Dump(replicas[2]))
    }

    @Test func `a side that proves the batch before it is kept, whatever its name`() async throws {
        // Batches 2 and 3 arrive as one run, whose signature is stored with batch 3.
        let shared = try extend(Author(mate.key, in: pair), 0..<2)
        let whole = try extend(shared, 10..<11)
        let sides = try (50..<53).map { try extend(shared.forgetting(after: 1), $0..<$0 + 1) }
        var branch = shared
        branch.branch = BranchName(raw: shared.batches[1].hash.raw)
        let other = try #require(
            try (20..<50).map { try extend(branch, $0..<$0 + 1) }.first { $0.name < whole.name })
        let home = try homes.make()
        let replica = try await replica(home)
        _ = try await replica.merge([whole] + sides)
        let outcome = try await replica.merge([(pair.id, other.run(2..<3))], wallTime: now)
        #expect(outcome.faults.count == 1)
        let fresh = try await self.replica(of: mate)
        try await Replica.settle(pair, [replica, fresh])
        #expect(await fresh.spaces() == replica.spaces())
        try await replica.close()
        let again = try home.replica(me.key)
        _ = try await again.merge([(pair.id, other.run(2..<3))], wallTime: now)
        #expect(await again.spaces() == fresh.spaces())
    }

    @Test func `a home with more sides keeps four of them at its next start`() async throws {
        let comb = try comb(40)
        let home = try homes.make()
        let old = try await replica(home)
        try await old.merge([comb[0]])
        try await old.plant(Array(comb.dropFirst()), of: mate.person, in: pair)
        #expect(try #require(old.states[pair.id]).rows(of: mate.device).count > 70)
        try await old.close()
        let new = try home.replica(me.key)
        #expect(try #require(new.states[pair.id]).rows(of: mate.device).count <= 7)
        #expect(try await new.damagedBatches(in: pair.id).isEmpty)
        let fresh = try await replica()
        for _ in 0..<4 { for author in comb { _ = try await fresh.merge([author]) } }
        #expect(await new.spaces() == fresh.spaces())
        #expect(try await Dump(new) == Dump(fresh))
    }

    @Test func `a side that is not kept is refused without a change of the log`() async throws {
        let comb = try comb(60)
        let replica = try await replica()
        try await replica.merge(Array(comb.prefix(10)))
        let before = try await replica.changesCount()
        let outcome = try await replica.merge(Array(comb.dropFirst(30)))
        #expect(outcome.faults.count == 30)
        #expect(try await replica.changesCount() == before)
    }
}

extension Author {
    /// The hash of the last batch.
    fileprivate var name: BatchHash { batches.last?.hash ?? .none }
}

extension Replica {
    /// The number of rows that were changed since the file was opened.
    fileprivate func changesCount() throws -> Int { try read { $0.totalChangesCount } }

    /// Stores sides of a log without a limit, as an older version did. Each side has one batch.
    fileprivate func plant(
        _ sides: [Author], of person: PersonID, in space: SpaceDescriptor
    ) throws {
        let state = try #require(states[space.id])
        let done = try write { database in
            let transaction = transaction(database, state, now)
            for side in sides {
                guard let last = side.batches.last, let signature = side.signatures.last else {
                    continue
                }
                let (device, number) = (side.key.id, last.header.number)
                let row = transaction.state.space.rows(of: device).first { row in
                    let entry = transaction.state.space.logs[row]
                    return (entry?.low ?? 1) <= number - 1 + (number == 1 ? 1 : 0)
                        && (entry?.high ?? 0) >= number
                }
                guard let row else { continue }
                try LogDivision(database: database).divide(
                    row, after: number - 1, in: &transaction.state.space, own: self.device)
                let name = LogName(device: device, branch: BranchName(raw: last.hash.raw))
                try transaction.createRow(name, person, after: row, low: number)
                try transaction.store([last], in: name, signature: signature)
                transaction.state.mustRebuild = true
                transaction.state.membershipIsStale = true
            }
            _ = try transaction.finish()
            return transaction.result
        }
        adopt([done])
    }
}
