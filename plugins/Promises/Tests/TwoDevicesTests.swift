import FeaturesAPI
import Features
import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// Ben's phone and laptop in a promise of Ann: he takes part once, with one location.
@Suite struct TwoDevicesTests {
    private struct Company {
        let friends: Friends
        let laptop: TestHost

        var ann: TestHost { friends.ann }
        var phone: TestHost { friends.ben }
        var devices: [TestHost] { [phone, laptop] }

        func link() async throws { try await setLinks(isUp: true) }
        func part() async throws { try await setLinks(isUp: false) }

        private func setLinks(isUp: Bool) async throws {
            for (one, other) in [(phone, laptop), (phone, ann), (laptop, ann)] {
                try await friends.network.setLink(one, other, isUp: isUp)
            }
        }

        /// The open news about promises on both devices.
        func news() async throws -> [[String]] {
            [try await phone.news().sorted(), try await laptop.news().sorted()]
        }

        func sharing(_ id: Key) async throws -> [PromiseSharing] {
            [try await phone.sharing(id), try await laptop.sharing(id)]
        }
    }

    private func gather(_ network: TestNetwork) async throws -> Company {
        let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
        let laptop = try await network.device(
            seed: 12, of: friends.ben, [CoreFeatures.self, Promises.self])
        let company = Company(friends: friends, laptop: laptop)
        try await company.link()
        return company
    }

    @Test func `a promise made on one device is on the other, which can call it off`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await gather(network)
            let id = try await company.phone.promise(with: [company.ann])
            try await network.settle()
            #expect(try await company.laptop.listed() == [id])
            try await company.laptop.call(PromiseCommands.delete, .init(id))
            try await network.settle()
            #expect(try await company.phone.listed().isEmpty)
            #expect(try await company.ann.listed().isEmpty)
        }
    }

    @Test func `an invitation accepted on one device asks nothing on the other, and counts once`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await gather(network)
            let id = try await company.ann.promise(with: [company.phone])
            try await network.settle()
            let invitation = ["Ann invites you to Dinner"]
            #expect(try await company.news() == [invitation, invitation])
            try await company.laptop.call(PromiseCommands.accept, .init(id))
            try await network.settle()
            #expect(try await company.news() == [[], []])
            let detail = try await company.ann.show(id)
            #expect(detail.people.count == 2)
            #expect(detail.people.allSatisfy { $0.hasConfirmed == true })
            #expect(try await company.phone.person(company.phone, in: id)?.hasConfirmed == true)
        }
    }

    @Test func `a person arrives once, whichever device says so first`() async throws {
        try await TestNetwork.with { network in
            let company = try await gather(network)
            let id = try await company.friends.promise(inSeconds: 1800)
            try await company.part()
            try company.phone.locate(metresNorth: 10)
            try await network.pass(seconds: 40)
            try company.laptop.locate(metresNorth: 5)
            try await network.settle()
            let first = try await company.phone.person(company.phone, in: id)?.arrivedMs
            try await company.link()
            for host in company.devices + [company.ann] {
                let ben = try await host.person(company.phone, in: id)
                #expect(ben?.arrivedMs == first && ben?.rank == 1)
            }
            #expect(try await company.sharing(id) == [.arrived, .arrived])
            let news = try await company.news()
            #expect(news[0] == news[1])
            #expect(news[0].count { $0.hasPrefix("You arrived") } == 1)
        }
    }

    @Test func `both devices set out apart: one is shown, the other says so, and either stops it`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await gather(network)
            let id = try await company.friends.promise(inSeconds: 1800)
            try await network.setLink(company.phone, company.laptop, isUp: false)
            try await network.setLink(company.laptop, company.ann, isUp: false)
            try company.phone.locate(metresNorth: 900)
            try await network.pass(seconds: 6)
            try company.laptop.locate(metresNorth: 2000)
            try await network.pass(seconds: 1)
            #expect(try await company.sharing(id) == [.sharing, .sharing])
            try await company.link()
            try await network.pass(seconds: 6)
            #expect(try await company.sharing(id) == [.sharing, .elsewhere])
            let summary = try await company.laptop.show(id).summary
            #expect(summary.sharingDevice == Key(company.phone.me.device))
            try company.phone.locate(metresNorth: 800)
            try await network.pass(seconds: 6)
            #expect(try await company.ann.person(company.phone, in: id)?.remaining == "800 m")
            // The one that acted last is shown.
            try await company.laptop.call(PromiseCommands.share, .init(id))
            try company.laptop.locate(metresNorth: 1500)
            try await network.pass(seconds: 6)
            #expect(try await company.sharing(id) == [.elsewhere, .sharing])
            #expect(try await company.ann.person(company.phone, in: id)?.remaining == "1.50 km")
            try await company.phone.call(PromiseCommands.stop, .init(id))
            try await network.settle()
            #expect(try await company.sharing(id) == [.stopped, .stopped])
            #expect(try await company.ann.person(company.phone, in: id)?.location == nil)
        }
    }

    @Test func `an interrupted device says so until another one continues`() async throws {
        try await TestNetwork.with { network in
            let company = try await gather(network)
            let id = try await company.friends.promise(inSeconds: 1800)
            try company.phone.locate(metresNorth: 900)
            try await network.pass(seconds: 1)
            await company.phone.start()
            try await network.pass(seconds: 1)
            let hidden = "Dinner: your location is now hidden"
            #expect(try await company.phone.news().contains(hidden))
            try await network.pass(seconds: 61)
            #expect(try await company.laptop.news().contains(hidden))
            try await company.laptop.call(PromiseCommands.share, .init(id))
            try await network.settle()
            #expect(try await !company.phone.news().contains(hidden))
            #expect(try await !company.laptop.news().contains(hidden))
        }
    }

    @Test func `a change is told once, and stays dismissed on a device that comes later`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await gather(network)
            let id = try await company.friends.promise()
            try await network.setLink(company.laptop, company.phone, isUp: false)
            try await network.setLink(company.laptop, company.ann, isUp: false)
            try await company.ann.call(
                PromiseCommands.edit,
                .init(promise: NameOrKey(id), title: Text("Supper")))
            try await network.settle()
            let news = try await company.phone.call(InboxCommands.list).items
            let item = try #require(news.first { $0.title.string == "Ann changed Supper" })
            try await company.phone.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
            try await network.settle()
            try await company.link()
            #expect(try await company.news() == [[], []])
        }
    }
}
