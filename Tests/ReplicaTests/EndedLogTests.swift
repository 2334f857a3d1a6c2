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
        var other = Author(me.devices[1], in: pair)
        try other.write(
            [
                Operation(
                    collection: .control, entity: .control, action: .cut(me.person, [head]))
            ], at: now + .milliseconds(1))
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
}
