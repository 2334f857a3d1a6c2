import Records
import Replica
import TestSupport
import Testing

/// Replicas with the same batches are equal, no matter in which order the batches arrived.
struct ConvergenceTests {
    private let homes = Homes()

    @Test(arguments: UInt64(1)...16)
    func `replicas that receive the same batches in any order are equal`(seed: UInt64) async throws
    {
        let history = try RandomHistory(seed: seed, batchCount: 60)
        let three = try (0..<3).map { _ in try homes.make() }
        var dumps: [Dump] = []
        var summaries: [[SpaceSummary]] = []
        for (index, home) in three.enumerated() {
            let replica = try await deliver(history, to: home, order: seed &* 10 &+ UInt64(index))
            dumps.append(try await Dump(replica))
            summaries.append(await replica.spaces())
        }
        #expect(dumps[0].lines.count > 3)
        #expect(dumps[1] == dumps[0])
        #expect(dumps[2] == dumps[0])
        #expect(summaries[1] == summaries[0])
        #expect(summaries[2] == summaries[0])
    }

    @Test(arguments: UInt64(1)...32, [RecordCollection.note, .erasableNote])
    func `replicas are equal for any order of batches and their erases`(
        seed: UInt64, collection: RecordCollection
    ) async throws {
        let history = try RandomHistory(seed: seed &+ 300, batchCount: 60, isErasing: true)
        #expect(!history.erased.isEmpty)
        var dumps: [Dump] = []
        var summaries: [[SpaceSummary]] = []
        for index in 0..<4 as Range<UInt64> {
            let replica = try await deliver(
                history, to: try homes.make(), order: seed &* 10 &+ index, collection)
            if index == 3 { for space in history.spaces { try await replica.rebuild(space.id) } }
            dumps.append(try await Dump(replica))
            summaries.append(await replica.spaces())
            try await expectErased(history, replica)
        }
        for index in 1..<4 {
            #expect(dumps[index] == dumps[0])
            #expect(summaries[index] == summaries[0])
        }
        #expect(summaries[0].allSatisfy { $0.missing == 0 })
    }

    /// Expects that the log lacks every body that an erase concerns, and no other.
    private func expectErased(_ history: RandomHistory, _ replica: Replica) async throws {
        for author in history.authors where !author.batches.isEmpty {
            var reached: UInt64 = 0
            while let run = try await replica.runs(
                in: author.space, log: author.log, after: reached, bytesMax: 1 << 18)
            {
                for (link, batch) in zip(run.batches, author.batches[Int(reached)...]) {
                    #expect((link.body == nil) == history.erased.contains(batch.hash))
                }
                reached = run.lastNumber
            }
            #expect(reached == UInt64(author.batches.count))
        }
    }

    @Test(arguments: UInt64(1)...4)
    func `a space rebuilt from its log is the same as before`(seed: UInt64) async throws {
        let history = try RandomHistory(seed: seed &+ 100, batchCount: 80)
        let home = try homes.make()
        let replica = try await deliver(history, to: home, order: seed)
        let before = (dump: try await Dump(replica), summaries: await replica.spaces())
        for space in history.spaces { try await replica.rebuild(space.id) }
        #expect(try await Dump(replica) == before.dump)
        #expect(await replica.spaces() == before.summaries)
    }

    @Test(arguments: UInt64(1)...4)
    func `a restart in the middle makes no difference`(seed: UInt64) async throws {
        let history = try RandomHistory(seed: seed &+ 200, batchCount: 60)
        let (whole, halved) = (try homes.make(), try homes.make())
        let straight = try await deliver(history, to: whole, order: seed)
        let runs = history.delivery(seed: seed &+ 1)
        for half in [runs.prefix(runs.count / 2), runs.suffix(runs.count - runs.count / 2)] {
            let replica = try await open(history, in: halved)
            for run in half { _ = try await replica.merge([run], wallTime: now) }
        }
        let restarted = try await open(history, in: halved)
        #expect(try await Dump(restarted) == Dump(straight))
        #expect(await restarted.spaces() == straight.spaces())
        for space in history.spaces {
            #expect(await restarted.heads(in: space.id) == straight.heads(in: space.id))
        }
    }

    private func open(
        _ history: RandomHistory, in home: Home, _ collection: RecordCollection = .note
    ) async throws -> Replica {
        try await home.replica(
            of: history.people[0].key, knowing: history.people, in: history.spaces,
            collections: [collection])
    }

    /// Merges all of a history in a random order, a few runs at a time.
    private func deliver(
        _ history: RandomHistory, to home: Home, order: UInt64,
        _ collection: RecordCollection = .note
    ) async throws -> Replica {
        let replica = try await open(history, in: home, collection)
        var draw = SeededGenerator(seed: order)
        var rest = history.delivery(seed: order)[...]
        while !rest.isEmpty {
            let count = min(rest.count, draw.number(1...5))
            let outcome = try await replica.merge(
                Array(rest.prefix(count)), wallTime: now)
            #expect(outcome.faults.isEmpty)
            rest = rest.dropFirst(count)
        }
        return replica
    }
}
