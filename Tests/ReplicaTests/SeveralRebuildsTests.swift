import Identity
import Records
import Testing

@testable import Replica

/// Several spaces that one step makes a replica merge again.
struct SeveralRebuildsTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let spaces: [SpaceDescriptor]
    private let salt = Bytes16([UInt8](repeating: 5, count: 16)) ?? .zero

    init() throws {
        me = try Someone(seed: 801)
        mate = try Someone(seed: 802, deviceCount: 2)
        spaces = [.between(me.person, mate.person), .card(mate.person)]
    }

    /// A log of large notes, and an erase of the first of them by another device.
    /// - Parameters:
    ///   - author: the author of both; nil for the mate.
    ///   - erased: the time of the erase.
    private func noteAndErase(
        in space: SpaceDescriptor, by author: Someone? = nil,
        erased: Timestamp = now + .milliseconds(10)
    ) throws -> (notes: Author, erase: Author) {
        let author = author ?? mate
        var (notes, erase) = (Author(author.key, in: space), Author(author.devices[1], in: space))
        for number in 0..<UInt8(4) {
            let note = notes.create(number)
            // A later version may declare this field: its operations stay in the log.
            let large = Operation.note(
                note.entity,
                .set(field: 4000, .bytes([UInt8](repeating: 7, count: Limits.valueBytesMax))))
            try notes.write(
                [note.operation, large], at: now + .milliseconds(Int(number)), salt: salt)
        }
        try erase.write([.erase(notes.batches[0])], at: erased)
        return (notes, erase)
    }

    @Test func `a step permits one rebuild of any size, or several within the limit`() {
        let half = RebuildDebt.unitsMax / 2
        #expect(permitted([half, half, 1]) == [true, true, false])
        #expect(permitted([5 * RebuildDebt.unitsMax, 1]) == [true, false])
    }

    private func permitted(_ rebuilds: [Int]) -> [Bool] {
        var work = StepWork()
        return rebuilds.map { work.permit(unitsMax: $0) }
    }

    @Test func `no rebuild takes more than its space's bytes allow`() async throws {
        let (notes, erase) = try noteAndErase(in: spaces[0])
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: spaces)
        try await replica.merge([notes])
        let before = try #require(replica.states[spaces[0].id]).rebuildUnitsMax
        #expect(before > RebuildDebt.unitsMax / 3)
        try await replica.merge([erase])
        let after = try #require(replica.states[spaces[0].id])
        #expect(after.lastRebuildUnits > 0 && after.lastRebuildUnits <= before)
    }

    @Test func `of several spaces that one merge would rebuild, some wait for the next`()
        async throws
    {
        let all = try spaces.map { try noteAndErase(in: $0) }
        let more = SpaceDescriptor.own(mate.person)
        let third = try noteAndErase(in: more)
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: spaces + [more])
        let logs = all + [third]
        try await replica.merge(logs.map(\.notes))
        let ids = (spaces + [more]).map(\.id)
        let largest = try ids.map { try #require(replica.states[$0]).rebuildUnitsMax }
        // Two fit into one step, and three do not.
        #expect(largest[0] + largest[1] <= RebuildDebt.unitsMax)
        #expect(largest.reduce(0, +) > RebuildDebt.unitsMax)
        let outcome = try await replica.merge(
            zip(ids, logs).map { ($0, $1.erase.run) }, wallTime: now)
        #expect(outcome.faults == [2: .tooSoon(mate.devices[1].id)])
        let later = try await replica.merge([(ids[2], third.erase.run)], wallTime: now)
        #expect(later.faults.isEmpty)
        #expect(try await Dump(replica).lines.count == 9)
    }

    @Test(arguments: [
        // Two of these spaces fit into one step, and three do not.
        (unitsLast: 0, counts: [10, 9, 9]),
        // Each of them alone takes more than a step may do.
        (unitsLast: 5 * RebuildDebt.unitsMax, counts: [11, 10, 9]),
    ])
    func `of several spaces with held batches that are due, some wait for the next step`(
        unitsLast: Int, counts: [Int]
    ) async throws {
        let all = spaces + [.own(mate.person)]
        let due = now + .milliseconds(20)
        let logs = try all.map { try noteAndErase(in: $0, erased: due + Limits.stampAheadMax) }
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: all)
        try await replica.merge(logs.map(\.notes))
        try await replica.merge(logs.map(\.erase))
        for space in all { replica.states[space.id]?.lastRebuildUnits = unitsLast }
        for count in counts {
            _ = try await replica.releaseDue(wallTime: due)
            #expect(try await Dump(replica).lines.count == count)
            #expect(replica.upkeep.nextDue == (count == counts.last ? nil : due))
        }
    }

    @Test func `a person who must wait does not delay others in the same step`() async throws {
        let other = try Someone(seed: 803, deviceCount: 2)
        let honest = SpaceDescriptor.between(me.person, other.person)
        let all = spaces + [honest]
        var logs = try spaces.map { try noteAndErase(in: $0) }
        logs.append(try noteAndErase(in: honest, by: other))
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, mate, other], in: all)
        try await replica.merge(logs.map(\.notes))
        await replica.owe(RebuildDebt.unitsMax, by: mate.person)
        let outcome = try await replica.merge(
            zip(all, logs).map { ($0.id, $1.erase.run) }, wallTime: now)
        let device = mate.devices[1].id
        #expect(outcome.faults == [0: .tooSoon(device), 1: .tooSoon(device)])
    }
}
