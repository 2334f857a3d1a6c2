import FeaturesAPI
import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// Promises that change while people are on the way, or have arrived without knowing of the change.
@Suite struct MovedPromiseTests {
    private func move(_ id: Key, of host: TestHost, to time: Timestamp) async throws {
        try await host.call(
            PromiseCommands.edit,
            .init(promise: NameOrKey(id), atMs: time))
    }

    @Test func `a promise moved while a person is on the way begins anew at its new time`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            let later = friends.ann.time(in: .seconds(2 * 3600))
            try await move(id, of: friends.ann, to: later)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .idle)
            for host in friends.all {
                #expect(try await host.person(friends.ben, in: id)?.location == nil)
                #expect(try await host.person(friends.ben, in: id)?.departedMs == nil)
            }
            // A restart in between does not count as a crash on the way.
            await friends.ben.start()
            try await network.skip(seconds: 2 * 3600 - 1800)
            try friends.ben.locate(metresNorth: 800)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .sharing)
            let shown = try await friends.ann.person(friends.ben, in: id)
            #expect(shown?.remaining == "800 m" && shown?.progress == 0.0)
            #expect(try #require(shown?.departedMs) >= later - .seconds(1800))
        }
    }

    @Test func `other plugins are told when the group of a promise is no longer needed`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise()
            let group = try await friends.ben.space(of: id).id
            #expect(try await friends.ben.title(of: group) == "Dinner")
            #expect(try await friends.ben.title(of: SpaceID(raw: .zero)) == nil)
            let over = "SELECT over_ms FROM host_group WHERE feature = 'promises'"
            let past = try await friends.ben.show(id).summary.atMs + .seconds(10_800)
            #expect(
                try await friends.ben.rows(over).map { $0.integer("over_ms") }
                    == [past.milliseconds])
            try await friends.ann.call(PromiseCommands.delete, .init(id))
            try await network.settle()
            #expect(try await friends.ben.rows(over).map { $0.integer("over_ms") } == [0])
        }
    }

    @Test func `an empty name removes the name of the location`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise()
            for name in ["City Hall", ""] {
                try await friends.ann.call(
                    PromiseCommands.edit, .init(promise: NameOrKey(id), locationName: Text(name)))
                try await network.settle()
                #expect(try await friends.ben.show(id).summary.locationName ?? "" == name)
            }
        }
    }

    @Test func `a person who has arrived cannot leave, and their rank stays`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 5)
            try await network.settle()
            await #expect(
                throws: CommandFault.conflict("You have arrived; the promise stays as it is.")
            ) { try await friends.ben.call(PromiseCommands.leave, .init(id)) }
            #expect(try await friends.ann.person(friends.ben, in: id)?.medal == .gold)
            try await friends.cem.call(PromiseCommands.leave, .init(id))
        }
    }

    @Test func `a person who arrived for the old time is not absent, and arrives again`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try await friends.setLinks(of: friends.ben, isUp: false)
            try friends.ben.locate(metresNorth: 5)
            try await network.pass(seconds: 2)
            #expect(try await friends.ben.sharing(id) == .arrived)
            let later = friends.ann.time(in: .seconds(4 * 3600))
            try await move(id, of: friends.ann, to: later)
            try await friends.setLinks(of: friends.ben, isUp: true)
            try await network.settle()
            for host in friends.all {
                #expect(try await host.person(friends.ben, in: id)?.arrivedMs == nil)
                #expect(try await host.person(friends.ben, in: id)?.lateness == .open)
            }
            // The new time is outside of the hours that Ben agreed to.
            try await friends.ben.call(PromiseCommands.confirm, .init(id))
            try await network.skip(seconds: 4 * 3600 - 900)
            try friends.ben.locate(metresNorth: 5)
            try await network.settle()
            for host in friends.all {
                let person = try await host.person(friends.ben, in: id)
                #expect(person?.rank == 1 && person?.lateness == .early)
            }
        }
    }

    @Test func `a person at the location when a promise is moved arrives at once again`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 2400)
            try await network.skip(seconds: 1200)
            try await friends.setLinks(of: friends.ben, isUp: false)
            try friends.ben.locate(metresNorth: 5)
            try await network.pass(seconds: 1)
            #expect(try await friends.ben.sharing(id) == .arrived)
            let later = friends.ann.time(in: .seconds(1800))
            try await move(id, of: friends.ann, to: later)
            try await network.pass(seconds: 1)
            try await friends.setLinks(of: friends.ben, isUp: true)
            try await network.settle()
            for host in friends.all {
                let person = try await host.person(friends.ben, in: id)
                #expect(try #require(person?.arrivedMs) >= later - .seconds(1800))
                #expect(person?.rank == 1)
            }
        }
    }

    @Test func `a person at the location before a promise begins arrives when it begins`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1860)
            let at = friends.ann.time(in: .seconds(1860))
            try friends.ben.locate(metresNorth: 5)
            try await network.skip(seconds: 59)
            #expect(try await friends.ben.sharing(id) == .idle)
            try await network.pass(seconds: 1)
            let person = try await friends.ann.person(friends.ben, in: id)
            #expect(person?.arrivedMs == at - .seconds(1800))
            #expect(person?.lateness == .early && person?.rank == 1)
        }
    }

    @Test func `a change that only moves words from the title to the location is told`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            // In both, title and location together read the same.
            for (title, location) in [("Dinner|Jo's", "Gate"), ("Dinner", "Jo's|Gate")] {
                try await friends.ann.call(
                    PromiseCommands.edit,
                    .init(
                        promise: NameOrKey(id), title: Text(title), locationName: Text(location)))
                try await network.settle()
                let item = try #require(
                    try await friends.ben.call(InboxCommands.list).items.first { !$0.handled })
                #expect(item.title.string == "Ann changed \(title)")
                try await friends.ben.call(
                    InboxCommands.handle, .init(id: RecordPrefix(item.id)))
                try await network.settle()
            }
        }
    }

    @Test func `participants are told of a change, and invited people are asked again`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(accepting: false)
            try await friends.ben.call(PromiseCommands.accept, .init(id))
            try await network.settle()
            try await friends.ann.call(
                PromiseCommands.edit, .init(promise: NameOrKey(id), penalty: Whole(5000)))
            try await network.settle()
            #expect(try await friends.ben.news() == ["Ann changed Dinner"])
            #expect(try await friends.cem.news() == ["Ann invites you to Dinner"])
            for host in [friends.ben, friends.cem] {
                let items = try await host.call(InboxCommands.list).items
                #expect(items.first?.body.string.contains("5,000 potatoes") == true)
            }
            #expect(try await friends.ann.news().isEmpty)
            // Once its time has come, the notice is no longer of use.
            try await network.skip(seconds: 3601)
            for host in friends.others { #expect(try await host.news().isEmpty) }
        }
    }

    @Test func `a person who declined is notified when asked again`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(accepting: false)
            try await friends.ben.call(PromiseCommands.leave, .init(id))
            try await network.settle()
            #expect(try await friends.ben.news().isEmpty)
            try await friends.ann.call(
                PromiseCommands.invite,
                .init(promise: NameOrKey(id), with: [friends.ben.prefix]))
            try await network.settle()
            #expect(try await friends.ben.news() == ["Ann invites you to Dinner"])
        }
    }

    @Test func `an arrival before one that was reported already corrects that report`() async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try await friends.setLinks(of: friends.cem, isUp: false)
            try friends.cem.locate(metresNorth: 5)
            try await network.pass(seconds: 2)
            try friends.ben.locate(metresNorth: 5)
            try await network.pass(seconds: 2)
            #expect(try await friends.ann.news().contains("Ben arrived, 1st"))
            try await friends.setLinks(of: friends.cem, isUp: true)
            try await network.settle()
            let news = try await friends.ann.news().filter { $0.contains("arrived") }.sorted()
            #expect(news == ["Ben arrived, 2nd", "Cem arrived, 1st"])
            #expect(try await friends.ann.person(friends.cem, in: id)?.medal == .gold)
        }
    }
}
