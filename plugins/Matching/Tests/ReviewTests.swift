import Features
import FeaturesAPI
import MatchingAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Matching

@Suite struct ReviewTests {
    private let review = WriteReview(mark: [.kindness, .punctual], text: try? ReviewText("Again!"))

    /// Two people with a match that can be reviewed, and a third person.
    private func matched(_ network: TestNetwork) async throws -> Study {
        let study = try await Study.gather(network, wishes: ["a", "a", "a"])
        try await study.match(0, 1)
        try await network.skip(seconds: 1800)
        try await network.pass(seconds: 2)
        return study
    }

    @Test func `a match can be reviewed from 30 minutes on, and not a second before`() async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.match(0, 1)
            try await network.skip(seconds: 1739)
            await #expect(
                throws: CommandFault.refused(
                    "You can review a match 30 minutes after it began: in 2 minutes.")
            ) { try await study.hosts[0].call(MatchingCommands.review, review) }
            try await network.skip(seconds: 60)
            #expect(try await study.status(0).reviewsDue.value == 0)
            await #expect(
                throws: CommandFault.refused(
                    "You can review a match 30 minutes after it began: in 1 minute.")
            ) { try await study.hosts[0].call(MatchingCommands.review, review) }
            try await network.skip(seconds: 1)
            #expect(try await study.status(0).reviewsDue.value == 1)
            try await study.hosts[0].call(MatchingCommands.review, review)
            #expect(try await study.status(0).reviewsDue.value == 0)
        }
    }

    @Test func `a due review is told once, and its item is settled when it is written`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await matched(network)
            func items() async throws -> [String] {
                try await study.hosts[0].call(InboxCommands.list, .init()).items
                    .filter { !$0.handled }.map(\.title.sentence.english)
                    .filter { $0.hasPrefix("How was it") }
            }
            try await network.skip(seconds: 3600)
            try await network.settle()
            #expect(try await items().count == 1)
            try await study.hosts[0].call(MatchingCommands.review, review)
            try await network.settle()
            #expect(try await items().isEmpty)
            try await network.skip(seconds: 3600)
            try await network.settle()
            #expect(try await items().isEmpty)
        }
    }

    @Test func `a due review can be declined on all devices, and still be written`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            let anna = study.hosts[0]
            let laptop = try await network.device(seed: 11, of: anna, Study.plugins)
            try await network.setLink(anna, laptop, isUp: true)
            try await study.match(0, 1)
            try await network.skip(seconds: 1810)
            #expect(try await study.status(0).reviewsDue.value == 1)
            #expect(try await laptop.call(MatchingCommands.status).reviewsDue.value == 1)
            let skipped = SkipReview(person: study.name(1).person)
            #expect(try await anna.call(MatchingCommands.skipReview, skipped).due.isEmpty)
            try await network.settle()
            await anna.start()
            try await network.skip(seconds: 3600)
            #expect(try await study.status(0).reviewsDue.value == 0)
            #expect(try await laptop.call(MatchingCommands.status).reviewsDue.value == 0)
            let titles = try await anna.call(InboxCommands.list, .init()).items
                .filter { !$0.handled }.map(\.title.sentence.english)
            #expect(!titles.contains { $0.hasPrefix("How was it") })
            await #expect(
                throws: CommandFault.notFound("There is no match that waits for your review.")
            ) { try await anna.call(MatchingCommands.skipReview, skipped) }
            #expect(try await study.status(1).reviewsDue.value == 1)
            try await anna.call(MatchingCommands.review, review)
            #expect(try await anna.call(MatchingCommands.reviews, .init()).given.count == 1)
        }
    }

    @Test func `a review whose match others could not check is not shown`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"], areLooking: false)
            let id = MatchID(
                madeBy: study.hosts[0].me.device, nonce: study.hosts[0].random.nonce())
            for (index, isHonest) in [(0, true), (1, false)] {
                let plugin = try #require(study.hosts[index].plugin(Matching.self))
                let other = study.hosts[1 - index].me.person
                let fact = MatchStatement.fact(id, with: other, at: study.hosts[0].clock.wallTime)
                let proof = try await plugin.context.statements.sign(fact.encoded)
                try await plugin.context.core.storeFact(
                    AgreementFact(id: id.raw, name: "A", proof: isHonest ? proof : [1, 2]),
                    of: .match, with: other)
            }
            try await network.settle()
            #expect(try await study.status(0).state == .matched)
            try await network.skip(seconds: 1800)
            for host in study.hosts { try await host.call(MatchingCommands.review, review) }
            try await network.settle()
            // The proof has both facts, so neither side can show its review.
            for host in study.hosts {
                let received = try await host.call(MatchingCommands.reviews, .init()).received
                let one = try #require(received.first)
                #expect(received.count == 1 && one.showable == false && one.shown == false)
                let show = ShowReview(id: RecordPrefix(try #require(one.id)))
                await #expect(
                    throws: CommandFault.refused(
                        "This review cannot be shown: others could not check that the match was "
                            + "real.")
                ) { try await host.call(MatchingCommands.show, show) }
            }
        }
    }

    @Test func `a review reaches the other person, also after the match, once for each match`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await matched(network)
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: false)
            try await study.hosts[0].call(MatchingCommands.review, review)
            #expect(
                try await study.hosts[0].call(MatchingCommands.reviews, .init()).given
                    .map(\.delivered) == [false])
            await #expect(throws: CommandFault.conflict("You have reviewed this match already.")) {
                try await study.hosts[0].call(MatchingCommands.review, review)
            }
            try await study.hosts[0].call(MatchingCommands.cancel, .init())
            try await network.setLink(study.hosts[0], study.hosts[1], isUp: true)
            try await network.pass(seconds: 1)
            let theirs = try await study.hosts[1].call(MatchingCommands.reviews, .init())
            #expect(theirs.received.count == 1)
            #expect(theirs.received.first?.by == Key(study.hosts[0].me.person))
            #expect(theirs.received.first?.marks == [.punctual, .kindness])
            #expect(theirs.received.first?.text == "Again!")
            #expect(
                try await study.hosts[0].call(MatchingCommands.reviews, .init()).given
                    .map(\.delivered) == [true])
        }
    }

    @Test func `a review that arrives before the 30 minutes is stored when they have passed`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            try await study.match(0, 1)
            let anna = try #require(study.hosts[0].plugin(Matching.self))
            let match = try #require(await anna.matches.first)
            let statement = try await anna.context.statements.sign(
                MatchStatement.review(
                    MatchID(raw: match.id), of: study.hosts[1].me.person, marks: [.kindness],
                    text: "Hi"
                ).encoded)
            func receivedCount() async throws -> Int {
                await anna.send(.review(statement), to: study.hosts[1].me.person)
                try await network.settle()
                return try await study.hosts[1].call(MatchingCommands.reviews, .init())
                    .received.count
            }
            try await network.skip(seconds: 1799)
            #expect(try await receivedCount() == 0)
            try await network.skip(seconds: 1)
            #expect(try await receivedCount() == 1)
        }
    }

    @Test func `a shown review is checked by a person who met neither, and is labelled`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await matched(network)
            try await study.hosts[0].call(MatchingCommands.review, review)
            try await study.hosts[0].call(MatchingCommands.cancel, .init())
            try await network.settle()
            let mine = try await study.hosts[1].call(MatchingCommands.reviews, .init())
            let id = try #require(mine.received.first?.id)
            #expect(mine.received.first?.showable == true)
            #expect(mine.disclosure.sentence == MatchingReviews.disclosureText)
            for index in 1...2 { try await study.hosts[index].call(MatchingCommands.look) }
            try await network.pass(seconds: 6)
            let asked = ListReviews(person: study.name(1).person)
            // Nothing is shown before its owner chose to.
            #expect(try await study.hosts[2].call(MatchingCommands.reviews, asked).received.isEmpty)
            try await study.hosts[1].call(
                MatchingCommands.show, .init(id: RecordPrefix(id)))
            try await network.pass(seconds: 6)
            #expect(
                try await study.hosts[2].call(MatchingCommands.people, .init()).people
                    .first { $0.person == Key(study.hosts[1].me.person) }?.reviewCount.value == 1)
            let first = try await study.hosts[2].call(MatchingCommands.reviews, asked)
            #expect(first.received.isEmpty && first.incomplete)
            try await network.settle()
            let shown = try await study.hosts[2].call(MatchingCommands.reviews, asked)
            #expect(!shown.incomplete && shown.label == "by people you have not met")
            let one = try #require(shown.received.first)
            #expect(one.by == Key(study.hosts[0].me.person) && one.text == "Again!" && !one.known)
            #expect(one.about == Key(study.hosts[1].me.person))
        }
    }

    @Test func `a proof is valid only if both facts and the review fit`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a", "a"], areLooking: false)
            let people = study.hosts.map(\.me.person)
            func sign(_ index: Int, _ content: MatchStatement) async throws -> [UInt8] {
                let plugin = try #require(study.hosts[index].plugin(Matching.self))
                return try await plugin.context.statements.sign(content.encoded)
            }
            let cleo = try #require(study.hosts[2].plugin(Matching.self))
            let statements = await cleo.context.statements
            let id = MatchID(raw: Bytes16([UInt8](repeating: 3, count: 16)) ?? .zero)
            let other = MatchID(raw: Bytes16([UInt8](repeating: 4, count: 16)) ?? .zero)
            let at = Timestamp(milliseconds: 5)
            let text = try await sign(0, .review(id, of: people[1], marks: [.useful], text: ""))
            let author = try await sign(0, .fact(id, with: people[1], at: at))
            let subject = try await sign(1, .fact(id, with: people[0], at: at))
            func isValid(_ review: [UInt8], _ author: [UInt8], _ subject: [UInt8]) async -> Bool {
                let proof = ReviewProof(
                    review: review, authorFact: author, subjectFact: subject)
                guard let read = ReviewProof(decoding: proof.encoded) else { return false }
                return await read.check(about: people[1], statements)?.matchedAt == at
            }
            #expect(await isValid(text, author, subject))
            #expect(await !isValid(text, subject, author))
            #expect(await !isValid(author, author, subject))
            // Another match, another person, and a fact that the author signed for both.
            #expect(
                await !isValid(
                    text, author, try await sign(1, .fact(other, with: people[0], at: at))))
            #expect(
                await !isValid(
                    text, author, try await sign(1, .fact(id, with: people[2], at: at))))
            #expect(
                await !isValid(
                    text, author, try await sign(0, .fact(id, with: people[0], at: at))))
            #expect(
                await !isValid(
                    try await sign(2, .review(id, of: people[1], marks: [.useful], text: "")),
                    author,
                    subject))
            for index in [0, 50, text.count - 1] {
                var broken = text
                broken[index] ^= 1
                #expect(await !isValid(broken, author, subject))
            }
            // A review of oneself, and one without marks and text.
            #expect(
                await CheckedReview(
                    try await sign(1, .review(id, of: people[1], marks: [.useful], text: "")),
                    statements) == nil)
            #expect(
                await CheckedReview(
                    try await sign(0, .review(id, of: people[1], marks: [], text: " ")), statements)
                    == nil)
        }
    }

    @Test func `a review by a person without a match is neither checked nor stored`() async throws {
        try await TestNetwork.with { network in
            let study = try await matched(network)
            let eve = try #require(study.hosts[2].plugin(Matching.self))
            let stored = try #require(
                await study.hosts[1].plugin(Matching.self)?.matches.first)
            for id in [stored.id, Bytes16([UInt8](repeating: 1, count: 16)) ?? .zero] {
                let content = MatchStatement.review(
                    MatchID(raw: id), of: study.hosts[1].me.person, marks: [.kindness], text: "Hi")
                let statement = try await eve.context.statements.sign(content.encoded)
                await eve.send(.review(statement), to: study.hosts[1].me.person)
            }
            try await network.settle()
            #expect(
                try await study.hosts[1].call(MatchingCommands.reviews, .init()).received.isEmpty)
        }
    }
}
