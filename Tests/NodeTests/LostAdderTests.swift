import ChatAPI
import ControlAPI
import FeaturesAPI
import Identity
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// A device that joined its person and lost the other one before it had received anything.
@Suite(.serialized) struct LostAdderTests {
    /// Prepares a home as the last message of joining leaves it.
    private func joined(_ adder: NodeIdentity, at address: String) throws -> Home {
        let home = Home(try TestDirectory.newPath("home"))
        var generator = SystemRandomNumberGenerator()
        let invitation = JoinInvitation(JoinCode(using: &generator))
        let time = SystemClock().wallTime
        _ = try NodeIdentity.join(in: home, by: invitation, at: time)
        let waiting = try NodeIdentity.load(from: home)
        let consent = try DeviceConsent(of: waiting.key, to: adder.person.person)
        let record = try adder.person.adding(.adding(consent, by: adder.key))
        try waiting.join(as: record, from: adder.key.id, at: address, in: home, time: time)
        return home
    }

    @Test func `it regains from mates what they share, and may then remove the lost device`()
        async throws
    {
        let home = Home(try TestDirectory.newPath("home"))
        let (identity, words) = try NodeIdentity.create(in: home)
        let removal = RemoveDevice(
            device: NameOrKey(Key(identity.key.id)), yes: true,
            words: try Text(words.words.joined(separator: " ")))
        let meeting = Meeting(one: try await .start(home), other: try await .start())
        let (ana, bob) = (meeting.one, meeting.other)
        try await ana.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        try await bob.call(ProfileCommands.edit, Meeting.profile("Bob", dog: "Kit"))
        try await ana.dial(bob)
        try await ana.wait(for: NearbyCommands.list) { $0.people.count == 1 }
        try await bob.wait(for: NearbyCommands.list) { $0.people.count == 1 }
        try await meeting.drop()
        let (me, mate) = (try await ana.person, try await bob.person)
        try await ana.call(
            ChatCommands.send, .init(room: NameOrKey(mate), text: MessageText("hello")))
        try await bob.wait(for: ChatCommands.page, .init(room: NameOrKey(me))) {
            $0.messages.count == 1
        }
        try await ana.remove()
        let fresh = try await RunningNode.start(try joined(identity, at: ana.address))
        let before = try await fresh.call(DeviceCommands.list)
        #expect(before.locked != nil)
        await #expect(throws: CommandFault.self) {
            try await fresh.call(DeviceCommands.remove, removal)
        }

        try await fresh.dial(bob)
        #expect(
            await eventually(seconds: 40) {
                (try? await fresh.call(MateCommands.list))?.mates.map(\.state) == [.mate]
            })
        #expect(
            await eventually(seconds: 30) {
                (try? await fresh.call(ProfileCommands.show))?.nickname == "Ana"
            })
        let page = try await fresh.call(ChatCommands.page, .init(room: NameOrKey(mate)))
        #expect(page.messages.map(\.text.string) == ["hello"])
        let report = try await fresh.call(PairingCommands.show)
        let detail = report.detail.sentence.english
        #expect(report.stage == .receiving && detail.contains("If that one is lost"))
        #expect(
            await eventually {
                let list = try? await fresh.call(DeviceCommands.list)
                return list?.locked == nil && list?.caution != nil
            })
        try await fresh.call(DeviceCommands.remove, removal)
        // Nothing is left to wait for.
        #expect(try await fresh.call(PairingCommands.show).stage == .none)
        #expect(try await fresh.call(NodeCommands.recovery).stage == .regaining)
        for node in [fresh, bob] { try await node.remove() }
    }

    @Test func `it receives the rest when the other device comes back after all`() async throws {
        let meeting = try await Meeting.mates()
        let (ana, bob) = (meeting.one, meeting.other)
        let mate = try await bob.person
        let group = try await ana.call(GroupCommands.create, .init(name: Text("Walkers"))).id
        let identity = try NodeIdentity.load(from: ana.home)
        try await ana.stop()
        let fresh = try await RunningNode.start(try joined(identity, at: ana.address))
        try await fresh.dial(bob)
        #expect(
            await eventually(seconds: 40) {
                (try? await fresh.call(MateCommands.list))?.mates.map(\.state) == [.mate]
            })
        // Bob is in none of Ana's groups.
        #expect(try await fresh.call(GroupCommands.list).groups.isEmpty)
        let back = try await RunningNode.start(ana.home, port: ana.port)
        try await fresh.dial(back)
        #expect(
            await eventually(seconds: 30) {
                (try? await fresh.call(PairingCommands.show))?.stage == .complete
            })
        #expect(try await fresh.call(GroupCommands.list).groups.map(\.id) == [group])
        #expect(try await fresh.call(MateCommands.list).mates.map(\.person) == [mate])
        for node in [fresh, back, bob] { try await node.remove() }
    }
}
