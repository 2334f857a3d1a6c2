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

/// A mate who writes a thousand records of collections in which each person has one.
@Suite(.serialized) struct ForgedRecordTests {
    private static let forgedCount = 1000

    @Test func `further profiles of a mate enter no table, and lists stay as they were`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let mates = try await Self.names(mate.victim)
        let card = SpaceDescriptor.card(mate.identity.person.person).id
        let peer = try await mate.link()
        for (space, collection, channel) in [
            (card, "neighbours.profile/1", UInt64(2)), (mate.pair.id, "neighbours.edge/1", 0),
        ] {
            var log = try await mate.log(in: space)
            for number in 0..<Self.forgedCount {
                try log.write(log.record(collection, [(1, .text("Forged \(number)"))]))
            }
            let void = try await Self.void(space, of: mate)
            for first in stride(from: 0, to: Self.forgedCount, by: 250) {
                _ = try await peer.answers(
                    to: [try log.push(first..<first + 250, channel: channel)])
            }
            // Each record begins with an operation that is void, and so are its fields.
            #expect(try await Self.void(space, of: mate) >= void + Self.forgedCount)
        }
        #expect(try await Self.names(mate.victim) == mates)
        #expect(mates.count == 1)
        try await mate.victim.call(
            MateCommands.remove, .init(person: NameOrKey(mate.identity.person.person)))
        peer.close()
        try await mate.end()
    }

    /// Returns the names in the list of mates.
    private static func names(_ node: RunningNode) async throws -> [String] {
        let mates = try await node.call(MateCommands.list).mates
        return mates.map { "\($0.person) \($0.profile.nickname ?? "")" }
    }

    /// Returns how many batches of a space have an operation that is void.
    private static func void(_ space: SpaceID, of mate: HostileMate) async throws -> Int {
        let spaces = try await mate.victim.call(NodeCommands.status).spaces
        return spaces.first { $0.id == Key(space) }?.void.value ?? -1
    }
}
