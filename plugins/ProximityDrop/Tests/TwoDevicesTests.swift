import FeaturesAPI
import Features
import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

/// Anna's phone and laptop, and Ben, whom she has not met.
@Suite struct TwoDevicesTests {
    private func gather(
        _ network: TestNetwork
    ) async throws -> (phone: TestHost, laptop: TestHost, ben: TestHost) {
        let plugins: [any Plugin.Type] = [CoreFeatures.self, ProximityDrop.self]
        let phone = try await network.host(seed: 1, plugins)
        let ben = try await network.host(seed: 2, plugins)
        for (host, name) in [(phone, "Anna"), (ben, "Ben")] {
            try await host.call(ProfileCommands.edit, .init(nickname: Nickname(name)))
        }
        let laptop = try await network.device(seed: 11, of: phone, plugins)
        for (one, other) in [(phone, laptop), (phone, ben), (laptop, ben)] {
            try await network.setLink(one, other, isUp: true)
        }
        return (phone, laptop, ben)
    }

    @Test func `a drop with a device of one's own is refused with a sentence`() async throws {
        try await TestNetwork.with { network in
            let (phone, laptop, _) = try await gather(network)
            let refusal = CommandFault.refused(
                "This is a device of your own; a drop is for meeting another person.")
            for name in [NameOrKey(Key(laptop.me.device)), NameOrKey(laptop.me.person)] {
                await #expect(throws: refusal) {
                    try await phone.call(DropCommands.start, .init(to: name))
                }
            }
        }
    }

    @Test func `two devices of one person that press at once do not find each other`() async throws
    {
        try await TestNetwork.with { network in
            let (phone, laptop, _) = try await gather(network)
            try await phone.call(DropCommands.start, .init())
            try await laptop.call(DropCommands.start, .init())
            try await network.pass(seconds: 31)
            for device in [phone, laptop] {
                #expect(try await device.call(DropCommands.show).phase == .failed)
                #expect(try await device.call(MateCommands.list).mates.isEmpty)
            }
        }
    }

    @Test func `the other device shows that a drop is under way, and what came of it`() async throws
    {
        try await TestNetwork.with { network in
            let (phone, laptop, ben) = try await gather(network)
            #expect(try await laptop.call(DropCommands.show).elsewhere == nil)
            try await phone.call(DropCommands.start, .init(to: NameOrKey(Key(ben.me.device))))
            try await network.pass(seconds: 1)
            let finding = try await laptop.call(DropCommands.show)
            #expect(finding.phase == .idle && finding.elsewhere?.phase == .finding)
            #expect(finding.elsewhere?.device == Key(phone.me.device))
            try await ben.call(DropCommands.accept)
            try await network.pass(seconds: 3)
            #expect(try await laptop.call(DropCommands.show).elsewhere?.phase == .deciding)
            try await phone.call(DropCommands.accept)
            try await ben.call(DropCommands.accept)
            try await network.pass(seconds: 3)
            let mates = try await laptop.call(DropCommands.show).elsewhere
            #expect(mates?.phase == .mates && mates?.name == "Ben")
            #expect(try await laptop.call(MateCommands.list).mates.map(\.state) == [.mate])
            try await network.pass(seconds: 60)
            #expect(try await laptop.call(DropCommands.show).elsewhere == nil)
        }
    }

    @Test func `a device that is lost during its drop is forgotten, and one drop runs on each`()
        async throws
    {
        try await TestNetwork.with { network in
            let (phone, laptop, _) = try await gather(network)
            try await phone.call(DropCommands.start, .init())
            try await network.settle()
            #expect(try await laptop.call(DropCommands.show).elsewhere?.phase == .finding)
            await #expect(
                throws: CommandFault.conflict(
                    "A drop is already running; finish or cancel it first.")
            ) { try await phone.call(DropCommands.start, .init()) }
            try await laptop.call(DropCommands.start, .init())
            #expect(try await laptop.call(DropCommands.show).phase == .finding)
            try await network.setLink(phone, laptop, isUp: false)
            #expect(try await laptop.call(DropCommands.show).elsewhere == nil)
            // A device that comes into reach meanwhile is told.
            try await network.setLink(phone, laptop, isUp: true)
            #expect(try await laptop.call(DropCommands.show).elsewhere?.phase == .finding)
        }
    }

    @Test func `news of a drop from another person, or in other bytes, are ignored`() async throws {
        try await TestNetwork.with { network in
            let (phone, laptop, ben) = try await gather(network)
            let news = DropNews(phase: .finding, left: .seconds(9), person: ben.me.person)
            #expect(DropNews(decoding: news.encoded) == news)
            let own = SpaceDescriptor.own(laptop.me.person)
            let attempts: [(Peer, SpaceDescriptor?, [UInt8])] = [
                (ben.me, own, news.encoded), (phone.me, nil, news.encoded),
                (phone.me, own, news.encoded.dropLast()), (phone.me, own, []),
                (laptop.me, own, news.encoded),
            ]
            for (from, space, body) in attempts {
                try await laptop.plugin(ProximityDrop.self)?.received(
                    TopicMessage(topic: "drop-news", from: from, space: space, body: Array(body)))
            }
            #expect(try await laptop.call(DropCommands.show).elsewhere == nil)
        }
    }
}
