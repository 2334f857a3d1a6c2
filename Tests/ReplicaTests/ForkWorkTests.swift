import Identity
import Records
import Testing

@testable import Replica

/// The work that forks of a long log cause, in steps of SQLite's virtual machine.
struct ForkWorkTests {
    private static let logBatchesCount = 1000
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let log: Author

    init() throws {
        me = try Someone(seed: 901)
        mate = try Someone(seed: 902)
        pair = .between(me.person, mate.person)
        var log = Author(mate.key, in: pair)
        let note = log.create(1)
        try log.write([note.operation], at: now)
        for number in 1..<Self.logBatchesCount {
            try log.write(
                [.set(note.entity, "title", .text("\(number)"))], at: now + .milliseconds(number))
        }
        self.log = log
    }

    private func replica() async throws -> Replica {
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: [pair])
        try await replica.merge([log])
        return replica
    }

    /// Returns other batches after these numbers, each in a run of its own. If the numbers fall,
    /// each run displaces one that was stored before.
    private func sides(after numbers: some Sequence<Int>) throws -> [Run] {
        try numbers.map { number in
            var side = log.forgetting(after: number)
            try side.write(
                [side.create(2).operation],
                at: now + .milliseconds(Self.logBatchesCount + number))
            return side.run(number..<number + 1)
        }
    }

    @Test func `forks that must wait cost next to nothing, and arrive later`() async throws {
        let runs = try sides(after: stride(from: 900, to: 700, by: -1))
        let one = try await replica().steps(merging: [runs[0]], in: pair.id)
        #expect(one.outcome.faults.isEmpty)
        let replica = try await replica()
        await replica.owe(RebuildDebt.unitsMax, by: mate.person)
        let all = try await replica.steps(merging: runs, in: pair.id)
        #expect(all.outcome.faults.count == runs.count)
        #expect(all.outcome.faults.values.allSatisfy { $0 == .tooSoon(mate.device) })
        #expect(all.count < one.count)
        #expect(try await replica.summary(pair)?.forkedDevices == [])
        // The person's other batches arrive meanwhile.
        var longer = log
        try longer.write([longer.create(3).operation], at: now + .milliseconds(5000))
        #expect(try await replica.merge([longer]).faults.isEmpty)
        let later = now + .milliseconds(5000)
        #expect(try await replica.merge([(pair.id, runs[0])], wallTime: later).faults.isEmpty)
        #expect(try await replica.summary(pair)?.forkedDevices == [mate.device])
    }

    @Test func `forks in one merge share a rebuild, and move a limited number of batches`()
        async throws
    {
        let numbers = Array(stride(from: 500, to: 200, by: -1))
        let runs = try sides(after: numbers)
        let replica = try await replica()
        let alone = try await self.replica().steps(merging: [runs[0]], in: pair.id)
        let all = try await replica.steps(merging: runs, in: pair.id)
        let stored = runs.count - all.outcome.faults.count
        #expect(stored > 10 && stored < runs.count / 2)
        #expect(all.outcome.faults.values.allSatisfy { $0 == .tooSoon(mate.device) })
        #expect(all.count < 12 * alone.count)
        #expect(replica.states[pair.id]?.rows(of: mate.device).count ?? 0 <= 7)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a query is answered in the middle of a merge of many forks`() async throws {
        let runs = try sides(after: stride(from: 500, to: 200, by: -1))
        let alone = try await self.replica().steps(merging: runs, in: pair.id)
        let replica = try await replica()
        let arrived = runs.map { (pair.id, $0) }
        let pause = WriterPause(afterSteps: alone.count / 2, of: replica.pool)
        async let merging = replica.merge(arrived, wallTime: now)
        // The merge is awaited also if what follows fails.
        defer { pause.resume() }
        await pause.reached()
        // Each of these would wait for ever if it needed the writer.
        let titles = try await replica.read("SELECT title FROM note", allowedTables: nil)
        #expect(titles.map { $0["title"] } == [.text("\(Self.logBatchesCount - 1)")])
        let forks = try await replica.readTogether { try $0("SELECT * FROM waggle_fork") }
        #expect(forks.isEmpty)
        #expect(replica.states[pair.id]?.forkedDevices == [])
        pause.resume()
        #expect(try await merging.faults.count == alone.outcome.faults.count)
        pause.end(in: replica.pool)
        #expect(replica.states[pair.id]?.forkedDevices == [mate.device])
    }

    @Test func `the sides that are kept do not depend on how long forks had to wait`()
        async throws
    {
        let runs = try sides(after: stride(from: 500, to: 200, by: -1))
        let (patient, hasty) = (try await replica(), try await replica())
        await hasty.owe(RebuildDebt.unitsMax, by: mate.person)
        for attempt in 0..<40 {
            let later = now + .milliseconds(attempt * 60_000)
            _ = try await hasty.merge(runs.map { (pair.id, $0) }, wallTime: later)
        }
        for (index, run) in runs.reversed().enumerated() {
            let later = now + .milliseconds(index * 60_000)
            _ = try await patient.merge([(pair.id, run)], wallTime: later)
        }
        #expect(try await Dump(hasty) == Dump(patient))
        #expect(await hasty.spaces() == patient.spaces())
    }

    @Test func `work is not estimated while other work of the person must wait`() throws {
        var pace = RebuildPace()
        let person = mate.person
        let charged = [
            pace.charge(person, RebuildDebt.unitsMax - 10, wallTime: now),
            pace.charge(person, 1000, wallTime: now),
            pace.charge(person, 1, wallTime: now),
        ]
        #expect(charged == [true, false, false])
        let waits = [
            pace.mustWait(person, wallTime: now + .milliseconds(989)),
            pace.mustWait(person, wallTime: now + .milliseconds(990)),
            pace.mustWait(me.person, wallTime: now),
        ]
        #expect(waits == [true, false, false])
    }
}
