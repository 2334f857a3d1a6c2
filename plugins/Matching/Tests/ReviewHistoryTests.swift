import Features
import MatchingAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Matching

/// Reviews in random histories of two people: matches, ends, declined reviews, restarts, and links
/// that are lost.
@Suite struct ReviewHistoryTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func `each side reviews a match once at most, and every proof holds`(_ seed: UInt64)
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"], areLooking: false)
            var history = ReviewHistory(network: network, study: study, seed: seed)
            for _ in 0..<40 {
                try await history.step()
                for side in 0...1 { try await history.check(side) }
            }
            try await history.finish()
        }
    }
}

/// A history, and what has to hold after each of its steps.
private struct ReviewHistory {
    let network: TestNetwork
    let study: Study
    private var generator: SeededGenerator
    private var isLinked = true

    init(network: TestNetwork, study: Study, seed: UInt64) {
        self.network = network
        self.study = study
        generator = SeededGenerator(seed: seed)
    }

    mutating func step() async throws {
        let side = generator.number(0...1)
        switch generator.number(0...8) {
        case 0...2: try await match(side)
        case 3:
            if try await study.status(side).state == .matched {
                try await study.hosts[side].call(MatchingCommands.cancel, .init())
            }
        case 4, 5: try await review(side)
        case 6: try await skip(side)
        case 7: try await link(isUp: !isLinked)
        default:
            await study.hosts[side].start()
            if isLinked {
                try await link(isUp: false)
                try await link(isUp: true)
            }
        }
        try await network.skip(seconds: generator.number(0...1) * 1800)
    }

    private mutating func link(isUp: Bool) async throws {
        isLinked = isUp
        try await network.setLink(study.hosts[0], study.hosts[1], isUp: isUp)
        if isUp { try await network.pass(seconds: 6) }
    }

    private func match(_ side: Int) async throws {
        let states = [try await study.status(0).state, try await study.status(1).state]
        guard isLinked, !states.contains(.matched) else { return }
        // The longest pause after an end.
        try await network.skip(seconds: 180)
        try await study.look()
        try await study.match(side, 1 - side)
    }

    private func plugin(_ side: Int) throws -> Matching {
        try #require(study.hosts[side].plugin(Matching.self))
    }

    /// The matches without a review of this side, the newest first.
    private func open(_ side: Int) async throws -> [StoredAgreement] {
        let plugin = try plugin(side)
        let given = Set(await plugin.reviews.given.map(\.match.raw))
        return await plugin.matches.filter { $0.theirs != nil && !given.contains($0.id) }
    }

    /// Those of them that are 30 minutes old and were not declined.
    private func due(_ side: Int) async throws -> [StoredAgreement] {
        let skipped = Set(try await plugin(side).reviews.skipped.map(\.raw))
        let now = study.hosts[side].clock.wallTime
        return try await open(side).filter {
            !skipped.contains($0.id) && now >= $0.at + MatchingCommands.reviewDelay
        }
    }

    private func review(_ side: Int) async throws {
        let open = try await open(side)
        let skipped = Set(try await plugin(side).reviews.skipped.map(\.raw))
        let chosen = open.first { !skipped.contains($0.id) } ?? open.first
        let isOld = chosen.map {
            study.hosts[side].clock.wallTime >= $0.at + MatchingCommands.reviewDelay
        }
        let text = try ReviewText("Again!")
        do {
            try await study.hosts[side].call(MatchingCommands.review, .init(text: text))
            #expect(isOld == true)
            let given = try await plugin(side).reviews.given
            #expect(given.last?.match.raw == chosen?.id)
        } catch is CommandFault {
            #expect(isOld != true)
        }
    }

    private func skip(_ side: Int) async throws {
        let due = try await due(side)
        do {
            try await study.hosts[side].call(MatchingCommands.skipReview, .init())
            #expect(try await self.due(side) == Array(due.dropFirst()))
        } catch is CommandFault {
            #expect(due.isEmpty)
        }
    }

    func check(_ side: Int) async throws {
        let (mine, theirs) = (
            try await plugin(side).reviews, try await plugin(1 - side).reviews
        )
        let matches = Set(try await plugin(side).matches.map(\.id))
        for stored in [mine.given, mine.received] {
            #expect(Set(stored.map(\.match)).count == stored.count, "one for each match")
            #expect(stored.allSatisfy { matches.contains($0.match.raw) })
        }
        #expect(Set(mine.received.map(\.statement)).isSubset(of: theirs.given.map(\.statement)))
        let due = try await due(side)
        #expect(try await study.status(side).reviewsDue.value == due.count)
        let list = try await study.hosts[side].call(MatchingCommands.reviews, .init())
        #expect(list.due.count == due.count && list.given.count == mine.given.count)
    }

    /// Checks that everything has arrived after the last contact, and that no byte of a proof can
    /// be changed.
    mutating func finish() async throws {
        try await link(isUp: false)
        try await link(isUp: true)
        for side in 0...1 {
            let (plugin, other) = (try plugin(side), try plugin(1 - side))
            let received = await plugin.reviews.received
            #expect(Set(received.map(\.match)) == Set(await other.reviews.given.map(\.match)))
            #expect(await other.reviews.given.allSatisfy(\.isMarked))
            let me = study.hosts[side].me.person
            let statements = await other.context.statements
            for stored in received {
                let bytes = try #require(await plugin.proof(of: stored)).encoded
                #expect(
                    await ReviewProof(decoding: bytes)?.check(about: me, statements)?.match
                        == stored.match)
                for _ in 0..<8 {
                    var changed = bytes
                    changed[generator.number(0...(bytes.count - 1))] ^= UInt8(
                        1 << generator.number(0...7))
                    #expect(
                        await ReviewProof(decoding: changed)?.check(about: me, statements) == nil)
                }
            }
        }
    }
}
