import FeaturesAPI
import PluginKit
import TestSupport
import Testing

@testable import Features

/// The bodies of events: what changed, so that a page queries nothing else again.
@Suite struct EventBodyTests {
    @Test func `a link to a mate changes their presence, and one to a stranger nothing`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let eve = try await network.person(seed: 3, "Eve")
            _ = ann.drainEvents()
            try await network.setLink(ann, ben, isUp: false)
            try await network.setLink(ann, eve, isUp: true)
            try await network.settle()
            #expect(
                try ann.drainEvents(MateEvents.changed)
                    == [MateChange(person: Key(ben.me.person), part: .presence)])
        }
    }

    @Test func `a mate's new name is a change of their profile`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            _ = ann.drainEvents()
            try await ben.call(ProfileCommands.edit, .init(nickname: Nickname("Benny")))
            try await network.settle()
            #expect(
                try ann.drainEvents(MateEvents.changed)
                    == [MateChange(person: Key(ben.me.person), part: .profile)])
        }
    }

    @Test func `a walk request names itself, and the kind of its item`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            _ = ben.drainEvents()
            let walk = try await ann.call(
                WalkCommands.ask,
                .init(
                    to: NameOrKey(ben.me.person), latitude: Latitude(1), longitude: Longitude(2),
                    message: Text("Now?")))
            try await network.settle()
            #expect(try Set(ben.drainEvents(WalkEvents.changed)) == [WalkChange(id: walk.id)])
            try await ann.call(WalkCommands.cancel, .init(id: RecordPrefix(walk.id)))
            try await network.settle()
            #expect(
                try Set(ben.drainEvents(InboxEvents.changed)) == [InboxChange(kinds: ["walk"])])
        }
    }

    @Test func `a location says whose it is`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await network.pass(seconds: 2)
            _ = (ann.drainEvents(), ben.drainEvents())
            try await ann.call(
                LocationCommands.set, .init(latitude: Latitude(1), longitude: Longitude(2)))
            try await network.pass(seconds: 2)
            let person = Key(ann.me.person)
            #expect(
                try Set(ann.drainEvents(LocationEvents.changed))
                    == [LocationChange(person: person, me: true)])
            #expect(
                try Set(ben.drainEvents(LocationEvents.changed))
                    == [LocationChange(person: person, me: false)])
        }
    }

    @Test func `a change of the user's visibility leaves the people nearby as they are`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            _ = ann.drainEvents()
            try await ann.call(NearbyCommands.showToEveryone)
            #expect(
                try ann.drainEvents(NearbyEvents.changed) == [NearbyChange(part: .visibility)])
        }
    }

    @Test func `a note changes the notes of its group`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let group = try await ann.call(GroupCommands.create, .init(name: Text("Walkers")))
            try await network.settle()
            _ = ann.drainEvents()
            try await ann.call(
                GroupCommands.note, .init(group: NameOrKey(group.id), text: Text("Six?")))
            try await network.settle()
            #expect(
                try ann.drainEvents(GroupEvents.changed)
                    == [GroupChange(group: group.id, part: .notes)])
        }
    }
}
