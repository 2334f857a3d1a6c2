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

/// The devices of one person over real links: listed, named and removed.
@Suite(.serialized) struct DevicesTests {
    /// Ana with two devices, and her mate Bob, all linked with each other.
    private struct Family {
        let laptop, phone, bob: RunningNode

        static func make() async throws -> Family {
            let meeting = try await Meeting.mates()
            let phone = try await meeting.one.startSecond()
            let me = try await meeting.one.person
            try await phone.dial(meeting.other)
            #expect(
                await eventually(seconds: 30) {
                    let mates = try? await phone.call(MateCommands.list).mates
                    let me = try? await phone.call(ProfileCommands.show)
                    let links = try? await phone.call(NodeCommands.status).links
                    return mates?.first?.state == .mate && me?.nickname == "Ana"
                        && links?.count == 2
                })
            #expect(try await phone.person == me)
            return Family(laptop: meeting.one, phone: phone, bob: meeting.other)
        }

        func end() async throws {
            for node in [laptop, phone, bob] { try await node.remove() }
        }
    }

    private func texts(_ node: RunningNode, with person: Key) async -> [String]? {
        let page = try? await node.call(ChatCommands.page, .init(room: NameOrKey(person)))
        return page?.messages.map(\.text.string)
    }

    private func send(_ node: RunningNode, to person: Key, _ text: String) async throws {
        try await node.call(
            ChatCommands.send, .init(room: NameOrKey(person), text: MessageText(text)))
    }

    /// Returns the number of batches in each space of a node.
    private func batches(_ node: RunningNode) async throws -> [Key: Count] {
        Dictionary(
            try await node.call(NodeCommands.status).spaces.map { ($0.id, $0.batches) },
            uniquingKeysWith: { $1 })
    }

    @Test func `a removed device gets nothing more, what it wrote stays, and it says so`()
        async throws
    {
        let family = try await Family.make()
        let (laptop, phone, bob) = (family.laptop, family.phone, family.bob)
        let (ana, mate) = (try await laptop.person, try await bob.person)
        let lost = try await phone.device
        try await send(phone, to: mate, "from my phone")
        for (node, person) in [(laptop, mate), (bob, ana)] {
            #expect(await eventually { await texts(node, with: person) == ["from my phone"] })
        }

        #expect(
            await eventually {
                let (mine, theirs) = (try? await batches(phone), try? await batches(laptop))
                return mine != nil && mine == theirs
            })
        let before = try await batches(phone)
        let removal = try await laptop.call(
            DeviceCommands.remove, .init(device: NameOrKey(lost), yes: true))
        #expect(removal.device == lost)
        #expect(removal.spaces.value > 0)
        #expect(try await laptop.call(DeviceCommands.list).devices.map(\.isThis) == [true])
        // Told by the laptop, the phone starts again, without links, and reads what it has.
        #expect(
            await eventually(seconds: 30) {
                let status = try? await phone.call(NodeCommands.status)
                return status?.unsettled?.sentence.english.hasPrefix("This device was removed")
                    == true && status?.links.isEmpty == true
            })
        // Not even the cut of its own log.
        #expect(try await batches(phone) == before)
        #expect(await texts(phone, with: mate) == ["from my phone"])
        await #expect(throws: CommandFault.self) { try await send(phone, to: mate, "later") }
        // Bob knows it too.
        #expect(
            await eventually {
                let links = (try? await bob.call(NodeCommands.status))?.links ?? []
                return links.allSatisfy { $0.device != lost }
            })
        try await send(laptop, to: mate, "from my laptop")
        #expect(
            await eventually {
                await texts(bob, with: ana) == ["from my phone", "from my laptop"]
            })
        #expect(await texts(phone, with: mate) == ["from my phone"])
        try await phone.stop()
        let again = try await RunningNode.start(phone.home)
        #expect(try await again.call(NodeCommands.status).unsettled != nil)
        #expect(try await again.call(NodeCommands.status).links.isEmpty)
        #expect(await texts(again, with: mate) == ["from my phone"])
        for node in [laptop, again, bob] { try await node.remove() }
    }

    @Test func `a device that meets the person later gets what the removed one had written`()
        async throws
    {
        let family = try await Family.make()
        let (laptop, phone, bob) = (family.laptop, family.phone, family.bob)
        let (ana, mate) = (try await laptop.person, try await bob.person)
        try await send(phone, to: mate, "from my phone")
        #expect(await eventually { await texts(laptop, with: mate) == ["from my phone"] })
        try await laptop.call(
            DeviceCommands.remove, .init(device: NameOrKey(phone.device), yes: true))
        // A new device of Bob's gets all from the laptop alone.
        try await bob.stop()
        let fresh = try await RunningNode.start(try RunningNode.foundedSecond(of: bob.home))
        try await fresh.dial(laptop)
        #expect(
            await eventually(seconds: 30) { await texts(fresh, with: ana) == ["from my phone"] })
        for node in [laptop, phone, fresh] { try await node.remove() }
    }

    @Test func `devices are named in the own space, and found by name or key`() async throws {
        let one = try await RunningNode.start()
        let other = try await one.startSecond()
        let key = try await other.device
        #expect(
            await eventually(seconds: 30) {
                (try? await one.call(DeviceCommands.list))?.devices.count == 2
            })
        let short = try NameOrKey(String(key.string.prefix(6)))
        try await one.call(DeviceCommands.rename, .init(device: short, name: Text("phone")))
        #expect(
            await eventually {
                (try? await other.call(DeviceCommands.list))?.devices.first?.name?.string
                    == "phone"
            })
        let listed = try await one.call(DeviceCommands.list)
        #expect(listed.devices.map(\.isThis) == [true, false])
        #expect(listed.devices.map(\.linked) == [true, true])
        #expect(listed.devices[1].outranked == nil)
        #expect(try await other.call(DeviceCommands.list).devices[1].outranked != nil)
        // A device cannot remove itself, one it did not add, or without a confirmation.
        for (node, name, yes) in [
            (one, "phone", false), (other, "phone", true),
            (other, try await one.device.string, true), (one, "tablet", true),
        ] {
            await #expect(throws: CommandFault.self) {
                try await node.call(
                    DeviceCommands.remove, .init(device: NameOrKey(name), yes: yes))
            }
        }
        #expect(try await one.call(DeviceCommands.list).devices.count == 2)
        for node in [one, other] { try await node.remove() }
    }

    @Test func `recovery words remove the device that added this one`() async throws {
        let home = Home(try TestDirectory.newPath("home"))
        let (_, words) = try NodeIdentity.create(in: home)
        let one = try await RunningNode.start(home)
        let other = try await one.startSecond()
        #expect(
            await eventually(seconds: 30) {
                // A device that regains removes none before something has come back.
                let list = try? await other.call(DeviceCommands.list)
                return list?.devices.count == 2 && list?.locked == nil
            })
        let senior = try await one.device
        var generator = SystemRandomNumberGenerator()
        let wrong = RecoveryWords(using: &generator).words.joined(separator: " ")
        await #expect(throws: CommandFault.self) {
            try await other.call(
                DeviceCommands.remove,
                .init(device: NameOrKey(senior), yes: true, words: Text(wrong)))
        }
        try await other.call(
            DeviceCommands.remove,
            .init(
                device: NameOrKey(senior), yes: true,
                words: Text(words.words.joined(separator: " "))))
        #expect(try await other.call(DeviceCommands.list).devices.map(\.isThis) == [true])
        #expect(
            await eventually(seconds: 30) {
                (try? await one.call(NodeCommands.status))?.unsettled != nil
            })
        for node in [one, other] { try await node.remove() }
    }
}
