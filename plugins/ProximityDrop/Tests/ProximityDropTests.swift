import FeaturesAPI
import Features
import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

/// The plugin with the core feature set beside it, over real replicas.
@Suite struct ProximityDropTests {
    private func person(
        _ network: TestNetwork, seed: UInt64, _ nickname: String
    ) async throws -> TestHost {
        let host = try await network.host(seed: seed, [CoreFeatures.self, ProximityDrop.self])
        try await host.call(
            ProfileCommands.edit,
            .init(nickname: Nickname(nickname), dogName: Text("Bori"), age: Whole(4)))
        try await network.settle()
        return host
    }

    private func linked(_ network: TestNetwork) async throws -> (TestHost, TestHost) {
        let ann = try await person(network, seed: 1, "Ann")
        let ben = try await person(network, seed: 2, "Ben")
        try await network.setLink(ann, ben, isUp: true)
        return (ann, ben)
    }

    private func phase(_ host: TestHost) async throws -> DropPhase {
        try await host.call(DropCommands.show).phase
    }

    private func phases(_ one: TestHost, _ other: TestHost) async throws -> [DropPhase] {
        [try await phase(one), try await phase(other)]
    }

    /// Returns the relation in which each host lists the other.
    private func relations(
        _ one: TestHost, _ other: TestHost
    ) async throws -> [MateList.State?] {
        [try await relation(one, other), try await relation(other, one)]
    }

    private func relation(
        _ one: TestHost, _ other: TestHost
    ) async throws -> MateList.State? {
        try await one.call(MateCommands.list).mates
            .first { $0.person == Key(other.me.person) }?.state
    }

