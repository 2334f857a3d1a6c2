import Features
import FeaturesAPI
import MatchingAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Matching

@Suite struct MatchingTests {
    @Test func `people who look see each other's wishes, the shared ones marked and first`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(
                network, wishes: ["coffee run", "tea Run", "chess"])
            let list = try await study.hosts[0].call(MatchingCommands.people, .init())
            #expect(list.people.count == 2 && list.hiddenCount.value == 0)
            let ben = try #require(list.people.first)
            #expect(ben.person == Key(study.hosts[1].me.person) && ben.shares)
            #expect(
                ben.wishes == [
                    .init(wish: "tea", isShared: false), .init(wish: "Run", isShared: true),
                ])
            #expect(list.people.last?.shares == false)
            #expect(list.recommended.map(\.wish.string) == ["chess", "Run", "tea"])
            #expect(list.recommended.map(\.mine) == [false, true, false])
            let alone = try await study.hosts[0].call(MatchingCommands.people, .init(shared: true))
            #expect(alone.people.map(\.person) == [ben.person])
        }
    }

    @Test func `nothing is announced or sent before looking, and only the flag is announced`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(
                network, wishes: ["coffee", "coffee"], areLooking: false)
            try await network.pass(seconds: 10)
            #expect(study.hosts[0].announced.isEmpty)
            #expect(await network.sentCount("matching", to: study.hosts[1]) == 0)
            // Nobody is listed yet, so asking somebody says how to begin.
            await #expect(throws: CommandFault.refused("Look first: 'waggle matching look'.")) {
                try await study.hosts[0].call(MatchingCommands.request, study.name(1))
            }
            let nobody = try await study.hosts[0].call(MatchingCommands.people, .init())
            #expect(nobody.state == .idle && nobody.people.isEmpty)
            try await study.hosts[0].call(MatchingCommands.look)
            #expect(
                try await study.hosts[0].call(MatchingCommands.people, .init()).state == .seeking)
            try await network.pass(seconds: 10)
            #expect(study.hosts[0].announced.keys == ["sk"])
            #expect(study.hosts[0].announced["sk"] == [UInt8(ascii: "s")])
            // The other does not look, so nothing is sent to them.
            #expect(await network.sentCount("matching", to: study.hosts[1]) == 0)
            #expect(study.hosts[0].seeksOthers)
            try await study.hosts[0].call(MatchingCommands.stop)
            #expect(study.hosts[0].announced.isEmpty)
        }
    }

    @Test func `a request that is accepted is a match, and opens the space of the two alone`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["coffee", "coffee"])
            #expect(try await !study.sharesPair(0, 1))
            try await study.match(0, 1)
            for index in 0...1 {
                let status = try await study.status(index)
                let partner = try #require(status.partner)
                #expect(status.action == .openChat && status.peopleCount == nil)
                #expect(partner.name?.string.hasPrefix(Study.names[1 - index]) == true)
                let pair = SpaceDescriptor.between(
                    study.hosts[0].me.person, study.hosts[1].me.person)
                #expect(partner.room == Key(pair.id))
                #expect(try await study.sharesPair(index, 1 - index))
                let cards = try await study.hosts[index].spaces(
                    sharedWith: study.hosts[1 - index].me.person)
                #expect(cards == [pair])
                // Looking is over.
                #expect(study.hosts[index].announced.isEmpty)
                #expect(
                    try study.hosts[index].drainEvents(MatchingEvents.changed)
                        .contains { $0.matched == true })
            }
            #expect(
                study.hosts[1].drainNotices().map(\.title.english).contains {
                    $0.hasPrefix("You are matched with Anna")
                })
        }
    }

    @Test func `two people who press at once get one match`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.hosts[0].call(MatchingCommands.request, study.name(1))
            try await study.hosts[1].call(MatchingCommands.request, study.name(0))
            try await network.pass(seconds: 1)
            #expect(try await study.status(0).state == .matched)
            #expect(try await study.status(1).state == .matched)
            let facts = try await study.hosts[0].rows("SELECT match FROM neighbours_match")
            #expect(facts.count == 2 && facts[0].bytes("match") == facts[1].bytes("match"))
        }
    }

    @Test func `a third person hears that both are already matched`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a", "a"])
            try await study.hosts[2].call(MatchingCommands.request, study.name(0))
            try await study.hosts[2].call(MatchingCommands.request, study.name(1))
            try await network.settle()
            #expect(try await study.status(0).requestCount.value == 1)
            try await study.match(0, 1)
            try await network.settle()
            // Those who are matched look no longer, and are listed for their answers alone.
            let list = try await study.hosts[2].call(MatchingCommands.people, .init())
            #expect(list.people.map(\.state) == [.gone, .gone] && list.recommended.isEmpty)
            #expect(
                list.people.map(\.answer?.sentence.english)
                    == ["They are already matched.", "They are already matched."])
            #expect(try await study.status(2).peopleCount?.value == 0)
            try await study.hosts[2].call(MatchingCommands.stop)
            try await study.hosts[2].call(MatchingCommands.look)
            let again = try await study.hosts[2].call(MatchingCommands.people, .init())
            #expect(again.people.isEmpty)
        }
    }

    @Test func `a person who stops looking is listed if I asked them, and not otherwise`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a", "a"])
            try await study.hosts[2].call(MatchingCommands.request, study.name(0))
            try await network.settle()
            for index in [0, 1] { try await study.hosts[index].call(MatchingCommands.stop) }
            try await network.settle()
            let list = try await study.hosts[2].call(MatchingCommands.people, .init()).people
            #expect(list.map(\.person) == [Key(study.hosts[0].me.person)])
            #expect(list.first?.answer?.sentence.english == "They stopped looking.")
            try await study.hosts[0].call(MatchingCommands.look)
            try await network.pass(seconds: 6)
            let back = try await study.hosts[2].call(MatchingCommands.people, .init()).people
            #expect(back.map(\.state) == [.free])
        }
    }

    @Test func `a request is shown without a write, and leaves the inbox when it is taken back`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            let before = try await study.hosts[1].rows("SELECT COUNT(*) AS count FROM waggle_batch")
            try await study.hosts[0].call(MatchingCommands.request, study.name(1))
            try await network.settle()
            let items = try await study.hosts[1].call(InboxCommands.list, .init()).items
            #expect(
                items.map(\.title.sentence.english).first?
                    .hasPrefix("Anna") == true)
            #expect(study.hosts[1].drainNotices().count == 1)
            try await study.hosts[0].call(
                MatchingCommands.cancel, .init(person: study.name(1).person))
            try await network.settle()
            #expect(try await study.hosts[1].call(InboxCommands.list, .init()).items.isEmpty)
            let after = try await study.hosts[1].rows("SELECT COUNT(*) AS count FROM waggle_batch")
            #expect(before == after)
        }
    }

    @Test func `a declined request stays declined while it is repeated`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.hosts[0].call(MatchingCommands.request, study.name(1))
            try await network.settle()
            try await study.hosts[1].call(MatchingCommands.decline, study.name(0))
            try await network.pass(seconds: 12)
            #expect(try await study.status(1).requestCount.value == 0)
            let ben = try await study.hosts[0].call(MatchingCommands.people, .init()).people[0]
            #expect(ben.state == .free && ben.answer?.sentence.english == "They declined.")
            await #expect(throws: CommandFault.self) {
                try await study.hosts[1].call(MatchingCommands.accept, study.name(0))
            }
        }
    }

    @Test func `ending a match costs 1, 2, 3 and 3 minutes, and the other side nothing`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            for (index, cost) in [60, 120, 180, 180].enumerated() {
                try await study.match(0, 1)
                let status = try await study.hosts[0].call(MatchingCommands.cancel, .init())
                #expect(status.state == .idle && status.pauseSeconds?.value == cost)
                #expect(status.cancelCount.value == index + 1)
                try await network.settle()
                let other = try await study.status(1)
                #expect(other.state == .idle && other.pauseSeconds == nil)
                try await study.hosts[1].call(MatchingCommands.look)
                try await network.pass(seconds: cost - 1)
                await #expect(
                    throws: CommandFault.refused(
                        "You ended a match a moment ago; you can look again in 1 second.")
                ) { try await study.hosts[0].call(MatchingCommands.look) }
                try await network.pass(seconds: 1)
                try await study.look()
            }
        }
    }

    @Test func `the end of a match closes the space, and both agree also if it is told late`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.match(0, 1)
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: false)
            try await study.hosts[0].call(MatchingCommands.cancel, .init())
            #expect(try await study.status(1).state == .matched)
            await study.hosts[0].start()
            await study.hosts[1].start()
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: true)
            try await network.pass(seconds: 2)
            for index in 0...1 {
                #expect(try await study.status(index).state == .idle)
                #expect(try await !study.sharesPair(index, 1 - index))
            }
        }
    }

    @Test func `crossed cancels cost both a minute`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.match(0, 1)
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: false)
            try await study.hosts[0].call(MatchingCommands.cancel, .init())
            try await study.hosts[1].call(MatchingCommands.cancel, .init())
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: true)
            try await network.pass(seconds: 2)
            for index in 0...1 {
                #expect(try await study.status(index).cancelCount.value == 1)
                #expect(try await !study.sharesPair(index, 1 - index))
            }
        }
    }

    @Test func `two people who became mates share their space after the match`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.match(0, 1)
            for (one, other) in [(0, 1), (1, 0)] {
                try await study.hosts[one].plugin(CoreFeatures.self)?.proposeMate(
                    study.hosts[other].me.person,
                    meeting: Bytes16([UInt8](repeating: 7, count: 16)) ?? .zero,
                    card: ProfileFields(nickname: Study.names[other]))
            }
            try await network.settle()
            #expect(try await study.status(0).partner?.mate == true)
            try await study.hosts[0].call(MatchingCommands.cancel, .init())
            try await network.settle()
            #expect(try await study.sharesPair(0, 1))
            #expect(try await study.status(1).state == .idle)
        }
    }

    @Test func `a blocked person is not listed, their request is not seen, and their match ends`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a", "a"])
            let block = BlockPerson(person: study.name(1).person, reason: .other)
            _ = try study.hosts[0].drainEvents(MatchingEvents.changed)
            try await study.hosts[0].call(MateCommands.block, block)
            try await network.settle()
            let list = try await study.hosts[0].call(MatchingCommands.people, .init())
            #expect(list.people.map(\.person) == [Key(study.hosts[2].me.person)])
            #expect(
                try study.hosts[0].drainEvents(MatchingEvents.changed)
                    .contains { $0.part == .people })
            try await study.hosts[1].call(MatchingCommands.request, study.name(0))
            try await network.pass(seconds: 6)
            #expect(try await study.status(0).requestCount.value == 0)
            #expect(study.hosts[0].drainNotices().isEmpty)
            try await study.match(0, 2)
            try await study.hosts[0].call(
                MateCommands.block, .init(person: study.name(2).person, reason: .other))
            try await network.settle()
            #expect(try await study.status(0).state == .idle)
            #expect(try await study.status(0).cancelCount.value == 0)
        }
    }

    @Test func `a person who was asked can be taken back though a filter hides them now`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.hosts[0].call(MatchingCommands.editFilters, .init(gender: .female))
            let hidden = try await study.hosts[0].call(MatchingCommands.people, .init())
            #expect(hidden.people.isEmpty && hidden.hiddenCount.value == 1)
            try await study.hosts[1].call(MatchingCommands.request, study.name(0))
            try await network.settle()
            let asking = try await study.hosts[0].call(MatchingCommands.people, .init())
            #expect(asking.people.map(\.state) == [.asking] && asking.hiddenCount.value == 0)
            try await study.hosts[0].call(MatchingCommands.decline, study.name(1))
            try await study.hosts[0].call(MatchingCommands.request, study.name(1))
            let asked = try await study.hosts[0].call(MatchingCommands.people, .init())
            #expect(asked.people.map(\.state) == [.requested])
        }
    }
}
