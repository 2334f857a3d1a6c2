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
    /// A plugin whose groups can be over.
    private struct Outings: Plugin {
        static let outing = RecordCollection(
            "outings.outing/1", table: "outings_outing", spaces: [.group],
            fields: [.init(1, "is_over", .boolean, writer: .owner)])
        static let manifest = Manifest(
            id: "outings", version: 1, collections: [outing],
            views: [
                Manifest.View(
                    "outings_titles", "SELECT space, 'Outing' AS title, is_over FROM outings_outing"
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
            try await record(group, isOver: false)
            return group
        }

        /// Records whether an outing is over.
        func record(_ group: SpaceDescriptor, isOver: Bool) async throws {
            try await context.replica.author(
                [.own(collection: Self.outing.name, fields: ["is_over": .boolean(isOver)])],
                in: group)
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
            for group in [silent, spoken] { try await outings.record(group, isOver: true) }
            #expect(try await listed(ann) == [spokenRoom])
            #expect(try await ann.texts(in: spokenRoom) == ["At the gate"])
            try await outings.record(silent, isOver: false)
            #expect(try await listed(ann) == [silentRoom, spokenRoom])
        }
    }

    @Test func `a new message in a room that is over lists it again`() async throws {
        try await TestNetwork.with { network in
            let ann = try await walker(seed: 1, "Ann", network)
            let outings = try #require(ann.plugin(Outings.self))
            let group = try await outings.begin()
            try await outings.record(group, isOver: true)
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
            try await outings.record(group, isOver: true)
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
