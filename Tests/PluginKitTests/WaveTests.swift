import PluginKit
import Records
import TestSupport
import Testing

@testable import Wave

@Suite struct WaveTests {
    /// Two linked people who are mates for a core that says so.
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
            try await ann.run("wave", "send", ["to": .string(ben.me.person.description)])
            try await network.settle()
            #expect(ben.takeEvents().contains("wave"))
            let waves = try await ben.run("wave", "list")["waves"]?.array ?? []
            #expect(waves.map { $0["greeting"] } == ["Hello!"])
            #expect(waves.map { $0["from"]?.string } == [ann.me.person.description])
            let items = await ben.plugin(Friendly.self)?.items ?? []
            #expect(items.map(\.title) == ["A mate waves at you"])
        }
    }

    @Test func `a wave at a mate who is away arrives when they are back, once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await waving(network)
            try await network.setLink(ann, ben, isUp: false)
            try await ann.run(
                "wave", "send", ["to": .string(ben.me.person.description), "greeting": "Hi"])
            try await network.setLink(ann, ben, isUp: true)
            try await network.settle()
            let waves = try await ben.run("wave", "list")["waves"]?.array ?? []
            #expect(waves.map { $0["greeting"] } == ["Hi"])
        }
    }

    @Test func `a stranger is not waved at`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await waving(network)
            let stranger = String(repeating: "5", count: 64)
            await #expect(throws: CommandFault.refused("You can wave at mates only.")) {
                try await ann.run("wave", "send", ["to": .string(stranger)])
            }
        }
    }

    @Test func `a greeting of 200 bytes is taken and of 201 refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await waving(network)
            let send = { @Sendable (count: Int) async throws in
                try await ann.run(
                    "wave", "send",
                    [
                        "to": .string(ben.me.person.description),
                        "greeting": .string(String(repeating: "w", count: count)),
                    ])
            }
            _ = try await send(200)
            await #expect(
                throws: CommandFault.usage(
                    "A greeting has at most 200 bytes.", field: "greeting")
            ) { try await send(201) }
        }
    }
}
