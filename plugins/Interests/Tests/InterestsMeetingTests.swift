import Features
import InterestsAPI
import PluginHost
import PluginKit
import Records
import TestSupport
import Testing

@testable import Interests

/// The user and the match say that they have met, or hold their devices together.
@Suite struct InterestsMeetingTests {
    private let mine: [Interest] = [.coffee, .tea, .walks, .cats, .films]
    private let ben = DeviceID(raw: .zero)

    /// Creates a host that looks.
    private func host(
        _ network: TestNetwork, performsMeetings: Bool = true
    ) async throws -> TestHost {
        let plugins: [any Plugin.Type] = [CoreFeatures.self, Interests.self]
        let host = try await network.host(
            seed: 1, plugins + (performsMeetings ? [MeetingPlugin.self] : []))
        try await host.call(InterestsCommands.choose, .init(interest: ChosenInterests(mine)))
        try await host.call(InterestsCommands.look)
        return host
    }

    private func nearby(linked: Bool) throws -> NearbyDevice {
        var fields = AnnouncedFields()
        fields.insert("in", try #require(InterestSet([.coffee, .tea, .walks, .vr, .gym])).bytes)
        return NearbyDevice(
            device: linked ? ben : nil, person: nil, tag: .example, fields: fields, since: .min)
    }

    private func wishes(_ host: TestHost) throws -> [MeetingWish] {
        try #require(host.plugin(MeetingPlugin.self)).drainWishes()
    }

    @Test func `who taps without a match, or where nothing performs meetings, is told so`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            await #expect(
                throws: CommandFault.conflict(
                    "There is nobody to meet yet: 'waggle interests look' looks for people.")
            ) {
                try await host.call(InterestsCommands.met)
            }
            #expect(try wishes(host).isEmpty)
        }
        try await TestNetwork.with { network in
            let host = try await host(network, performsMeetings: false)
            host.setNearby([try nearby(linked: false)])
            try await network.settle()
            await #expect(throws: CommandFault.refused("Profiles cannot be exchanged here.")) {
                try await host.call(InterestsCommands.met)
            }
        }
    }

    @Test func `the card says what the two share, with the question that both sides see`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            host.setNearby([try nearby(linked: false)])
            try await network.settle()
            try await host.call(InterestsCommands.met)
            let wish = try #require(try wishes(host).first)
            #expect(wish.person == NameOrKey(AnnouncedTag.example))
            #expect(wish.common.english == "You both like: coffee, walks, tea.")
            #expect(wish.topic == Interest.tea.opener)
            host.setNearby([try nearby(linked: true)])
            try await network.settle()
            try await host.call(InterestsCommands.met)
            #expect(try wishes(host).map(\.person) == [NameOrKey(ben)])
        }
    }

    @Test func `a touch of the match's device is a tap, once for each touch`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            host.setNearby([try nearby(linked: true)])
            try await network.settle()
            let plugin = try #require(host.plugin(Interests.self))
            let stranger = DeviceID(raw: Bytes32([UInt8](repeating: 9, count: 32)) ?? .zero)
            await plugin.receiveDistance(to: stranger, metres: 0.01, uncertaintyMetres: 0)
            for metres in [0.2, 0.08, 0.0799, 0.05] {
                await plugin.receiveDistance(to: ben, metres: metres, uncertaintyMetres: 0.03)
            }
            #expect(try wishes(host).map(\.person) == [NameOrKey(ben)])
            try await host.call(InterestsCommands.stop)
            await plugin.receiveDistance(to: ben, metres: 0.2, uncertaintyMetres: 0)
            await plugin.receiveDistance(to: ben, metres: 0.01, uncertaintyMetres: 0)
            #expect(try wishes(host).isEmpty)
        }
    }

    @Test func `the match is measured and linked while I look, if something here measures`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            host.setNearby([try nearby(linked: false)])
            try await network.pass(seconds: 2)
            #expect(host.asksForMeasurements.isEmpty)
            host.setRanging(RangingProvider(choice: .device, state: .resting))
            try await network.pass(seconds: 2)
            #expect(host.asksForMeasurements == ["interests"])
            host.setNearby([try nearby(linked: true)])
            try await network.settle()
            for metres in [0.2, 0.08, 0.0799] {
                try host.range(
                    RangeReport(device: ben, distanceMetres: metres, uncertaintyMetres: 0.03))
                try await network.settle()
                #expect(try wishes(host).count == (metres < 0.08 ? 1 : 0))
            }
            try await network.pass(seconds: 1)
            let match = try await host.call(InterestsCommands.show).match
            #expect(match?.distanceMetres == 0.0799)
            try await host.call(InterestsCommands.stop)
            try await network.settle()
            #expect(host.asksForMeasurements.isEmpty)
        }
    }

    @Test(
        arguments: [
            (0.0799, 0.03, true), (0.08, 0.03, false), (0.0799, 0.0301, false), (0, 0, true),
            (-0.01, 0, false), (.nan, 0, false), (0.01, .nan, false), (0.01, -1, false),
            (.infinity, 0, false), (-.infinity, 0, false),
        ] as [(Double, Double, Bool)])
    func `a touch is below 0.08 m, with an uncertainty of at most 0.03 m`(
        metres: Double, uncertaintyMetres: Double, isTouch: Bool
    ) {
        #expect(
            BumpDetector.isTouch(metres: metres, uncertaintyMetres: uncertaintyMetres) == isTouch)
        var detector = BumpDetector()
        #expect(
            detector.receive(ben, metres: metres, uncertaintyMetres: uncertaintyMetres) == isTouch)
    }

    @Test func `an uncertain distance or none does not end a touch, and being apart does`() {
        var detector = BumpDetector()
        let begins = [
            (0.2, 0), (0.05, 0), (0.05, 0.5), (.nan, 0), (0.06, 0), (0.2, 0.02), (0.05, 0),
        ].map { detector.receive(ben, metres: $0.0, uncertaintyMetres: $0.1) }
        #expect(begins == [false, true, false, false, false, false, true])
    }
}
