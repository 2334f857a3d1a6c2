import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// Two devices of one person: what is done on one is done on both.
@Suite struct TwoDevicesTests {
    @Test func `a walk accepted on one device is accepted on the other, and asks nothing there`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let id = try await home.ben.ask(home.phone)
            try await network.settle()
            #expect(try await home.laptop.inboxItems().first?.actions == ["accept", "decline"])
            try await home.phone.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            try await network.settle()
            #expect(try await home.laptop.walkState(id) == .accepted)
            #expect(try await home.laptop.inboxItems().map(\.handled) == [true])
            #expect(try await home.laptop.inboxItems().first?.actions == [])
            #expect(try await home.haveOneInbox())
        }
    }

    @Test func `an item dismissed on one device is dismissed on the other, and stays so`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            _ = try await home.ben.ask(home.phone)
            try await network.settle()
            let item = try #require(try await home.laptop.inboxItems().first)
            try await home.laptop.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
            try await network.settle()
            #expect(try await home.phone.inboxItems().map(\.handled) == [true])
            try await home.part()
            await home.phone.start()
            await home.laptop.start()
            try await home.link()
            #expect(try await home.phone.inboxItems().map(\.handled) == [true])
            #expect(try await home.haveOneInbox())
        }
    }

    @Test func `a request that both devices received apart is one item, handled if one handled it`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await network.setLink(home.phone, home.laptop, isUp: false)
            let id = try await home.ben.ask(home.phone)
            try await network.settle()
            let item = try #require(try await home.phone.inboxItems().first)
            try await home.phone.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
            try await network.settle()
            #expect(try await home.laptop.inboxItems().map(\.handled) == [false])
            try await home.link()
            #expect(try await home.laptop.inboxItems().map(\.handled) == [true])
            #expect(try await home.laptop.inboxItems().first?.ref?.string == id.string)
            #expect(try await home.haveOneInbox())
        }
    }

    @Test func `a device that learns of a request with its answer shows no notice of it`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.leaveOut(home.laptop)
            let id = try await home.ben.ask(home.phone)
            try await network.settle()
            try await home.phone.call(WalkCommands.decline, .init(id: RecordPrefix(id)))
            try await network.settle()
            _ = home.laptop.drainNotices()
            try await home.link()
            #expect(home.laptop.drainNotices().isEmpty)
            #expect(try await home.laptop.walkState(id) == .declined)
            #expect(try await home.haveOneInbox())
        }
    }

    @Test func `a request that one device had in time was not missed by the person`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.leaveOut(home.laptop)
            let id = try await home.ben.ask(home.phone)
            try await network.pass(seconds: 61)
            try await network.setLink(home.phone, home.laptop, isUp: true)
            try await network.setLink(home.laptop, home.ben, isUp: true)
            try await network.pass(seconds: 1)
            #expect(try await home.phone.walkState(id) == .expired)
            #expect(try await home.laptop.walkState(id) == .expired)
            #expect(try await home.ben.walkState(id) == .expired)
        }
    }

    @Test func `the other device does not claim that a request of the first one did not arrive`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await network.setLink(home.laptop, home.ben, isUp: false)
            let id = try await home.phone.ask(home.ben)
            try await network.pass(seconds: 61)
            #expect(try await home.phone.walkState(id) == .expired)
            #expect(try await home.laptop.walkState(id) == .expired)
            #expect(try await home.haveOneInbox())
        }
    }

    @Test func `accepted on one device and declined on the other, apart: the first answer counts`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let id = try await home.ben.ask(home.phone)
            try await network.settle()
            try await home.part()
            try await home.phone.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            try await network.pass(seconds: 2)
            try await home.laptop.call(WalkCommands.decline, .init(id: RecordPrefix(id)))
            // Ben hears the second answer first.
            try await network.setLink(home.laptop, home.ben, isUp: true)
            #expect(try await home.ben.walkState(id) == .declined)
            let told = try #require(try await home.ben.inboxItems().first)
            try await home.ben.call(InboxCommands.handle, .init(id: RecordPrefix(told.id)))
            try await home.link()
            for host in [home.phone, home.laptop, home.ben] {
                #expect(try await host.walkState(id) == .accepted)
            }
            #expect(try await home.haveOneInbox())
            #expect(try await home.phone.inboxItems().allSatisfy(\.handled))
            let news = try await home.ben.inboxItems().filter { !$0.handled }
            #expect(news.map(\.title) == ["Anna accepted your walk"])
        }
    }

    @Test func `a device settles no item whose records it does not have yet`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let group = try await home.ben.call(GroupCommands.create, .init(name: Text("Walkers")))
            try await home.leaveOut(home.laptop)
            try await home.ben.call(
                GroupCommands.invite,
                .init(group: NameOrKey(group.id), person: NameOrKey(home.phone.me.person)))
            try await network.settle()
            try await home.part()
            // The item reaches the laptop, and the invitation does not.
            try await network.copy(.own(home.phone.me.person), home.phone, home.laptop)
            await home.laptop.start()
            try await network.settle()
            try await home.link()
            #expect(try await home.phone.inboxItems().map(\.handled) == [false])
            #expect(try await home.haveOneInbox())
            try await home.laptop.call(GroupCommands.accept, .init(group: NameOrKey(group.id)))
            try await network.settle()
            #expect(try await home.phone.inboxItems().map(\.handled) == [true])
            #expect(try await home.haveOneInbox())
        }
    }

    @Test func `an item that is posted again is open again on both devices, once`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            func post(_ occasion: String?, on host: TestHost) async throws {
                try await host.features.postToInbox(
                    InboxItem(
                        kind: "test", reference: "1", title: "News", body: "", actions: [],
                        occasion: occasion))
                try await network.settle()
            }
            try await post("one", on: home.phone)
            try await home.phone.features.settleInbox(reference: "1")
            try await network.settle()
            // The laptop learns of the same occasion later.
            try await post("one", on: home.laptop)
            #expect(try await home.laptop.inboxItems().map(\.handled) == [true])
            try await post("two", on: home.laptop)
            #expect(try await home.phone.inboxItems().map(\.handled) == [false])
            try await home.laptop.features.settleInbox(reference: "1")
            try await network.settle()
            try await post("two", on: home.phone)
            #expect(try await home.phone.inboxItems().map(\.handled) == [true])
            #expect(try await home.haveOneInbox())
        }
    }

    @Test func `an item of an older version keeps its state, and can be posted again`() async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let fields: [String: Value] = [
                "kind": .text("test"), "reference": .text("1"), "title": .text("Old"),
                "at_ms": .integer(1), "handled": .boolean(true),
            ]
            try await home.phone.write(
                [.create(collection: "neighbours.inbox/1", nonce: .zero, fields: fields)],
                in: .own(home.phone.me.person))
            try await network.settle()
            #expect(try await home.laptop.inboxItems().map(\.handled) == [true])
            try await home.laptop.features.postToInbox(
                InboxItem(kind: "test", reference: "1", title: "New", body: "", actions: []))
            try await network.settle()
            #expect(try await home.phone.inboxItems().map(\.title) == ["New"])
            #expect(try await home.phone.inboxItems().map(\.handled) == [false])
        }
    }

    @Test func `a mate cannot handle an item of mine`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            _ = try await home.ben.ask(home.phone)
            try await network.settle()
            let rows = try await home.phone.rows("SELECT entity FROM neighbours_inbox")
            let entity = try #require(rows.first?.entity("entity"))
            let forged = Records.Operation(
                collection: Inbox.inbox.id, entity: entity,
                action: .set(field: 11, .integer(9)))
            try await home.ben.forge([forged], in: .own(home.phone.me.person), for: home.phone)
            try await network.settle()
            #expect(try await home.phone.inboxItems().map(\.handled) == [false])
        }
    }
}
