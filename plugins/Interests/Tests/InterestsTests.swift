import Features
import FeaturesAPI
import InterestsAPI
import PluginHost
import PluginKit
import Records
import TestSupport
import Testing

@testable import Interests

@Suite struct InterestsTests {
    private let mine: [Interest] = [.coffee, .tea, .walks, .cats, .films, .travel]

    /// Creates a host whose person has chosen interests.
    private func host(
        _ network: TestNetwork, choosing interests: [Interest]? = nil
    ) async throws -> TestHost {
        let host = try await network.host(seed: 1, [CoreFeatures.self, Interests.self])
        try await host.call(
            InterestsCommands.choose, .init(interest: ChosenInterests(interests ?? mine)))
        try await network.settle()
        return host
    }

    /// Creates a device that announces interests under a tag.
    private func announcer(
        _ digit: Character, _ interests: [Interest], person: PersonID? = nil,
        distanceMetres: Double? = nil
    ) throws -> NearbyDevice {
        var fields = AnnouncedFields()
        fields.insert("in", try #require(InterestSet(interests)).bytes)
        return NearbyDevice(
            device: nil, person: person, tag: try tag(digit), fields: fields,
            distanceMetres: distanceMetres, since: .min)
    }

    private func tag(_ digit: Character) throws -> AnnouncedTag {
        try AnnouncedTag(String(repeating: digit, count: 16))
    }

    @Test func `every command answers as it declares, and no member is left out`() async throws {
        try await TestNetwork.with { network in
            let record = AnswerRecord(of: Interests.commands.map(\.declaration))
            let plain = try await network.host(
                seed: 1, [CoreFeatures.self, Interests.self, MeetingPlugin.self])
            let host = record.recording(plain)
            try await host.call(InterestsCommands.choose, .init(interest: ChosenInterests(mine)))
            try await host.call(InterestsCommands.list, .init())
            let ben = Peer(device: DeviceID(raw: .zero), person: PersonID(raw: .zero))
            var device = try announcer("b", mine, distanceMetres: 3)
            device.device = ben.device
            var name = AnnouncedFields()
            name.insert("n", Array("Ben".utf8))
            name.insert("in", try #require(device.fields["in"]))
            device.fields = name
            plain.setNearby([device])
            try await host.call(InterestsCommands.look)
            let match = try #require(try await host.call(InterestsCommands.show).match)
            #expect(match.name == "Ben" && match.common.map(\.interest).count == mine.count)
            #expect(match.topic?.sentence == Interest.openers(for: mine).first)
            try await host.call(InterestsCommands.met)
            try await host.call(InterestsCommands.watch)
            try await host.call(InterestsCommands.stop)
            #expect(record.missingRoutes.isEmpty && record.unseenMembers.isEmpty)
        }
    }

    @Test func `interests are announced for ten minutes while looking, and nothing else is`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            #expect(host.announced.isEmpty)
            let status = try await host.call(InterestsCommands.look)
            #expect(status.looking && status.secondsLeft == 600 && status.lookingCount == 0)
            #expect(host.announced.keys == ["in"])
            #expect(host.announced["in"] == InterestSet(mine)?.bytes)
            // Matching chooses no links.
            #expect(!host.seeksOthers)
            try await network.pass(seconds: 599)
            #expect(try await host.call(InterestsCommands.show).secondsLeft == 1)
            try await network.pass(seconds: 1)
            #expect(try await host.call(InterestsCommands.show).looking == false)
            #expect(host.announced.isEmpty)
        }
    }

    @Test func `looking again begins the ten minutes again, and stopping ends them`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            try await host.call(InterestsCommands.look)
            try await network.pass(seconds: 400)
            try await host.call(InterestsCommands.look)
            try await network.pass(seconds: 400)
            #expect(try await host.call(InterestsCommands.show).secondsLeft == 200)
            try await host.call(InterestsCommands.stop)
            #expect(host.announced.isEmpty)
        }
    }

    @Test func `a restart keeps the interests and not that I look`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            try await host.call(InterestsCommands.look)
            await host.start()
            let status = try await host.call(InterestsCommands.show)
            #expect(!status.looking && status.chosen.count == mine.count)
            #expect(host.announced.isEmpty)
        }
    }

    @Test func `who has chosen nothing cannot look`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [CoreFeatures.self, Interests.self])
            await #expect(
                throws: CommandFault.refused(
                    "Choose 5 to 10 interests first: 'waggle interests list' shows all.")
            ) {
                try await host.call(InterestsCommands.look)
            }
            #expect(host.announced.isEmpty)
        }
    }

    @Test func `other interests that are chosen while looking are announced at once`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            host.setNearby([try announcer("b", mine)])
            #expect(try await host.call(InterestsCommands.look).match != nil)
            let others: [Interest] = [.hockey, .vr, .stocks, .boxing, .gym]
            let status = try await host.call(
                InterestsCommands.choose, .init(interest: ChosenInterests(others)))
            #expect(host.announced["in"] == InterestSet(others)?.bytes)
            #expect(status.match == nil && status.lookingCount == 1)
        }
    }

    @Test func `the match follows announcements, with an event for each change and no link`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            try await host.call(InterestsCommands.look)
            _ = host.drainEvents()
            func sight(_ devices: [NearbyDevice]) async throws -> (AnnouncedTag?, [String]) {
                host.setNearby(devices)
                try await network.settle()
                let parts = try host.drainEvents(InterestsEvents.changed)
                return (
                    try await host.call(InterestsCommands.show).match?.tag,
                    parts.compactMap { $0.part?.rawValue }
                )
            }
            let ben = try announcer("b", [.coffee, .tea, .walks, .vr, .gym])
            let cho = try announcer("c", [.films, .tea, .walks, .vr, .gym])
            let dana = try announcer("d", [.films, .tea, .walks, .cats, .gym])
            #expect(try await sight([ben]) == (try tag("b"), ["people"]))
            #expect(try await sight([ben]) == (try tag("b"), []))
            #expect(try await sight([cho, ben]) == (try tag("b"), ["people"]))
            #expect(try await sight([cho, ben, dana]) == (try tag("d"), ["people"]))
            #expect(try await sight([]) == (nil, ["people"]))
        }
    }

    @Test func `a blocked person is neither counted nor matched, and neither are my devices`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            let ben = try await network.host(seed: 2, [CoreFeatures.self]).me.person
            host.setNearby([
                try announcer("b", mine, person: ben),
                try announcer("a", mine, person: host.me.person),
            ])
            #expect(try await host.call(InterestsCommands.look).lookingCount == 1)
            try await host.call(
                MateCommands.block, .init(person: NameOrKey(Key(ben)), reason: .other))
            try await network.settle()
            let status = try await host.call(InterestsCommands.look)
            #expect(status.lookingCount == 0 && status.match == nil)
        }
    }

    @Test func `letters list some interests, and mine are marked`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            let found = try await host.call(InterestsCommands.list, .init(find: Text("cof")))
            #expect(found.interests == [InterestList.Entry(.coffee, isChosen: true)])
            let all = try await host.call(InterestsCommands.list, .init())
            #expect(all.interests.count == 87)
            #expect(all.interests.count(where: \.chosen) == mine.count)
        }
    }
}
