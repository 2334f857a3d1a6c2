import ChatAPI
import FeaturesAPI
import Features
import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// The rooms of groups that their plugin no longer needs.
@Suite struct OverRoomTests {
    /// A plugin whose groups are over from a time on.
    private struct Outings: Plugin {
        static let outing = RecordCollection(
            "outings.outing/1", table: "outings_outing", spaces: [.group],
            fields: [.init(1, "over_ms", .integer(0...Timestamp.millisecondsMax), writer: .owner)])
        static let manifest = Manifest(
            id: "outings", version: 1, collections: [outing],
            views: [
                Manifest.View(
                    "outings_titles", "SELECT space, 'Outing' AS title, over_ms FROM outings_outing"
                ),
                Manifest.View(
                    "outings_names",
                    "SELECT space, creator AS person, NULL AS name FROM outings_outing WHERE 0"),
            ], services: [.groups],
            groups: .init(titlesView: "outings_titles", namesView: "outings_names"))
        let context: PluginContext
        init(context: PluginContext) { self.context = context }

        /// Begins an outing.
        func begin() async throws -> SpaceDescriptor {
            let group = try await context.groups.create()
            try await record(group, overIn: .seconds(3600))
            return group
        }

        /// Records how soon an outing is over.
        func record(_ group: SpaceDescriptor, overIn span: Duration) async throws {
            let over = context.clock.wallTime + span
            try await context.replica.author(
                [
                    .own(
                        collection: Self.outing.name,
                        fields: ["over_ms": .integer(over.milliseconds)])
                ], in: group)
        }
    }

    private func walker(
        seed: UInt64, _ nickname: String, _ network: TestNetwork
    ) async throws -> TestHost {
        let host = try await network.host(
            seed: seed, [CoreFeatures.self, Chat.self, Outings.self])
        try await host.call(
            ProfileCommands.edit, .init(nickname: Nickname(nickname), dogName: Text("Bori")))
        try await network.settle()
        return host
    }

    /// Returns the ids of the rooms that are listed.
    private func listed(_ host: TestHost) async throws -> Set<NameOrKey> {
        Set(try await host.rooms().map { NameOrKey($0.id) })
    }

    @Test func `a group that is over has a room only if it has a message`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await walker(seed: 1, "Ann", network)
            let outings = try #require(ann.plugin(Outings.self))
            let (silent, spoken) = (try await outings.begin(), try await outings.begin())
            let (silentRoom, spokenRoom) = (NameOrKey(silent.id), NameOrKey(spoken.id))
            try await ann.say("At the gate", to: spokenRoom)
            #expect(try await listed(ann) == [silentRoom, spokenRoom])
            for group in [silent, spoken] { try await outings.record(group, overIn: .zero) }
            #expect(try await listed(ann) == [spokenRoom])
            #expect(try await ann.texts(in: spokenRoom) == ["At the gate"])
            try await outings.record(silent, overIn: .seconds(3600))
            #expect(try await listed(ann) == [silentRoom, spokenRoom])
        }
    }

    @Test func `an empty room is listed until the time at which its group is over`() async throws {
        try await TestNetwork.with { network in
            let ann = try await walker(seed: 1, "Ann", network)
            let group = try await #require(ann.plugin(Outings.self)).begin()
            try await network.skip(seconds: 3599)
            #expect(try await listed(ann) == [NameOrKey(group.id)])
            try await network.skip(seconds: 1)
            #expect(try await listed(ann).isEmpty)
        }
    }

    @Test func `a new message in a room that is over lists it again`() async throws {
        try await TestNetwork.with { network in
            let ann = try await walker(seed: 1, "Ann", network)
            let outings = try #require(ann.plugin(Outings.self))
            let group = try await outings.begin()
            try await outings.record(group, overIn: .zero)
            #expect(try await listed(ann).isEmpty)
            try await ann.say("Another time", to: NameOrKey(group.id))
            #expect(try await listed(ann) == [NameOrKey(group.id)])
        }
    }

    @Test func `a room that is over leaves nothing in the inbox once its one message is deleted`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await walker(seed: 1, "Ann", network)
            let ben = try await walker(seed: 2, "Ben", network)
            try await network.setLink(ann, ben, isUp: true)
            try await network.befriend(ann, ben, number: 7)
            let outings = try #require(ann.plugin(Outings.self))
            let group = try await outings.begin()
            let room = NameOrKey(group.id)
            try await outings.context.groups.invite(
                ben.me.person, to: group, as: .writer, named: "Outing")
            try await network.settle()
            let theirs = try #require(ben.plugin(Outings.self))
            try await theirs.context.groups.accept(group)
            try await network.settle()
            let id = try await ann.say("At the gate", to: room)
            try await outings.record(group, overIn: .zero)
            try await network.settle()
            #expect(try await ben.room(room)?.unread == 1)
            #expect(try await ben.waiting().count == 1)
            try await ann.delete(id, forEveryone: true)
            try await network.settle()
            #expect(try await ben.room(room) == nil)
            #expect(try await ben.waiting().isEmpty)
        }
    }
}
