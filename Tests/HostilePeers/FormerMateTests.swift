import FeaturesAPI
import Identity
import Node
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A former mate who goes on writing into the space that the two shared.
@Suite(.serialized) struct FormerMateTests {
    private func walk(
        _ message: String, by mate: HostileMate, in log: inout WrittenLog
    ) throws {
        try log.write(
            log.record(
                "neighbours.walk/1",
                [
                    (1, .bytes(mate.victimPerson.bytes)), (2, .real(1)), (3, .real(2)),
                    (5, .text(message)), (6, .integer(HostilePeer.now().milliseconds)),
                ]))
    }

    private func invitation(by mate: HostileMate, in log: inout WrittenLog) throws {
        let group = SpaceDescriptor.group(
            owner: mate.identity.person.person, nonce: Bytes16(prefixOf: mate.me.raw))
        try log.write(
            log.record(
                "neighbours.invitation/1",
                [
                    (1, .bytes(group.encoded)), (2, .text("neighbours")), (3, .text("Walkers")),
                    (4, .text("writer")), (5, .text("invited")),
                    (6, .integer(HostilePeer.now().milliseconds)),
                ]))
    }

    /// The items of the victim's inbox that ask for something.
    private func open(_ mate: HostileMate) async throws -> [InboxList.Item] {
        try await mate.victim.inboxItems().filter { item in
            ["walk", "group"].contains(item.kind) && !item.handled
        }
    }

    @Test func `after a mateship ended, nothing that the former mate writes reminds anyone`()
        async throws
    {
        let mate = try await HostileMate.capture()
        var log = try await mate.log(in: mate.pair.id)
        try walk("Before", by: mate, in: &log)
        let peer = try await mate.link()
        _ = try await peer.answers(to: [try log.push()])
        _ = await eventually { (try? await open(mate).count) == 1 }
        #expect(try await open(mate).count == 1)
        try await mate.victim.call(
            MateCommands.remove, .init(person: NameOrKey(mate.identity.person.person)))
        // Their earlier request is settled.
        #expect(await eventually { (try? await open(mate).isEmpty) == true })
        // The pair is still shared, since they have not acknowledged its end.
        let count = try await mate.pairCounts().batches
        try walk("After", by: mate, in: &log)
        try invitation(by: mate, in: &log)
        _ = try await peer.answers(to: [try log.push(1..<3)])
        #expect(
            await eventually { (try? await mate.pairCounts().batches) == count + 2 },
            "the batches are not there")
        _ = try await peer.answers(to: [])
        #expect(try await open(mate).isEmpty)
        peer.close()
        try await mate.end()
    }
}
