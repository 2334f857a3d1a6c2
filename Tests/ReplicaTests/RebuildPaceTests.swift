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

    @Test func `a person is charged with the batches of the space, and the debt falls with time`() {
        var pace = RebuildPace()
        let half = RebuildPace.batchesMax / 2
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
        let count = 5 * RebuildPace.batchesMax
        // One batch more than the limit, so the first thousandth of a second pays for it.
        let later = now + .milliseconds(count - RebuildPace.batchesMax)
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
        #expect((20...22).contains(refused))
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
        // Each batch of the space counts, that of the erase too.
        let allowed = RebuildPace.batchesMax / (count + 1) - 1
        for step in 0..<40 {
            try others.write([others.create(UInt8(step)).operation], at: now + .milliseconds(step))
            let outcome = try await replica.merge(
                [
                    (pair.id, erases.run(done..<done + 1)),
                    (card.id, others.run(step..<step + 1)),
                ], wallTime: now)
            #expect(outcome.faults[1] == nil)
            if outcome.faults[0] == nil {
                done += 1
            } else {
                #expect(outcome.faults[0] == .tooSoon(mate.devices[1].id))
                refused += 1
            }
        }
        #expect((allowed - 1...allowed + 1).contains(done))
        #expect(done + refused == 40)
        #expect(try await Dump(replica).lines.count == count - done + 40)
        // All that is left comes in one merge, after a pause: one rebuild.
        _ = try await replica.merge(
            [(pair.id, erases.run(done..<count))], wallTime: now + .milliseconds(3000))
        #expect(try await Dump(replica).lines.count == 40)
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
