import ControlAPI
import FeaturesAPI
import Identity
import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A member of a group who introduces themselves a thousand times, under ids of their choice: each
/// person may have one record there, whose id is known.
@Suite(.serialized, .timeLimit(.minutes(3))) struct GroupNameFloodTests {
    private static let recordsCount = 1000

    @Test func `a thousand introductions by one member count for nothing, and others are served`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let victim = mate.victim
        let eve = try await HonestMate.of(victim)
        let created = try await victim.call(GroupCommands.create, .init(name: Text("Walkers")))
        let group = NameOrKey(created.id)
        let space = try #require(SpaceID(group.string))
        let person = mate.identity.person.person
        try await victim.call(
            GroupCommands.invite, .init(group: group, person: NameOrKey(person)))
        var log = WrittenLog(mate.identity.key, in: space)
        try log.write([Operation(control: .accept)])
        for number in 0..<Self.recordsCount {
            try log.write(
                log.record(
                    "neighbours.group/1",
                    [(1, .text("Mine \(number)")), (2, .text("Name \(number)"))]))
        }
        let peer = try await mate.link()
        try await peer.announce([space])
        let before = try await counts(of: space, at: victim)
        _ = try await peer.answers(to: [try log.push(0..<2, channel: 3)])
        // One by one, so that the victim follows each of them.
        for number in 2..<200 {
            _ = try await peer.answers(to: [try log.push(number..<number + 1, channel: 3)])
        }
        try await eve.message("in between")
        _ = try await peer.answers(
            to: [try log.push(200..<Self.recordsCount + 1, channel: 3)])
        try await eve.message("afterwards")

        let after = try await counts(of: space, at: victim)
        #expect(after.batches - before.batches == Self.recordsCount + 1)
        // The beginning of each record is void, and its fields wait for one that counts.
        #expect(after.void - before.void == Self.recordsCount)
        let shown = try await victim.call(GroupCommands.show, .init(group: group))
        #expect(shown.name.string == "Walkers")
        let member = shown.members.first { $0.person == Key(person) }
        #expect(member?.state == .member)
        #expect(shown.members.count == 2)
        #expect(try await victim.call(GroupCommands.list).groups.count == 1)
        peer.close()
        try await eve.node.remove()
        try await mate.end()
    }

    private func counts(
        of space: SpaceID, at victim: RunningNode
    ) async throws -> (batches: Int, void: Int) {
        let spaces = try await victim.call(NodeCommands.status).spaces
        let one = try #require(spaces.first { $0.id == Key(space) })
        return (one.batches.value, one.void.value)
    }
}
