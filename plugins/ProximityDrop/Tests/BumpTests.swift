import Features
import FeaturesAPI
import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

/// Two people who say at the same time that they have met.
@Suite struct BumpTests {
    @Test(arguments: [0, 4, 5])
    func `two taps at most 5 s apart begin one drop with equal codes, announced to nobody`(
        seconds: Int
    ) throws {
        var pair = Pair(seed: 1)
        try pair.press(0, isBump: true)
        pair.pass(seconds: seconds)
        #expect(!pair.sides[0].isOpen)
        try pair.press(1, isBump: true)
        pair.deliver()
        pair.pass(seconds: 2)
        #expect(pair.phases == [.deciding, .deciding])
        let (one, other) = (pair.sides[0].session, pair.sides[1].session)
        #expect(one.checkCode?.count == 6 && one.checkCode == other.checkCode)
        #expect(one.theirCard == Pair.cards[1] && other.theirCard == Pair.cards[0])
        try pair.accept(0)
        try pair.accept(1)
        pair.pass(seconds: 2)
        #expect(pair.areMates)
    }

    @Test func `a tap that comes a millisecond after the 5 s begins nothing on either side`() throws
    {
        var pair = Pair(seed: 1)
        try pair.press(0, isBump: true)
        pair.pass(seconds: 5)
        pair.now += .milliseconds(1)
        try pair.press(1, isBump: true)
        pair.deliver()
        pair.pass(seconds: 2)
        #expect(pair.phases == [.failed, .failed])
        #expect(pair.sides[0].session.failure == .apart)
        #expect(pair.sides[1].session.failure == .otherFailed)
        #expect(!pair.sides.contains { $0.session.checkCode != nil })
    }

    @Test func `without a tap of one's own a bump shows nothing, and nobody can choose its sender`()
        throws
    {
        var pair = Pair(seed: 1)
        try pair.press(0, isBump: true)
        pair.pass(seconds: 2)
        #expect(pair.phases == [.finding, .idle])
        #expect(!pair.sides[1].hasInvitation)
        #expect(pair.sides[1].session.incoming(now: pair.now) == nil)
        #expect(throws: CommandFault.self) { try pair.decline(1) }
        try pair.press(1, target: false)
        pair.pass(seconds: 1)
        #expect(pair.phases == [.finding, .finding])
        #expect(pair.sides[1].session.candidates.isEmpty)
        pair.pass(seconds: 4)
        #expect(pair.phases == [.failed, .finding])
        #expect(
            DropFailure.apart.sentence
                == "The other person did not tap within 5 seconds. Tap again, both at once.")
    }

    @Test func `a press for the person who taps is the same wish`() throws {
        for isFirst in [true, false] {
            var pair = Pair(seed: 1)
            try pair.press(0, isBump: isFirst)
            pair.pass(seconds: 2)
            try pair.press(1, isBump: !isFirst)
            pair.pass(seconds: 2)
            #expect(pair.phases == [.deciding, .deciding])
        }
    }

    @Test func `bumps of many strangers are remembered up to a limit and show nothing`() throws {
        var pair = Pair(seed: 1)
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<100 {
            let stranger = Peer(
                device: DeviceID(raw: generator.bytes32()),
                person: PersonID(raw: generator.bytes32()))
            pair.receive(.bump(commitment: generator.bytes32()), on: 1, from: stranger)
        }
        #expect(pair.sides[1].session.invitations.count == DropLimits.invitationsMax)
        #expect(!pair.sides[1].hasInvitation && pair.phases == [.idle, .idle])
    }

    /// A plugin that wishes meetings.
    private struct Introducer: Plugin {
        static let manifest = Manifest(id: "introducer", version: 1, services: [.nearby])

        let context: PluginContext
    }

    private func person(
        _ network: TestNetwork, seed: UInt64, _ nickname: String
    ) async throws -> TestHost {
        let host = try await network.host(
            seed: seed, [CoreFeatures.self, ProximityDrop.self, Introducer.self])
        try await host.call(ProfileCommands.edit, .init(nickname: Nickname(nickname)))
        return host
    }

    private func tap(_ host: TestHost, meeting other: TestHost) async throws {
        let introducer = try #require(host.plugin(Introducer.self))
        try await introducer.context.nearby.meet(
            MeetingWish(
                person: NameOrKey(other.me.device), common: "You both like: tea.",
                topic: "Which tea?"))
    }

    @Test func `two who wish to meet see why, and the reason is gone with the next drop`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await person(network, seed: 1, "Ann")
            let ben = try await person(network, seed: 2, "Ben")
            try await network.setLink(ann, ben, isUp: true)
            try await tap(ann, meeting: ben)
            try await network.pass(seconds: 2)
            #expect(try await ben.call(InboxCommands.list).items.isEmpty)
            #expect(ann.announced.isEmpty)
            try await tap(ben, meeting: ann)
            try await network.pass(seconds: 2)
            for host in [ann, ben] {
                let drop = try await host.call(DropCommands.show)
                #expect(drop.phase == .deciding)
                #expect(drop.meeting == .init(common: "You both like: tea.", topic: "Which tea?"))
            }
            await #expect(throws: CommandFault.self) { try await tap(ann, meeting: ben) }
            try await ann.call(DropCommands.decline)
            try await ann.call(DropCommands.start, .init())
            #expect(try await ann.call(DropCommands.show).meeting == nil)
        }
    }
}
