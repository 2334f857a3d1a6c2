import Features
import FeaturesAPI
import MatchingAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Matching

/// Restarts in each state, and the choice of a person with two devices.
@Suite struct MatchingDevicesTests {
    /// The states between a request and a match, each with what is restarted in it.
    @Test(arguments: 0...1)
    func `a restart after a request, and after an acceptance, leaves nothing and can be repeated`(
        _ restarted: Int
    ) async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.hosts[0].call(MatchingCommands.request, study.name(1))
            try await network.settle()
            if restarted == 1 {
                await network.setWeather(.init(lost: 100))
                let accepted = try await study.hosts[1].call(
                    MatchingCommands.accept, study.name(0))
                #expect(accepted.state == .accepted)
                await network.setWeather(.init())
            }
            await study.hosts[restarted].start()
            // A restart loses the links in the plugins; here they come up again.
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: false)
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: true)
            #expect(try await study.status(restarted).state == .idle)
            try await study.hosts[restarted].call(MatchingCommands.look)
            try await network.pass(seconds: 30)
            if try await study.status(1).requestCount.value == 0 {
                try await study.hosts[0].call(MatchingCommands.request, study.name(1))
                try await network.settle()
            }
            try await study.hosts[1].call(MatchingCommands.accept, study.name(0))
            try await network.pass(seconds: 1)
            for index in 0...1 { #expect(try await study.status(index).state == .matched) }
        }
    }

    @Test func `a match survives restarts of both sides`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.match(0, 1)
            try await network.settle()
            for host in study.hosts {
                _ = host.drainNotices()
                _ = host.drainEvents()
                await host.start()
            }
            try await network.settle()
            for host in study.hosts {
                // It is no news.
                #expect(host.drainNotices().isEmpty)
                #expect(
                    try !host.drainEvents(MatchingEvents.changed).contains { $0.matched == true })
            }
            for index in 0...1 { #expect(try await study.status(index).state == .matched) }
            #expect(study.hosts[0].announced.isEmpty)
        }
    }

    @Test func `a message that arrives before the matches are read is not answered`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            // The one who was asked makes the id of the match.
            try await study.match(1, 0)
            let (anna, ben) = (study.hosts[0], study.hosts[1].me)
            let running = try #require(anna.plugin(Matching.self))
            let match = try #require(await running.matches.first)
            // A plugin that was just created, before its long work began.
            let fresh = Matching(context: await running.context)
            try await fresh.linkChanged(ben, isUp: true)
            let confirm = TopicMessage(
                topic: "matching", from: ben, space: nil,
                body: MatchMessage.confirm(MatchID(raw: match.id)).encoded)
            let before = await network.sentCount("matching", to: study.hosts[1])
            try await fresh.received(confirm)
            try await fresh.received(
                TopicMessage(
                    topic: "matching", from: ben, space: nil,
                    body: MatchMessage.review([1]).encoded))
            #expect(await network.sentCount("matching", to: study.hosts[1]) == before)
            try await network.settle()
            for index in 0...1 { #expect(try await study.status(index).state == .matched) }
        }
    }

    @Test func `a match with a person who was blocked just before a kill ends at the start`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.match(0, 1)
            let anna = study.hosts[0]
            anna.stop()
            try await anna.write(
                [
                    .create(
                        collection: "neighbours.block/1",
                        nonce: Bytes16([UInt8](repeating: 1, count: 16)) ?? .zero,
                        fields: [
                            "person": .bytes(study.hosts[1].me.person.bytes),
                            "is_active": .boolean(true), "reason": .text("other"),
                            "at_ms": .integer(1),
                        ])
                ], in: .own(anna.me.person))
            await anna.start()
            try await network.settle()
            #expect(try await study.status(0).state == .idle)
            #expect(try await study.status(0).cancelCount.value == 0)
            let ends = try await anna.rows("SELECT match FROM neighbours_match_ending")
            #expect(ends.count == 1)
        }
    }

    @Test func `a device tells when a match of the other device can be reviewed`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            let laptop = try await network.device(seed: 11, of: study.hosts[0], Study.plugins)
            try await network.setLink(study.hosts[0], laptop, isUp: true)
            try await study.match(0, 1)
            #expect(try await laptop.call(MatchingCommands.status).state == .matched)
            try await network.setLink(study.hosts[0], laptop, isUp: false)
            _ = laptop.drainNotices()
            // The first device's clock is 6 s ahead.
            try await network.skip(seconds: 1810)
            #expect(
                laptop.drainNotices().map(\.title.english).contains {
                    $0.hasPrefix("How was it with Ben")
                })
        }
    }

    /// Two people, of whom the first has confirmed the acceptance of the second, whose device was
    /// killed before the confirmation arrived.
    private func confirmed(_ network: TestNetwork) async throws -> Study {
        let study = try await Study.gather(network, wishes: ["a", "a"])
        try await study.hosts[0].call(MatchingCommands.request, study.name(1))
        try await network.settle()
        let anna = try #require(study.hosts[0].plugin(Matching.self))
        let request = try #require(await anna.session.requests.values.first)
        let match = MatchID(
            madeBy: study.hosts[1].me.device, nonce: study.hosts[1].random.nonce())
        study.hosts[1].stop()
        try await anna.received(
            TopicMessage(
                topic: "matching", from: study.hosts[1].me, space: nil,
                body: MatchMessage.accept(request: request.id, match: match).encoded))
        return study
    }

    @Test
    func `one who confirmed while the other was killed waits, and settles at the next contact`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await confirmed(network)
            #expect(try await study.status(0).state == .confirming)
            #expect(try await study.status(0).action == .stop)
            await study.hosts[0].start()
            #expect(try await study.status(0).state == .confirming)
            // Nobody looks after a start, so there is nothing to stop.
            #expect(try await study.status(0).action == .look)
            await study.hosts[1].start()
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: false)
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: true)
            try await network.pass(seconds: 6)
            #expect(try await study.status(0).state == .idle)
            #expect(try await study.status(0).cancelCount.value == 0)
            #expect(try await !study.sharesPair(0, 1))
        }
    }

    @Test func `one who confirmed and hears nothing looks on after two minutes, without a cost`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await confirmed(network)
            #expect(try await study.status(0).partner?.secondsLeft?.value == 120)
            try await network.skip(seconds: 119)
            #expect(try await study.status(0).state == .confirming)
            try await network.pass(seconds: 2)
            #expect(try await study.status(0).state == .seeking)
            #expect(try await study.status(0).cancelCount.value == 0)
            await study.hosts[1].start()
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: false)
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: true)
            try await network.pass(seconds: 6)
            #expect(try await study.status(0).state == .seeking)
            #expect(try await !study.sharesPair(0, 1))
        }
    }

    @Test func `two devices of a person have one choice`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["tea"])
            let laptop = try await network.device(seed: 11, of: study.hosts[0], Study.plugins)
            try await network.setLink(study.hosts[0], laptop, isUp: true)
            #expect(try await laptop.call(MatchingCommands.status).wishes == ["tea"])
        }
    }

    @Test func `every command answers as it declares`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["tea", "tea"], areLooking: false)
            let record = AnswerRecord(of: Matching.commands.map(\.declaration))
            let anna = record.recording(study.hosts[0])
            for host in study.hosts {
                host.locate(Fix(point: try Point(latitude: 37.5, longitude: 127)))
            }
            try await study.hosts[1].call(
                MatchingCommands.editCard, .init(age: MatchingAge(20), gender: .male))
            try await anna.call(
                MatchingCommands.editCard, .init(age: MatchingAge(21), gender: .female))
            #expect(try await anna.call(MatchingCommands.card).age?.value == 21)
            try await anna.call(MatchingCommands.wishes, .init(wish: WishList(typed: "tea")))
            try await anna.call(
                MatchingCommands.editFilters,
                .init(gender: .male, ageMin: FilterAge(18), ageMax: FilterAge(65)))
            #expect(try await anna.call(MatchingCommands.filters).ageMin?.value == 18)
            try await study.hosts[1].call(MatchingCommands.look)
            try await anna.call(MatchingCommands.look)
            try await network.pass(seconds: 6)
            try await anna.call(MatchingCommands.request, study.name(1))
            try await network.settle()
            try await study.hosts[1].call(MatchingCommands.decline, study.name(0))
            try await network.settle()
            try await anna.call(MatchingCommands.people, .init())
            try await study.hosts[1].call(MatchingCommands.request, study.name(0))
            try await network.settle()
            try await anna.call(MatchingCommands.decline, study.name(1))
            try await network.settle()
            // An acceptance that is not confirmed: the other side does not answer.
            try await study.hosts[1].call(MatchingCommands.request, study.name(0))
            try await network.settle()
            await network.setWeather(.init(lost: 100))
            try await anna.call(MatchingCommands.accept, study.name(1))
            await network.setWeather(.init())
            try await network.pass(seconds: 6)
            try await anna.call(MatchingCommands.status)
            try await network.skip(seconds: 1800)
            try await study.hosts[1].call(MatchingCommands.review, .init(mark: [.useful]))
            try await network.settle()
            try await anna.call(MatchingCommands.reviews, .init())
            try await anna.call(MatchingCommands.skipReview, .init())
            try await anna.call(
                MatchingCommands.review,
                .init(mark: [.kindness], text: ReviewText("Good")))
            let id = try #require(
                try await anna.call(MatchingCommands.reviews, .init()).received.first?.id)
            try await anna.call(MatchingCommands.show, .init(id: RecordPrefix(id)))
            try await anna.call(MatchingCommands.cancel, .init())
            try await anna.call(MatchingCommands.stop)
            try await network.settle()
            try await readShown(network, study, by: anna)
            #expect(record.missingRoutes.isEmpty, "\(record.missingRoutes)")
        }
    }

    @Test func `two devices of a person have one choice, and see one match`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["tea", "tea"])
            let laptop = try await network.device(
                seed: 11, of: study.hosts[0], Study.plugins)
            try await network.setLink(study.hosts[0], laptop, isUp: true)
            #expect(try await laptop.call(MatchingCommands.status).wishes == ["tea"])
            try await study.match(0, 1)
            let status = try await laptop.call(MatchingCommands.status)
            #expect(status.state == .matched)
            #expect(status.partner?.person == Key(study.hosts[1].me.person))
            await #expect(throws: CommandFault.self) {
                try await laptop.call(MatchingCommands.look)
            }
            try await laptop.call(MatchingCommands.cancel, .init())
            try await network.settle()
            for index in 0...1 { #expect(try await study.status(index).state == .idle) }
            let first = try await study.status(0)
            let last = try await laptop.call(MatchingCommands.status)
            // The first device's clock is 6 s ahead: time passed before the laptop was made.
            #expect(first.pauseSeconds?.value == 54)
            #expect(last.pauseSeconds?.value == 60)
            #expect(first.cancelCount.value == 1)
            #expect(last.cancelCount.value == 1)
        }
    }

    @Test func `a request goes to the device that looks, and the other one does not answer it`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            let laptop = try await network.device(seed: 11, of: study.hosts[1], Study.plugins)
            try await network.setLink(study.hosts[1], laptop, isUp: true)
            try await network.setLink(study.hosts[0], laptop, isUp: true)
            try await network.settle()
            let before = await network.sentCount("matching", to: laptop)
            try await study.hosts[0].call(MatchingCommands.request, study.name(1))
            try await network.pass(seconds: 12)
            #expect(await network.sentCount("matching", to: laptop) == before)
            try await study.hosts[1].call(MatchingCommands.accept, study.name(0))
            try await network.settle()
            #expect(try await study.status(0).state == .matched)
            #expect(try await laptop.call(MatchingCommands.status).state == .matched)
        }
    }

    @Test func `of two matches that two devices made apart, both keep the earlier one`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a", "a"])
            let laptop = try await network.device(seed: 11, of: study.hosts[0], Study.plugins)
            try await network.setLink(laptop, study.hosts[2], isUp: true)
            try await network.setLink(study.hosts[0], study.hosts[2], isUp: false)
            try await study.match(0, 1)
            try await network.pass(seconds: 3)
            try await laptop.call(MatchingCommands.look)
            try await network.pass(seconds: 6)
            try await study.hosts[2].call(MatchingCommands.request, study.name(0))
            try await network.settle()
            try await laptop.call(MatchingCommands.accept, study.name(2))
            try await network.settle()
            #expect(try await study.status(2).state == .matched)
            try await network.setLink(study.hosts[0], laptop, isUp: true)
            try await network.pass(seconds: 2)
            for status in [
                try await study.status(0), try await laptop.call(MatchingCommands.status),
            ] {
                #expect(status.partner?.person == Key(study.hosts[1].me.person))
                #expect(status.cancelCount.value == 0)
            }
            #expect(try await study.status(2).state == .idle)
            #expect(try await study.status(1).state == .matched)
        }
    }

    /// Lets the second person show the review of them, and the first one read it.
    private func readShown(
        _ network: TestNetwork, _ study: Study, by anna: some CommandPerformer
    ) async throws {
        let shownByBen = try await study.hosts[1].call(MatchingCommands.reviews, .init())
            .received.first?.id
        try await study.hosts[1].call(
            MatchingCommands.show, .init(id: RecordPrefix(try #require(shownByBen))))
        try await network.pass(seconds: 60)
        for host in study.hosts { try await host.call(MatchingCommands.look) }
        try await network.pass(seconds: 6)
        for _ in 0..<2 {
            try await anna.call(MatchingCommands.reviews, .init(person: study.name(1).person))
            try await network.settle()
        }
    }
}