    @Test func `two people press, compare codes, accept and are mates on both replicas`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(DropCommands.start, .init())
            try await ben.call(DropCommands.start, .init())
            try await network.pass(seconds: 3)
            let one = try await ann.call(DropCommands.show)
            let other = try await ben.call(DropCommands.show)
            #expect(one.phase == .deciding && other.phase == .deciding)
            #expect(one.checkCode != nil && one.checkCode == other.checkCode)
            #expect(one.peer?.card?.nickname == "Ben")
            try await ann.call(DropCommands.accept)
            try await network.pass(seconds: 1)
            #expect(try await relation(ann, ben) == .waiting)
            #expect(try await relation(ben, ann) == nil)
            try await ben.call(DropCommands.accept)
            try await network.pass(seconds: 2)
            #expect(try await phases(ann, ben) == [.mates, .mates])
            #expect(try await relations(ann, ben) == [.mate, .mate])
        }
    }

    @Test func `two people become mates though messages are lost, repeated and late`() async throws
    {
        try await TestNetwork.with(seed: 4) { network in
            let (ann, ben) = try await linked(network)
            await network.setWeather(.init(lost: 30, repeated: 20, late: 30))
            try await ann.call(DropCommands.start, .init(to: NameOrKey(ben.me.device)))
            try await ben.call(
                DropCommands.start, .init(to: NameOrKey(ann.me.device.suffix)))
            try await network.pass(seconds: 25)
            try await ann.call(DropCommands.accept)
            try await ben.call(DropCommands.accept)
            try await network.pass(seconds: 15)
            #expect(try await phases(ann, ben) == [.mates, .mates])
        }
    }

    @Test func `a chosen person who does not press in 30 s ends the drop, which says why`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(DropCommands.start, .init(to: NameOrKey(ben.me.device)))
            try await network.pass(seconds: 29)
            #expect(try await phase(ann) == .finding)
            let item = try #require(try await ben.call(InboxCommands.list).items.first)
            #expect(item.title.string == "Someone nearby wants to exchange profiles")
            #expect(!item.body.string.contains(ann.me.device.suffix), "the key is no name")
            try await network.pass(seconds: 2)
            let drop = try await ann.call(DropCommands.show)
            #expect(drop.phase == .failed)
            #expect(
                drop.reason?.string
                    == "They did not answer within 30 seconds. Ask them to press Drop too.")
        }
    }

    @Test func `a kill after one acceptance leaves the other side waiting for a day`() async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(DropCommands.start, .init())
            try await ben.call(DropCommands.start, .init())
            try await network.pass(seconds: 3)
            try await ann.call(DropCommands.accept)
            ben.stop()
            try await network.pass(seconds: 16)
            #expect(try await phase(ann) == .waiting)
            await ben.start()
            try await network.settle()
            #expect(try await phase(ben) == .idle)
            #expect(try await relations(ann, ben) == [.waiting, nil])
            ann.clock.setWall(ann.clock.wallTime + .seconds(24 * 60 * 60))
            try await network.pass(seconds: 61)
            #expect(try await relation(ann, ben) == nil)
        }
    }

    @Test func `two nodes killed after both acceptances are mates at the next contact`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(DropCommands.start, .init())
            try await ben.call(DropCommands.start, .init())
            try await network.pass(seconds: 3)
            try await network.setLink(ann, ben, isUp: false)
            try await ann.call(DropCommands.accept)
            try await ben.call(DropCommands.accept)
            for host in [ann, ben] {
                host.stop()
                await host.start()
            }
            #expect(try await relation(ann, ben) == .waiting)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await relations(ann, ben) == [.mate, .mate])
        }
    }

    @Test func `a lost refusal reaches the other at the next contact`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(DropCommands.start, .init())
            try await ben.call(DropCommands.start, .init())
            try await network.pass(seconds: 3)
            try await network.setLink(ann, ben, isUp: false)
            try await ann.call(DropCommands.accept)
            try await ben.call(DropCommands.decline)
            try await network.pass(seconds: 20)
            #expect(try await phases(ann, ben) == [.waiting, .declined])
            try await network.setLink(ann, ben, isUp: true)
            try await network.pass(seconds: 1)
            #expect(try await phase(ann) == .declined)
            #expect(try await relations(ann, ben) == [nil, nil])
        }
    }

    @Test func `an invitation is in the inbox as long as it is valid`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(DropCommands.start, .init(to: NameOrKey(ben.me.device)))
            try await network.settle()
            let shown = try await ben.call(DropCommands.show)
            #expect(shown.incoming == true && shown.phase == .idle)
            #expect(shown.peer?.device == Key(ann.me.device))
            #expect(shown.peer?.card == nil)
            let item = try await ben.call(InboxCommands.list).items.first
            #expect(item?.kind == "drop" && item?.actions == ["accept", "decline"])
            try await ben.call(DropCommands.accept)
            try await network.pass(seconds: 2)
            #expect(try await phases(ann, ben) == [.deciding, .deciding])
            #expect(try await ben.call(InboxCommands.list).items.isEmpty)
        }
    }

    @Test func `the preview shows exactly the fields that are sent`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(ProfileCommands.edit, .init(keptPrivate: [.age]))
            let preview = try await ann.call(DropCommands.preview)
            #expect(preview.keptPrivate == [.age])
            try await ann.call(DropCommands.start, .init())
            try await ben.call(DropCommands.start, .init())
            try await network.pass(seconds: 3)
            #expect(try await ben.call(DropCommands.show).peer?.card == preview.fields)
            let fields = ProfileFields(nickname: "Ann", dogName: "Bori")
            #expect(preview.fields == ShownProfile(fields))
        }
    }

    @Test func `error sentences say what to do`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            for command in [DropCommands.accept, DropCommands.decline, DropCommands.cancel] {
                await #expect { try await ann.call(command) } throws: { error in
                    if case .conflict = error as? CommandFault { true } else { false }
                }
            }
            await #expect(
                throws: CommandFault.notFound("There is no device cem; see 'nearby list'.")
            ) { try await ann.answer(to: DropCommands.start.declaration, ["to": "cem"]) }
            let nobody = String(repeating: "0", count: 64)
            await #expect(
                throws: CommandFault.notFound("There is no device \(nobody); see 'nearby list'.")
            ) { try await ann.call(DropCommands.start, .init(to: NameOrKey(nobody))) }
            try await ann.call(DropCommands.start, .init(to: NameOrKey(ben.me.device)))
            await #expect { try await ann.call(DropCommands.start, .init()) } throws: { error in
                if case .conflict = error as? CommandFault { true } else { false }
            }
            #expect(ann.announced["f"] == Array("d".utf8))
            try await ann.call(DropCommands.cancel)
            #expect(ann.announced.isEmpty)
        }
    }

    @Test func `an announced person is dropped with by name, once their device is linked`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await person(network, seed: 1, "Ann")
            let ben = try await person(network, seed: 2, "Ben")
            let tag = try AnnouncedTag("0123456789abcdef")
            var fields = AnnouncedFields()
            fields.insert("n", Array("Ben".utf8))
            ann.setAnnounced([tag: fields])
            let trouble = ConnectionTrouble(.silent, cause: "No answer.", fix: "Come closer.")
            ann.setReach(.dialling(failure: trouble), of: tag)
            let status = try await ann.call(DropCommands.start, .init(to: NameOrKey("ben")))
            #expect(status.phase == .finding && status.peer == nil)
            #expect(status.reaching == .init(tag: tag, name: "Ben", trouble: trouble))
            try await network.setLink(ann, ben, isUp: true)
            ann.setAnnounced([:])
            ann.setReach(.linked(ben.me.device), of: tag)
            try await network.pass(seconds: 2)
            #expect(try await ann.call(DropCommands.show).reaching == nil)
            try await ben.call(DropCommands.start, .init())
            try await network.pass(seconds: 3)
            #expect(try await phases(ann, ben) == [.deciding, .deciding])
        }
    }

    @Test func `an announced person who turns out to be a mate ends the drop`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(DropCommands.start, .init())
            try await ben.call(DropCommands.start, .init())
            try await network.pass(seconds: 3)
            try await ann.call(DropCommands.accept)
            try await ben.call(DropCommands.accept)
            try await network.pass(seconds: 3)
            let tag = try AnnouncedTag("0123456789abcdef")
            ann.setAnnounced([tag: AnnouncedFields()])
            ann.setReach(.linked(ben.me.device), of: tag)
            let status = try await ann.call(DropCommands.start, .init(to: NameOrKey(tag)))
            #expect(status.phase == .failed && status.reason == "You are mates already.")
        }
    }

    @Test func `a person without a name can only receive`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.host(seed: 1, [CoreFeatures.self, ProximityDrop.self])
            await #expect { try await ann.call(DropCommands.start, .init()) } throws: { error in
                if case .refused = error as? CommandFault { true } else { false }
            }
            let status = try await ann.call(DropCommands.start, .init(share: false))
            #expect(status.phase == .finding)
        }
    }

    @Test func `a drop with a mate or a blocked person is refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.call(
                MateCommands.block, .init(person: NameOrKey(ben.me.person), reason: .other))
            try await ben.call(DropCommands.start, .init(to: NameOrKey(ann.me.device)))
            try await network.pass(seconds: 2)
            #expect(try await ann.call(DropCommands.show).incoming == nil)
            await #expect(throws: CommandFault.refused("You have blocked this person.")) {
                try await ann.call(DropCommands.start, .init(to: NameOrKey(ben.me.device)))
            }
        }
    }

    @Test func `a phase that a newer node adds is read as failed`() throws {
        let answer: JSONValue = ["phase": "dancing", "ranged": ["available": false]]
        #expect(try answer.decoded(as: DropStatus.self).phase == .failed)
    }

    @Test func `the ranged mode is shown as not available`() async throws {
        try await TestNetwork.with { network in
            let ann = try await person(network, seed: 1, "Ann")
            #expect(try await ann.call(DropCommands.show).ranged.available == false)
            await #expect(throws: CommandFault.self) {
                try await ann.call(DropCommands.start, .init(ranged: true))
            }
        }
    }

    @Test func `a malformed message is ignored from a stranger and fails a drop`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            let drop = try #require(ann.plugin(ProximityDrop.self))
            let garbage = TopicMessage(topic: "drop", from: ben.me, space: nil, body: [9, 9, 9])
            try await drop.received(garbage)
            #expect(try await phase(ann) == .idle)
            try await ann.call(DropCommands.start, .init())
            try await ben.call(DropCommands.start, .init())
            try await network.pass(seconds: 3)
            try await drop.received(garbage)
            try await network.settle()
            #expect(try await phases(ann, ben) == [.failed, .failed])
        }
    }
}
