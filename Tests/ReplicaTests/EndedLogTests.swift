import Records
import Replica
import Testing

/// A device whose log another device of the same person has ended, in a space that is not a group.
struct EndedLogTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let note = Edit.own(
        collection: RecordCollection.note.name, fields: ["title": .text("x")])

    init() throws {
        me = try Someone(seed: 1, deviceCount: 2)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    /// Returns a log of the second device with a cut of the first one's log.
    private func cut(at head: LogHead) throws -> Author {
        try cut([head], from: Author(me.devices[1], in: pair))
    }

    /// Returns a log of the second device with one more batch: a cut of its person.
    private func cut(_ heads: [LogHead], from other: Author) throws -> Author {
        var other = other
        try other.write(
            [Operation(control: .cut(me.person, heads))], at: now + .milliseconds(1))
        return other
    }

    @Test func `nothing is written in an ended log, and its earlier batches stay`()
        async throws
    {
        let replica = try await homes.make().replica(
            of: me.devices[0], knowing: [me, mate], in: [pair])
        _ = try await replica.author([note], in: pair.id, wallTime: now)
        #expect(await !replica.hasEndedOwnLog())
        let head = try #require(await replica.heads(in: pair.id).first?.head)
        try await replica.merge([try cut(at: head)])
        #expect(await replica.hasEndedOwnLog())
        let heads = await replica.heads(in: pair.id)
        for edits in [[note], [note, note]] {
            await #expect(throws: BatchFault.beyondCut(me.device)) {
                try await replica.author(edits, in: pair.id, wallTime: now + .milliseconds(2))
            }
        }
        #expect(await replica.heads(in: pair.id) == heads)
        #expect(try await Dump(replica).lines.count == 1)
        #expect(try await replica.damagedBatches(in: pair.id).isEmpty)
    }

    @Test func `the device continues under a new key`() async throws {
        let home = try homes.make()
        let old = try await home.replica(of: me.devices[0], knowing: [me, mate], in: [pair])
        _ = try await old.author([note], in: pair.id, wallTime: now)
        let head = try #require(await old.heads(in: pair.id).first?.head)
        try await old.merge([try cut(at: head)])
        try await old.close()
        let new = try home.replica(me.devices[1])
        #expect(await !new.hasEndedOwnLog())
        _ = try await new.author([note], in: pair.id, wallTime: now + .milliseconds(2))
    }

    @Test func `a log that another device's cut does not name continues`() async throws {
        let replica = try await homes.make().replica(
            of: mate.key, knowing: [me, mate], in: [pair])
        _ = try await replica.author([note], in: pair.id, wallTime: now)
        let head = try #require(await replica.heads(in: pair.id).first?.head)
        // A device of another person ends no log.
        try await replica.merge([try cut(at: head)])
        #expect(await !replica.hasEndedOwnLog())
        _ = try await replica.author([note], in: pair.id, wallTime: now + .milliseconds(2))
    }

    @Test(arguments: [false, true])
    func `a cut that does not name the first device's log leaves it and the membership alone`(
        namesItsOwnLog: Bool
    ) async throws {
        for space in [pair, .card(me.person)] {
            let home = try homes.make()
            let replica = try await home.replica(
                of: me.devices[0], knowing: [me, mate], in: [space])
            _ = try await replica.author([note], in: space.id, wallTime: now)
            var other = Author(me.devices[1], in: space)
            try other.write([other.create(1).operation], at: now)
            let own = LogHead(log: other.log, number: 1, hash: other.batches[0].hash)
            other = try cut(namesItsOwnLog ? [own] : [], from: other)
            try await replica.merge([other])
            #expect(await !replica.hasEndedOwnLog())
            #expect(await replica.members(in: space.id).allSatisfy { $0.state == .member })
            _ = try await replica.author([note], in: space.id, wallTime: now + .milliseconds(2))
            #expect(await replica.heads(in: space.id).map(\.high) == [2, 2])
            // A cut without a log has no effect. One of the device's own log ends it.
            #expect(try await replica.summary(space)?.void == (namesItsOwnLog ? 0 : 1))
            try other.write([other.create(2).operation], at: now + .milliseconds(3))
            let outcome = try await replica.merge([other])
            #expect(outcome.faults.isEmpty == !namesItsOwnLog)
            let summary = await replica.spaces()
            try await replica.close()
            let again = try home.replica(me.devices[0])
            #expect(await again.spaces() == summary)
            _ = try await again.author([note], in: space.id, wallTime: now + .milliseconds(4))
        }
    }
}
