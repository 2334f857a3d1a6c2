import NodeTestSupport
import PluginKit
import Testing

@testable import Node

/// Announcements that the plugins of two nodes exchange over a real link.
@Suite(.serialized) struct AnnouncingTests {
    /// Announces given fields, and lists what others announce.
    private struct Beacon: Plugin {
        static let manifest = Manifest(
            id: "beacon", version: 1,
            announces: [
                .init("bea", bytesMax: 96, shown: .always),
                .init("on", bytesMax: 1, shown: .whileSwitchedOn),
            ], services: [.nearby])

        static let commands = [
            CommandHandler(
                CommandDeclaration(
                    "beacon", "say", .action, help: "Announces a text.",
                    parameters: [.required("text", .text, "What to announce.")], result: .any),
                of: Beacon.self
            ) { beacon, arguments in
                try await beacon.context.nearby.announce(
                    "bea", Array((arguments["text"]?.string ?? "").utf8))
                try await beacon.context.nearby.announce("on", [1])
                return .object([:])
            },
            CommandHandler(
                CommandDeclaration(
                    "beacon", "switch", .action, help: "Turns the switch.",
                    parameters: [.required("on", .boolean, "Whether it is on.")], result: .any),
                of: Beacon.self
            ) { beacon, arguments in
                try await beacon.context.nearby.setSwitch(
                    "on", isOn: arguments["on"] == true)
                return .object([:])
            },
            CommandHandler(
                CommandDeclaration(
                    "beacon", "list", .query, help: "Lists what others announce.", result: .any),
                of: Beacon.self
            ) { beacon, _ in
                .array(
                    try await beacon.context.nearby.people().map { person in
                        [
                            "keys": .array(person.announced.keys.map { .string($0) }),
                            "text": .string(
                                String(decoding: person.announced["bea"] ?? [], as: UTF8.self)),
                            "on": .boolean(person.switchedOn.contains("beacon")),
                        ]
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
            try await node.perform("me", "edit", Meeting.profile(name, dog: "Rex"))
        }
        try await meeting.one.perform("peer", "add", ["address": .string(meeting.other.address)])
        _ = try await meeting.other.wait(for: "nearby", "list") {
            $0["people"]?.array?.count == 1
        }
        return meeting
    }

    @Test func `a plugin's fields reach only the same plugin on the other node`() async throws {
        let meeting = try await nodes([Beacon.self], [Beacon.self])
        try await meeting.one.perform("visibility", "everyone")
        let longest = String(repeating: "b", count: 96)
        try await meeting.one.perform("beacon", "say", ["text": .string(longest)])
        let said = try await meeting.other.wait(for: "beacon", "list") {
            $0.array?.first?["text"]?.string == longest
        }
        #expect(said == [["keys": ["bea"], "text": .string(longest), "on": false]])
        try await meeting.one.perform("beacon", "switch", ["on": true])
        let on = try await meeting.other.wait(for: "beacon", "list") {
            $0.array?.first?["on"] == true
        }
        #expect(on.array?.first?["keys"] == ["bea", "on"])
        let list = try await meeting.other.perform("nearby", "list")
        #expect(list["people"]?.array?.first?["name"] == "Ana")
        #expect(list["people"]?.array?.first?["dropOpen"] == false)
        try await meeting.one.perform("beacon", "switch", ["on": false])
        _ = try await meeting.other.wait(for: "beacon", "list") {
            $0.array?.first?["on"] == false
        }
        try await meeting.end()
    }

    @Test func `a field one byte too long is refused, and the old announcement stays`() async throws
    {
        let meeting = try await nodes([Beacon.self], [Beacon.self])
        try await meeting.one.perform("beacon", "say", ["text": "short"])
        await #expect(throws: CommandFault.self) {
            try await meeting.one.perform(
                "beacon", "say", ["text": .string(String(repeating: "b", count: 97))])
        }
        _ = try await meeting.other.wait(for: "beacon", "list") {
            $0.array?.first?["text"] == "short"
        }
        try await meeting.end()
    }

    @Test func `a field of a plugin that the other node lacks does no harm`() async throws {
        let meeting = try await nodes([Beacon.self], [])
        try await meeting.one.perform("beacon", "say", ["text": "for nobody"])
        try await meeting.one.perform("beacon", "switch", ["on": true])
        try await meeting.one.perform("visibility", "everyone")
        let list = try await meeting.other.wait(for: "nearby", "list") {
            $0["people"]?.array?.first?["name"] == "Ana"
        }
        #expect(list["people"]?.array?.first?["dropOpen"] == false)
        try await meeting.end()
    }
}
