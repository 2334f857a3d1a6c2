import ControlAPI
import FeaturesAPI
import Identity
import Links
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// A mate who invites the victim to groups whose other members are made up.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InventedPeopleTests {
    /// The limit of one person's batches in a space that the victim chooses: one mebibyte.
    private static let authorBytesMax = 1 << 20
    /// The bodies that each invented person writes: nearly the limit.
    private static let (bodiesCount, bodyBytes) = (16, 60_000)

    @Test func `invented members of groups that nobody joined share the room of their inviter`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let victim = mate.victim
        try await victim.call(NodeCommands.setStorage, .init(authorMebibytes: Whole(1)))
        let groups = try (0..<2).map { try InventedGroup($0, by: mate, peopleCount: 2) }
        let peer = try await mate.link()
        try await invite(to: groups, mate, peer)
        let before = try await used(victim)
        for (index, group) in groups.enumerated() {
            _ = try await peer.answers(to: try group.messages(channel: UInt64(3 + index)))
        }
        #expect(try await used(victim) - before <= Self.authorBytesMax)

        // The invitations show the names and the members.
        for group in groups {
            let shown = try await show(group, at: victim)
            #expect(shown.name.string == group.name && shown.state == .invited)
            #expect(shown.members.count == 4)
        }
        // After the victim has joined a group, each member there has room of their own.
        let joined = groups[0]
        try await victim.call(
            GroupCommands.accept, .init(group: NameOrKey(Key(joined.descriptor.id))))
        _ = try await peer.answers(to: try joined.messages(channel: 3))
        let each = Self.bodiesCount * Self.bodyBytes
        #expect(try await used(victim) - before >= 2 * each)
        peer.close()
        try await mate.end()
    }

    @Test func `invented members are strangers until the victim joins their group`() async throws {
        let mate = try await HostileMate.capture()
        let victim = mate.victim
        let group = try InventedGroup(0, by: mate, peopleCount: 6)
        let peer = try await mate.link()
        try await invite(to: [group], mate, peer)
        _ = try await peer.answers(to: try group.messages(channel: 3, fills: false))
        try await victim.wait(for: GroupCommands.list) { answer in
            answer.groups.contains { $0.state == .invited && $0.peopleCount == 8 }
        }
        await link(group, with: victim)
        #expect(
            try await victim.call(NodeCommands.status).links.count
                == 1 + DialPlan.strangersPerAddressMax)

        try await victim.call(
            GroupCommands.accept, .init(group: NameOrKey(Key(group.descriptor.id))))
        await link(group, with: victim)
        #expect(try await victim.call(NodeCommands.status).links.count == 1 + group.people.count)
        peer.close()
        try await mate.end()
    }

    /// Links the invented people with a node, as far as it lets them.
    private func link(_ group: InventedGroup, with victim: RunningNode) async {
        for (key, person) in group.people {
            let peer = try? await HostilePeer.dial(victim.port, as: key, person)
            _ = try? await peer?.answers(to: [])
        }
    }

    /// Invites the victim and waits until the groups are open; they are the channels 3, 4 …
    private func invite(
        to groups: [InventedGroup], _ mate: HostileMate, _ peer: HostilePeer
    ) async throws {
        var log = try await mate.log(in: mate.pair.id)
        for group in groups {
            try log.write(
                log.record(
                    "neighbours.invitation/1",
                    [
                        (1, .bytes(group.descriptor.encoded)), (2, .text("neighbours")),
                        (3, .text(group.name)), (4, .text("writer")), (5, .text("invited")),
                        (6, .integer(HostilePeer.now().milliseconds)),
                    ]))
        }
        _ = try await peer.answers(to: [try log.push()])
        try await mate.victim.wait(for: GroupCommands.list) { $0.groups.count == groups.count }
        try await peer.announce(groups.map(\.descriptor.id))
    }

    private func used(_ victim: RunningNode) async throws -> Int {
        try await victim.call(NodeCommands.status).storage.usedBytes.value
    }

    private func show(
        _ group: InventedGroup, at victim: RunningNode
    ) async throws -> GroupDetail {
        try await victim.call(
            GroupCommands.show, .init(group: NameOrKey(Key(group.descriptor.id))))
    }

    /// A group of a hostile mate with members who do not exist.
    private struct InventedGroup {
        let name: String
        let descriptor: SpaceDescriptor
        let people: [(key: DeviceKey, person: PersonRecord)]
        private let founder: WrittenLog
        private let logs: [WrittenLog]

        init(_ number: UInt8, by mate: HostileMate, peopleCount: Int) throws {
            name = "Walkers \(number)"
            descriptor = .group(
                owner: mate.identity.person.person,
                nonce: Bytes16(prefixOf: Digest.entity.hash([number])))
            people = try (0..<peopleCount).map { _ in try HostilePeer.stranger() }
            var founder = WrittenLog(mate.identity.key, in: descriptor.id)
            let members = [mate.victimPerson] + people.map(\.person.person)
            try founder.write(members.map { Operation(control: .grant($0, .writer)) })
            self.founder = founder
            let space = descriptor.id
            logs = try people.map { key, _ in
                var log = WrittenLog(key, in: space)
                try log.write([Operation(control: .accept)])
                for _ in 0..<InventedPeopleTests.bodiesCount {
                    try log.write(InventedPeopleTests.body(by: key.id, in: space))
                }
                return log
            }
        }

        /// Returns the messages that bring the group.
        /// - Parameter fills: whether its members fill their room.
        func messages(channel: UInt64, fills: Bool = true) throws -> [Message] {
            var messages = [try founder.push(channel: channel)]
            messages.append(.identity(people.map { ClaimedPersonRecord($0.person) }))
            for log in logs {
                for number in log.batches.indices where fills || number == 0 {
                    messages.append(try log.push(number..<number + 1, channel: channel))
                }
            }
            return messages
        }
    }

    /// Returns operations of a collection that nobody declares.
    private static func body(by device: DeviceID, in space: SpaceID) -> [Operation] {
        let collection = CollectionID(name: "test.filler/1")
        let entity = Operation.entity(in: space, of: collection, by: device, nonce: .zero)
        return (1...2).map { field in
            Operation(
                collection: collection, entity: entity,
                action: .set(field: field, .bytes([UInt8](repeating: 7, count: bodyBytes / 2))))
        }
    }
}
