import FeaturesAPI
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// Announcements that the plugins of two nodes exchange over a real link.
@Suite(.serialized) struct AnnouncingTests {
    private enum BeaconCommands {
        static let say = Command<Say, Done>(
            .action, "beacon", "say", help: "Announces a text.")
        static let turn = Command<Turn, Done>(
            .action, "beacon", "switch", help: "Turns the switch.")
        static let list = Command<NoParameters, Sightings>(
            .query, "beacon", "list", help: "Lists what others announce.")
    }

    private struct Say: CommandRequest {
        var text: String
        static let help = ["text": "What to announce."]
    }

    private struct Turn: CommandRequest {
        var on: Bool
        static let help = ["on": "Whether it is on."]
    }

    private struct Sightings: Codable, Sendable { var people: [Sighting] }

    private struct Sighting: Codable, Hashable, Sendable {
        var keys: [String]
        var text: String
        var on: Bool
    }

    /// Announces given fields, and lists what others announce.
    private struct Beacon: Plugin {
        static let manifest = Manifest(
            id: "beacon", version: 1,
            announces: [
                .init("bea", bytesMax: 96, shown: .always),
                .init("on", bytesMax: 1, shown: .whileSwitchedOn),
            ], services: [.nearby])

        static let commands: [CommandHandler] = [
            handle(BeaconCommands.say) { beacon, request in
                try await beacon.context.nearby.announce("bea", Array(request.text.utf8))
                try await beacon.context.nearby.announce("on", [1])
                return Done()
            },
            handle(BeaconCommands.turn) { beacon, request in
                try await beacon.context.nearby.setSwitch("on", isOn: request.on)
                return Done()
            },
            handle(BeaconCommands.list) { beacon, _ in
                Sightings(
                    people: try await beacon.context.nearby.people().map { person in
                        Sighting(
                            keys: person.announced.keys.map { $0 },
                            text: String(decoding: person.announced["bea"] ?? [], as: UTF8.self),
                            on: person.switchedOn.contains("beacon"))
                    })
            },
        ]

        let context: PluginContext
        init(context: PluginContext) { self.context = context }
    }

    private func nodes(
        _ one: [any Plugin.Type], _ other: [any Plugin.Type]
    ) async throws -> Meeting {
        let meeting = Meeting(
            one: try await .start(try RunningNode.founded(), plugins: PluginCatalogue.all + one),
            other: try await .start(
                try RunningNode.founded(), plugins: PluginCatalogue.all + other))
        for (node, name) in [(meeting.one, "Ana"), (meeting.other, "Bob")] {
            try await node.call(ProfileCommands.edit, Meeting.profile(name, dog: "Rex"))
        }
        try await meeting.one.dial(meeting.other)
        try await meeting.other.wait(for: NearbyCommands.list) {
            $0.people.count == 1
        }
        return meeting
    }

    @Test func `a plugin's fields reach only the same plugin on the other node`() async throws {
        let meeting = try await nodes([Beacon.self], [Beacon.self])
        try await meeting.one.call(NearbyCommands.showToEveryone)
        let longest = String(repeating: "b", count: 96)
        try await meeting.one.call(BeaconCommands.say, .init(text: longest))
        let said = try await meeting.other.wait(for: BeaconCommands.list) {
            $0.people.first?.text == longest
        }
        #expect(said.people == [Sighting(keys: ["bea"], text: longest, on: false)])
        try await meeting.one.call(BeaconCommands.turn, .init(on: true))
        let on = try await meeting.other.wait(for: BeaconCommands.list) {
            $0.people.first?.on == true
        }
        #expect(on.people.first?.keys == ["bea", "on"])
        let list = try await meeting.other.call(NearbyCommands.list)
        #expect(list.people.first?.name == "Ana")
        #expect(list.people.first?.isOpenToMeet == false)
        try await meeting.one.call(BeaconCommands.turn, .init(on: false))
        try await meeting.other.wait(for: BeaconCommands.list) {
            $0.people.first?.on == false
        }
        try await meeting.end()
    }

    @Test func `a field one byte too long is refused, and the old announcement stays`() async throws
    {
        let meeting = try await nodes([Beacon.self], [Beacon.self])
        try await meeting.one.call(BeaconCommands.say, .init(text: "short"))
        await #expect(throws: CommandFault.self) {
            try await meeting.one.call(
                BeaconCommands.say, .init(text: String(repeating: "b", count: 97)))
        }
        try await meeting.other.wait(for: BeaconCommands.list) {
            $0.people.first?.text == "short"
        }
        try await meeting.end()
    }

    @Test func `a field of a plugin that the other node lacks does no harm`() async throws {
        let meeting = try await nodes([Beacon.self], [])
        try await meeting.one.call(BeaconCommands.say, .init(text: "for nobody"))
        try await meeting.one.call(BeaconCommands.turn, .init(on: true))
        try await meeting.one.call(NearbyCommands.showToEveryone)
        let list = try await meeting.other.wait(for: NearbyCommands.list) {
            $0.people.first?.name == "Ana"
        }
        #expect(list.people.first?.isOpenToMeet == false)
        try await meeting.end()
    }
}
