import Features
import FeaturesAPI
import MatchingAPI
import PluginKit
import TestSupport
import Testing

@testable import Matching

/// Muted words in study matching: the texts that they hide.
@Suite struct MutedTextsTests {
    @Test func `a muted word leaves out wishes, nicknames and texts of reviews`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["run", "run Casinos"])
            for word in ["casino", "ben"] {
                try await study.hosts[0].call(
                    MutedWordCommands.add, .init(word: MutedWord(word)))
            }
            try await study.hosts[1].call(MatchingCommands.request, study.name(0))
            try await network.settle()
            let list = try await study.hosts[0].call(MatchingCommands.people, .init())
            let ben = try #require(list.people.first)
            #expect(ben.wishes == [.init(wish: "run", isShared: true)])
            #expect(ben.name == nil && ben.state == .asking)
            #expect(list.recommended.map(\.wish.string) == ["run"])

            try await study.hosts[0].call(MatchingCommands.accept, study.name(1))
            try await network.settle()
            // The name that came with their fact contains a muted word too.
            #expect(try await study.status(0).state == .matched)
            #expect(try await study.status(0).partner?.name == nil)
            let told = study.hosts[0].drainNotices().map(\.title.english)
            #expect(!told.isEmpty && !told.contains { $0.contains("Ben") })
            try await network.skip(seconds: 1800)
            try await study.hosts[1].call(
                MatchingCommands.review,
                .init(mark: [.kindness], text: ReviewText("To the casino!")))
            try await network.settle()
            let reviews = try await study.hosts[0].call(MatchingCommands.reviews, .init())
            #expect(reviews.received.map(\.marks) == [[.kindness]])
            #expect(reviews.received.first?.text == nil)
            // What I wrote myself is not hidden from me.
            let mine = try await study.hosts[1].call(MatchingCommands.reviews, .init())
            #expect(mine.given.first?.text == "To the casino!")
        }
    }

    @Test func `followers query again when words are muted`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["run", "run"])
            _ = study.hosts[0].drainEvents()
            try await study.hosts[0].call(
                MutedWordCommands.add, .init(word: MutedWord("casino")))
            try await network.settle()
            #expect(study.hosts[0].drainEvents().count { $0 == "matching" } == 3)
        }
    }

    @Test func `without muted words nothing is left out`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["run", "run Casinos"])
            try await study.hosts[1].call(MatchingCommands.request, study.name(0))
            try await network.settle()
            let list = try await study.hosts[0].call(MatchingCommands.people, .init())
            #expect(list.people.first?.wishes.count == 2)
            #expect(list.people.first?.name?.string.hasPrefix("Ben") == true)
        }
    }
}
