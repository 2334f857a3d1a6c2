import ChatAPI
import FeaturesAPI
import Features
import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// Anna's phone and laptop, and her mate Ben: one conversation on two devices.
@Suite struct TwoDevicesTests {
    private struct Household {
        let network: TestNetwork
        let phone: TestHost
        let laptop: TestHost
        let ben: TestHost

        func link() async throws {
            for (one, other) in [(phone, laptop), (phone, ben), (laptop, ben)] {
                try await network.setLink(one, other, isUp: true)
            }
        }

        func part() async throws {
            for (one, other) in [(phone, laptop), (phone, ben), (laptop, ben)] {
                try await network.setLink(one, other, isUp: false)
            }
        }

        /// The open chat items of both devices.
        func waitingCounts() async throws -> [Int] {
            [try await phone.waiting().count, try await laptop.waiting().count]
        }

        /// The unread messages on both devices.
        func unreadCounts() async throws -> [Int?] {
            [try await phone.unread(in: ben.key), try await laptop.unread(in: ben.key)]
        }
    }

    private func gather(_ network: TestNetwork) async throws -> Household {
        let (phone, ben) = try await network.talkers()
        let laptop = try await network.device(
            seed: 11, of: phone, [CoreFeatures.self, Chat.self])
        let home = Household(network: network, phone: phone, laptop: laptop, ben: ben)
        try await home.link()
        return home
    }

    @Test func `a message sent on one device is an own one on the other, delivered at the mate`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await gather(network)
            try await home.part()
            let id = try await home.laptop.say("Hello", to: home.ben.key)
            try await network.settle()
            #expect(try await home.laptop.state(of: id, in: home.ben.key) == .queued)
            try await network.setLink(home.phone, home.laptop, isUp: true)
            // A device of one's own is no delivery.
            for device in [home.phone, home.laptop] {
                let message = try #require(try await device.message(id, in: home.ben.key))
                #expect(message.isMine && message.state == .sent && message.delivered == 0)
                #expect(try await device.open(home.ben.key).queued == 0)
            }
            try await network.setLink(home.phone, home.ben, isUp: true)
            #expect(try await home.phone.state(of: id, in: home.ben.key) == .delivered)
            try await home.ben.open(home.phone.key)
            try await network.settle()
            for device in [home.phone, home.laptop] {
                #expect(try await device.state(of: id, in: home.ben.key) == .read)
            }
        }
    }

    @Test func `what is read on one device is read on the other, and a late message is unread`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await gather(network)
            try await home.ben.say("One", to: home.phone.key)
            try await network.settle()
            #expect(try await home.unreadCounts() == [1, 1])
            #expect(try await home.waitingCounts() == [1, 1])
            try await home.phone.open(home.ben.key)
            try await network.settle()
            #expect(try await home.unreadCounts() == [0, 0])
            #expect(try await home.waitingCounts() == [0, 0])
            try await home.ben.say("Two", to: home.phone.key)
            try await network.settle()
            #expect(try await home.unreadCounts() == [1, 1])
            #expect(try await home.waitingCounts() == [1, 1])
            try await home.laptop.open(home.ben.key)
            try await network.settle()
            #expect(try await home.waitingCounts() == [0, 0])
            #expect(try await home.unreadCounts() == [0, 0])
        }
    }

    @Test func `a device that was away while its person read comes back with nothing unread`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await gather(network)
            try await network.setLink(home.laptop, home.phone, isUp: false)
            try await network.setLink(home.laptop, home.ben, isUp: false)
            for text in ["One", "Two", "Three"] {
                try await home.ben.say(text, to: home.phone.key)
                try await network.settle()
            }
            try await home.phone.open(home.ben.key)
            try await network.settle()
            try await home.link()
            #expect(try await home.unreadCounts() == [0, 0])
            #expect(try await home.waitingCounts() == [0, 0])
        }
    }

    @Test func `read on one device and dismissed on the other, apart: nothing waits anywhere`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await gather(network)
            try await home.ben.say("One", to: home.phone.key)
            try await network.settle()
            try await home.part()
            try await home.phone.open(home.ben.key)
            let item = try #require(try await home.laptop.waiting().first)
            try await home.laptop.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
            try await network.settle()
            // Dismissing reads nothing.
            #expect(try await home.unreadCounts() == [0, 1])
            try await home.link()
            #expect(try await home.unreadCounts() == [0, 0])
            #expect(try await home.waitingCounts() == [0, 0])
            try await home.ben.say("Two", to: home.phone.key)
            try await network.settle()
            #expect(try await home.waitingCounts() == [1, 1])
        }
    }

    @Test func `a message that only one device has keeps its item open on both`() async throws {
        try await TestNetwork.with { network in
            let home = try await gather(network)
            try await home.part()
            try await network.setLink(home.phone, home.ben, isUp: true)
            try await home.ben.say("One", to: home.phone.key)
            try await network.settle()
            // The item reaches the laptop before the message.
            try await network.copy(.own(home.phone.me.person), home.phone, home.laptop)
            await home.laptop.start()
            try await network.settle()
            try await home.link()
            #expect(try await home.waitingCounts() == [1, 1])
            #expect(try await home.unreadCounts() == [1, 1])
        }
    }

    @Test func `the same draft sent on both devices apart is two messages, in one order`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await gather(network)
            try await home.part()
            for device in [home.phone, home.laptop] {
                try await device.say("On my way", to: home.ben.key)
            }
            try await network.settle()
            try await home.link()
            let shown = try await home.phone.shown(in: home.ben.key)
            #expect(shown.map(\.text) == ["On my way", "On my way"])
            #expect(try await home.laptop.shown(in: home.ben.key) == shown)
            #expect(try await home.ben.shown(in: home.phone.key) == shown)
        }
    }

    @Test func `a message hidden on one device is hidden on the other`() async throws {
        try await TestNetwork.with { network in
            let home = try await gather(network)
            let id = try await home.ben.say("One", to: home.phone.key)
            try await network.settle()
            try await home.phone.delete(id, forEveryone: false)
            try await network.settle()
            #expect(try await home.laptop.texts(in: home.ben.key).isEmpty)
            #expect(try await home.waitingCounts() == [0, 0])
        }
    }

    @Test func `a mate marks nothing as read for me`() async throws {
        try await TestNetwork.with { network in
            let home = try await gather(network)
            try await home.ben.say("One", to: home.phone.key)
            try await network.settle()
            let pair = SpaceDescriptor.between(home.phone.me.person, home.ben.me.person)
            // Ben's program says that it read its own log.
            try await home.ben.write(
                [
                    .create(
                        collection: Chat.reading.name, nonce: home.ben.random.nonce(),
                        fields: Chat.fields(
                            reading: LogName(device: home.ben.me.device), through: 99))
                ], in: pair)
            try await network.settle()
            #expect(try await home.unreadCounts() == [1, 1])
            #expect(try await home.waitingCounts() == [1, 1])
        }
    }
}
