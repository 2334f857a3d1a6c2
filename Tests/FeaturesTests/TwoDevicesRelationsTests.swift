import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// Two devices of one person: profile, mates, blocks, groups and the shown location.
@Suite struct TwoDevicesRelationsTests {
    @Test func `a mate sees one person with two devices, and nobody is a person nearby themself`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            #expect(try await home.ben.call(MateCommands.list).mates.count == 1)
            let anna = Key(home.phone.me.person)
            for device in home.devices {
                #expect(try await device.mate(home.ben)?.state == .mate)
                let nearby = try await device.call(NearbyCommands.list).people
                #expect(!nearby.contains { $0.person == anna })
                let mates = try await device.call(MateCommands.list).mates
                #expect(!mates.contains { $0.person == anna })
            }
            try await network.setLink(home.phone, home.ben, isUp: false)
            #expect(try await home.ben.mate(home.phone)?.present == true)
            try await network.setLink(home.laptop, home.ben, isUp: false)
            #expect(try await home.ben.mate(home.phone)?.present == false)
        }
    }

    @Test func `a mate met on one device is a mate on the other, until one of them ends it`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let cem = try await network.person(seed: 3, "Cem")
            try await network.setLink(home.phone, cem, isUp: true)
            try await network.meet(home.phone, cem, number: 9)
            #expect(try await home.laptop.mate(cem)?.state == .mate)
            #expect(try await home.laptop.mate(cem)?.profile.nickname == "Cem")
            // The laptop was away when it ended.
            try await network.setLink(home.phone, home.laptop, isUp: false)
            try await home.phone.call(MateCommands.remove, .init(person: NameOrKey(cem.me.person)))
            try await network.settle()
            #expect(try await home.laptop.mate(cem) != nil)
            try await network.setLink(home.phone, home.laptop, isUp: true)
            #expect(try await home.laptop.mate(cem) == nil)
        }
    }

    @Test func `a device that learns of an end does not undo a later meeting of the other device`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let anna = NameOrKey(home.phone.me.person)
            try await home.leaveOut(home.phone)
            try await home.phone.propose(to: home.ben, number: 9)
            try await network.pass(seconds: 1)
            // The laptop writes later than the phone, and does not know of meeting 9.
            try await home.ben.call(MateCommands.remove, .init(person: anna))
            try await network.settle()
            #expect(try await home.laptop.mate(home.ben) == nil)
            try await home.ben.propose(to: home.phone, number: 9)
            try await network.settle()
            try await home.link()
            for device in home.devices {
                #expect(try await device.mate(home.ben)?.state == .mate)
            }
            #expect(try await home.ben.mate(home.phone)?.state == .mate)
        }
    }

    @Test func `a group made or joined on one device is on the other, and a departure too`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let own = try await home.phone.call(GroupCommands.create, .init(name: Text("Mine")))
            try await network.settle()
            let groups = { (host: TestHost) in
                try await host.call(GroupCommands.list).groups.map { "\($0.name) \($0.state)" }
            }
            #expect(try await groups(home.laptop) == ["Mine member"])
            try await home.laptop.call(
                GroupCommands.note, .init(group: NameOrKey(own.id), text: Text("From the laptop")))
            try await network.settle()
            let detail = try await home.phone.call(
                GroupCommands.show, .init(group: NameOrKey(own.id)))
            #expect(detail.notes.map(\.text) == ["From the laptop"])
            try await home.leaveOut(home.laptop)
            try await home.phone.call(GroupCommands.leave, .init(group: NameOrKey(own.id)))
            try await network.settle()
            try await home.link()
            #expect(try await groups(home.laptop) == ["Mine left"])
        }
    }

    @Test func `accepted on one device and declined on the other, apart: both show the same state`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let group = try await home.ben.call(GroupCommands.create, .init(name: Text("Walkers")))
            try await home.ben.call(
                GroupCommands.invite,
                .init(group: NameOrKey(group.id), person: NameOrKey(home.phone.me.person)))
            try await network.settle()
            try await home.part()
            try await home.phone.call(GroupCommands.accept, .init(group: NameOrKey(group.id)))
            try await home.laptop.call(GroupCommands.decline, .init(group: NameOrKey(group.id)))
            try await network.settle()
            try await home.link()
            let states = try await home.devices.asyncMap {
                try await $0.call(GroupCommands.list).groups.map(\.state)
            }
            // Nobody takes part in what they declined.
            #expect(states == [[.left], [.left]])
            #expect(try await home.haveOneInbox())
            #expect(try await home.phone.inboxItems().allSatisfy(\.handled))
        }
    }

    @Test func `of two edits of the profile apart, each field has its later value on all replicas`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.part()
            try await home.phone.call(
                ProfileCommands.edit, .init(nickname: Nickname("Ann"), age: Whole(4)))
            try await network.pass(seconds: 2)
            try await home.laptop.call(
                ProfileCommands.edit, .init(nickname: Nickname("Anni"), dogName: Text("Rex")))
            try await network.settle()
            try await home.link()
            for device in home.devices {
                let me = try await device.call(ProfileCommands.show)
                #expect(me.nickname == "Anni" && me.dogName == "Rex" && me.age?.value == 4)
            }
            let seen = try await home.ben.mate(home.phone)?.profile
            #expect(seen?.nickname == "Anni" && seen?.dogName == "Rex" && seen?.age?.value == 4)
        }
    }

    @Test func `a field made private on one device leaves the card though the other edited it`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.phone.call(ProfileCommands.edit, .init(age: Whole(4)))
            try await network.settle()
            try await home.part()
            try await home.phone.call(ProfileCommands.edit, .init(keptPrivate: [.age]))
            try await network.pass(seconds: 2)
            try await home.laptop.call(ProfileCommands.edit, .init(age: Whole(5)))
            try await network.settle()
            try await home.link()
            #expect(try await home.ben.mate(home.phone)?.profile.age == nil)
            for device in home.devices {
                #expect(try await device.features.myCard().age == nil)
                let card = try await device.rows(
                    "SELECT age FROM neighbours_profile WHERE creator = ?",
                    [.bytes(home.phone.me.person.bytes)]
                ).first
                #expect(card != nil && card?.integer("age") == nil)
                #expect(try await device.call(ProfileCommands.show).keptPrivate == [.age])
            }
        }
    }

    @Test func `blocked on both devices apart is blocked until both blocks are lifted`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            let ben = NameOrKey(home.ben.me.person)
            try await network.setLink(home.phone, home.laptop, isUp: false)
            try await home.phone.block(home.ben, because: .other)
            try await home.laptop.block(home.ben, because: .violent)
            try await network.settle()
            // The phone does not know of the laptop's block, which stays.
            try await home.phone.call(MateCommands.unblock, .init(person: ben))
            try await network.settle()
            try await network.setLink(home.phone, home.laptop, isUp: true)
            for device in home.devices {
                #expect(try await device.relation(to: home.ben) == .blocked)
                #expect(try await device.call(MateCommands.blocked).blocked.count == 1)
            }
            try await home.laptop.call(MateCommands.unblock, .init(person: ben))
            try await network.settle()
            for device in home.devices {
                #expect(try await device.relation(to: home.ben) != .blocked)
                #expect(try await device.call(MateCommands.blocked).blocked.isEmpty)
            }
        }
    }

    @Test func `unblocked on one device and blocked again on the other: the later act counts`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.phone.block(home.ben, because: .other)
            try await network.settle()
            try await network.setLink(home.phone, home.laptop, isUp: false)
            try await home.laptop.block(home.ben, because: .violent)
            try await network.pass(seconds: 2)
            try await home.phone.call(
                MateCommands.unblock, .init(person: NameOrKey(home.ben.me.person)))
            try await network.settle()
            try await network.setLink(home.phone, home.laptop, isUp: true)
            for device in home.devices {
                #expect(try await device.relation(to: home.ben) != .blocked)
            }
        }
    }

    @Test func `a nickname given on one device is shown on the other`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.laptop.call(
                MateCommands.rename,
                .init(person: NameOrKey(home.ben.me.person), as: OwnNickname("Benni")))
            try await network.settle()
            #expect(try await home.phone.mate(home.ben)?.ownNickname == "Benni")
        }
    }

    // MARK: - The shown location

    @Test func `the device that set a location last is shown; the other says so and can end it`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.phone.setLocation(1, 2)
            try await network.settle()
            #expect(try await home.phone.call(LocationCommands.show).shown == .here)
            let elsewhere = try await home.laptop.call(LocationCommands.show)
            #expect(elsewhere.shown == .elsewhere)
            #expect(elsewhere.shownBy == Key(home.phone.me.device))
            try await network.pass(seconds: 1)
            try await home.laptop.setLocation(3, 4)
            try await network.settle()
            #expect(try await home.ben.mate(home.phone)?.location?.latitude == 3)
            #expect(try await home.phone.call(LocationCommands.show).shown == .elsewhere)
            try await network.pass(seconds: 1)
            try await home.phone.call(LocationCommands.clear)
            try await network.settle()
            #expect(try await home.ben.mate(home.phone)?.location == nil)
            for device in home.devices {
                #expect(try await device.call(LocationCommands.show).shown == nil)
            }
        }
    }

    @Test func `both set a location apart: everyone sees the later one, whoever tells it last`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.part()
            try await home.phone.setLocation(1, 2)
            try await network.pass(seconds: 2)
            try await home.laptop.setLocation(3, 4)
            try await network.settle()
            try await network.setLink(home.laptop, home.ben, isUp: true)
            try await network.setLink(home.phone, home.ben, isUp: true)
            #expect(try await home.ben.mate(home.phone)?.location?.latitude == 3)
            try await home.link()
            #expect(try await home.ben.mate(home.phone)?.location?.latitude == 3)
            #expect(try await home.phone.call(LocationCommands.show).shown == .elsewhere)
            #expect(try await home.laptop.call(LocationCommands.show).shown == .here)
        }
    }

    @Test func `a device that has not heard of a new location does not hide it`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.laptop.setLocation(1, 2)
            try await network.pass(seconds: 1)
            try await home.laptop.call(LocationCommands.clear)
            try await network.settle()
            try await home.leaveOut(home.laptop)
            try await network.pass(seconds: 1)
            try await home.phone.setLocation(3, 4)
            try await network.settle()
            try await network.setLink(home.laptop, home.ben, isUp: true)
            #expect(try await home.ben.mate(home.phone)?.location?.latitude == 3)
            // A device that clears it later, and is the only one in reach, ends it.
            try await network.setLink(home.phone, home.laptop, isUp: true)
            try await home.part()
            try await network.pass(seconds: 1)
            try await home.laptop.call(LocationCommands.clear)
            try await network.settle()
            try await network.setLink(home.phone, home.ben, isUp: true)
            try await network.setLink(home.laptop, home.ben, isUp: true)
            #expect(try await home.ben.mate(home.phone)?.location == nil)
        }
    }
}

extension Sequence where Element: Sendable {
    /// Returns the results of an asynchronous function for each element, in order.
    fileprivate func asyncMap<Result>(
        _ body: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
