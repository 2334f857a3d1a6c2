import Identity
import Records
import Testing

@testable import Replica

/// Batches of one person that make a replica merge a whole space again, one after another.
struct RebuildPaceTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let salt = Bytes16([UInt8](repeating: 5, count: 16)) ?? .zero

    init() throws {
        me = try Someone(seed: 91)
        mate = try Someone(seed: 92, deviceCount: 2)
        pair = .between(me.person, mate.person)
    }

    @Test func `a person is charged with the work of a rebuild, and the debt falls with time`() {
        var pace = RebuildPace()
        let half = RebuildDebt.unitsMax / 2
        let answers = [
            pace.charge(mate.person, half, wallTime: now),
            pace.charge(mate.person, half, wallTime: now),
            pace.charge(mate.person, 1, wallTime: now),
            pace.charge(me.person, 1, wallTime: now),
            pace.charge(mate.person, 1000, wallTime: now + .milliseconds(999)),
            pace.charge(mate.person, 1000, wallTime: now + .milliseconds(1000)),
            pace.charge(mate.person, 1, wallTime: now - .milliseconds(1_000_000)),
            pace.charge(mate.person, 1, wallTime: now - .milliseconds(999_999)),
        ]
        #expect(answers == [true, true, false, true, false, true, false, true])
    }

    @Test func `one rebuild of a large space is made at once, and the next after it is paid for`() {
        var pace = RebuildPace()
        let count = 5 * RebuildDebt.unitsMax
        // One batch more than the limit, so the first thousandth of a second pays for it.
        let later = now + .milliseconds(count - RebuildDebt.unitsMax)
        let answers = [
            pace.charge(mate.person, count, wallTime: now),
            pace.charge(mate.person, 1, wallTime: later),
            pace.charge(mate.person, 1, wallTime: later + .milliseconds(1)),
        ]
        #expect(answers == [true, false, true])
    }

    @Test func `people who have paid are forgotten`() throws {
        var pace = RebuildPace()
        for number in 0..<10 {
            let someone = try Someone(seed: UInt64(200 + number))
            let isFree = pace.charge(
                someone.person, 1000, wallTime: now + .milliseconds(100 * number))
            #expect(isFree)
        }
        #expect(pace.debtorsCount == 10)
        _ = pace.charge(me.person, 1, wallTime: now + .milliseconds(1450))
        #expect(pace.debtorsCount == 6)
        _ = pace.charge(me.person, 1, wallTime: now + .milliseconds(100_000))
        #expect(pace.debtorsCount == 1)
    }

    @Test func `bodies that arrive late are paced like batches with their bodies`() async throws {
        let (notes, erases) = try notesAndErases(1000)
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: [pair])
        try await replica.merge([notes])
        let bare = erases.run(0..<40) { _ in true }
        #expect(try await replica.merge([(pair.id, bare)], wallTime: now).faults.isEmpty)
        #expect(try await replica.summary(pair)?.missing == 40)
        var refused = 0
        for step in 0..<40 {
            let outcome = try await replica.merge(
                [(pair.id, erases.run(step..<step + 1))], wallTime: now)
            refused += outcome.faults.count
            #expect(outcome.faults[0].map { $0 == .tooSoon(mate.devices[1].id) } ?? true)
        }
        #expect((20...23).contains(refused))
        #expect(try await replica.summary(pair)?.missing == refused)
        _ = try await replica.merge(
            [(pair.id, erases.run(0..<40))], wallTime: now + .milliseconds(3000))
        #expect(try await replica.summary(pair)?.missing == 0)
        #expect(try await Dump(replica).lines.count == 960)
    }

    /// Returns a log of notes, and for each an erase in a separate batch by another device.
    private func notesAndErases(_ count: Int) throws -> (notes: Author, erases: Author) {
        var (notes, erases) = (Author(mate.key, in: pair), Author(mate.devices[1], in: pair))
        for number in 0..<count {
            let nonce = Bytes16(
                Array(repeating: UInt8(number & 255), count: 15) + [UInt8(number >> 8)])
            let entity = Operation.entity(
                in: pair.id, of: RecordCollection.note.id, by: mate.device, nonce: nonce ?? .zero)
            try notes.write(
                [
                    Operation(
                        collection: RecordCollection.note.id, entity: entity,
                        action: .create(nonce: nonce ?? .zero))
                ], at: now + .milliseconds(number), salt: salt)
        }
        for batch in notes.batches {
            try erases.write([.erase(batch)], at: now + .milliseconds(count + erases.batches.count))
        }
        return (notes, erases)
    }

    @Test func `erases that arrive one after another are paced, and other spaces go on meanwhile`()
        async throws
    {
        let card = SpaceDescriptor.card(mate.person)
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: [pair, card])
        let count = 1000
        let (notes, erases) = try notesAndErases(count)
        try await replica.merge([notes])
        var others = Author(mate.key, in: card)
        var (done, refused) = (0, 0)
        var (stepsDone, stepsRefused) = (0, 0)
        // Each batch of the space counts, that of the erase too.
        let allowed = RebuildDebt.unitsMax / (count + 1) - 1
        for step in 0..<40 {
            try others.write([others.create(UInt8(step)).operation], at: now + .milliseconds(step))
            let (outcome, steps) = try await replica.steps(
                merging: [erases.run(done..<done + 1)], in: pair.id)
            if outcome.faults[0] == nil {
                done += 1
                stepsDone += steps
            } else {
                #expect(outcome.faults[0] == .tooSoon(mate.devices[1].id))
                refused += 1
                stepsRefused += steps
            }
            let other = try await replica.merge(
                [(card.id, others.run(step..<step + 1))], wallTime: now)
            #expect(other.faults.isEmpty)
        }
        // All refused erases together take less than one rebuild.
        #expect(refused > 10 && stepsRefused < stepsDone / done)
        #expect((allowed - 1...allowed + 1).contains(done))
        #expect(done + refused == 40)
        #expect(try await Dump(replica).lines.count == count - done + 40)
        // All that is left comes in one merge, after a pause: one rebuild.
        _ = try await replica.merge(
            [(pair.id, erases.run(done..<count))], wallTime: now + .milliseconds(3000))
        #expect(try await Dump(replica).lines.count == 40)
    }

    @Test func `a rebuild is charged with its operations, not only with its batches`()
        async throws
    {
        let (notes, erases) = try notesAndErases(2)
        var counts = Author(mate.key, in: pair)
        let note = counts.create(9)
        let operations = (1..<Limits.batchOperationsMax).map { _ in
            Operation.count(note.entity, "sum_any", 1)
        }
        counts = notes
        try counts.write([note.operation] + operations, at: now + .milliseconds(50), salt: salt)
        let replica = try await homes.make().replica(of: me.key, knowing: [me, mate], in: [pair])
        try await replica.merge([counts])
        // Enough for many rebuilds of five batches, and for one of these operations.
        let units = Limits.batchOperationsMax / RebuildWork.operationsPerUnit
        await replica.owe(RebuildDebt.unitsMax - units - 20, by: mate.person)
        var faults: [BatchFault?] = []
        for step in 0..<2 {
            let run = erases.run(step..<step + 1)
            faults.append(try await replica.merge([(pair.id, run)], wallTime: now).faults[0])
        }
        #expect(faults == [nil, .tooSoon(mate.devices[1].id)])
    }

    @Test func `an owner's removals are paced too, and take effect after a pause`() async throws {
        let group = try await Group(of: (1...3).map { try Someone(seed: 300 + $0) }, in: homes)
        try await group.join([.writer, .writer])
        try await group.write(1, "after the cut")
        try await group.copy(1, to: 2)
        try await group.control(0, [.cut(group.person(1))])
        await group[2].owe(RebuildDebt.unitsMax, by: group.person(0))
        #expect(try await group.copy(0, to: 2) == [.tooSoon(group.people[0].device)])
        #expect(try await group.titles(2) == ["after the cut"])
        #expect(try await group.copy(0, to: 2, at: now + .milliseconds(1000)).isEmpty)
        #expect(try await group.titles(2).isEmpty)
        try await group.settle(at: now + .milliseconds(1000))
        try await group.expectEqual()
    }

    @Test func `held batches that become due one after another make a space merge again in turn`()
        async throws
    {
        let (notes, early) = try notesAndErases(2)
        var erases = Author(mate.devices[1], in: pair)
        for (step, _) in early.batches.enumerated() {
            try erases.write(
                [.erase(notes.batches[step])],
                at: now + Limits.stampAheadMax + .milliseconds(5 + step))
        }
        let replica = try await homes.make().replica(of: me.key, knowing: [me, mate], in: [pair])
        try await replica.merge([notes, erases])
        let due = now + .milliseconds(5)
        #expect(replica.upkeep.nextDue == due)
        replica.states[pair.id]?.rebuildDebt.add(RebuildDebt.unitsMax - 4, wallTime: due)
        #expect(try await replica.releaseDue(wallTime: due).count == 1)
        let later = try #require(replica.upkeep.nextDue)
        #expect(later > due + .milliseconds(1))
        #expect(try await replica.releaseDue(wallTime: later - .milliseconds(1)).isEmpty)
        #expect(try await Dump(replica).lines.count == 1)
        #expect(try await replica.releaseDue(wallTime: later).count == 1)
        #expect(try await Dump(replica).lines.isEmpty)
    }

    @Test func `the pace changes nothing about the result`() async throws {
        let (notes, erases) = try notesAndErases(8)
        var dumps: [Dump] = []
        for isSlow in [false, true] {
            let replica = try await homes.make().replica(
                of: me.key, knowing: [me, mate], in: [pair])
            try await replica.merge([notes])
            if isSlow {
                for end in 1...8 {
                    _ = try await replica.merge(
                        [(pair.id, erases.run(end - 1..<end))], wallTime: now)
                }
            } else {
                try await replica.merge([erases])
            }
            dumps.append(try await Dump(replica))
            #expect(try await replica.summary(pair)?.missing == 0)
        }
        #expect(dumps[0] == dumps[1])
    }
}
