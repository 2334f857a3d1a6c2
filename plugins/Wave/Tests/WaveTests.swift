import PluginKit
import Records
import TestSupport
import Testing

@testable import Wave
import WaveAPI

@Suite struct WaveTests {
    /// Creates two linked people who are mates because a fake core says so.
    private func waving(_ network: TestNetwork) async throws -> (TestHost, TestHost) {
        let ann = try await network.host(seed: 1, [Friendly.self, Wave.self])
        let ben = try await network.host(seed: 2, [Friendly.self, Wave.self])
        for (one, other) in [(ann, ben), (ben, ann)] {
            try await one.plugin(Friendly.self)?.befriend(other.me.person)
        }
        try await network.setLink(ann, ben, isUp: true)
        return (ann, ben)
    }

    @Test func `a wave reaches a mate, its inbox and its followers`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await waving(network)
            try await ann.call(WaveCommands.send, .init(to: NameOrKey(ben.me.person)))
            try await network.settle()
            #expect(ben.drainEvents().contains("wave"))
            let waves = try await ben.call(WaveCommands.list).waves
            #expect(waves.map(\.greeting) == ["Hello!"])
            #expect(waves.map(\.from) == [Key(ann.me.person)])
            let items = await ben.plugin(Friendly.self)?.items ?? []
            #expect(items.map(\.title) == ["A mate waves at you"])
            let notices = ben.drainNotices()
            #expect(notices.map(\.subject) == items.map(\.subject))
            #expect(notices.map(\.body) == ["Hello!"])
            #expect(notices.flatMap(\.actions).map(\.label) == ["Wave back"])
        }
    }

    @Test func `every command answers as it declares, and no member is left out`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await waving(network)
            let record = AnswerRecord(of: Wave.commands.map(\.declaration))
            try await record.recording(ann).call(
                WaveCommands.send, .init(to: NameOrKey(ben.me.person)))
            try await network.settle()
            try await record.recording(ben).call(WaveCommands.list)
            #expect(record.missingRoutes.isEmpty && record.unseenMembers.isEmpty)
        }
    }

    @Test func `a wave at a mate who is offline arrives when they are back, once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await waving(network)
            try await network.setLink(ann, ben, isUp: false)
            try await ann.call(
                WaveCommands.send, .init(to: NameOrKey(ben.me.person), greeting: Text("Hi")))
            try await network.setLink(ann, ben, isUp: true)
            try await network.settle()
            #expect(try await ben.call(WaveCommands.list).waves.map(\.greeting) == ["Hi"])
        }
    }

    @Test func `a wave at a stranger is refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await waving(network)
            let stranger = try NameOrKey(String(repeating: "5", count: 64))
            await #expect(throws: CommandFault.refused("You can wave at mates only.")) {
                try await ann.call(WaveCommands.send, .init(to: stranger))
            }
        }
    }

    @Test func `a greeting of 50 characters is accepted and of 51 refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await waving(network)
            let greeting = String(repeating: "안", count: 50)
            try await ann.call(
                WaveCommands.send, .init(to: NameOrKey(ben.me.person), greeting: Text(greeting)))
            await #expect(
                throws: CommandFault.usage(
                    "'greeting' must have 1 to 50 characters; it has 51", field: "greeting")
            ) {
                try await ann.answer(
                    to: WaveCommands.send.declaration,
                    ["to": .string(ben.me.person.description), "greeting": .string(greeting + "녕")])
            }
        }
    }

}
