import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import TestSupport
import Testing

@testable import Posts

/// The names of authors: anybody may give the nickname of a mate.
@Suite struct AuthorNameTests {
    /// Ann, her mate Ben, and a stranger who gave the same nickname; all write.
    private func street(_ network: TestNetwork) async throws -> [TestHost] {
        let people = try await network.town("Ann", "Ben", "Ben")
        for (one, other, name) in [(people[0], people[1], "Ben"), (people[1], people[0], "Ann")] {
            try await one.plugin(CoreFeatures.self)?.proposeMate(
                other.me.person, meeting: .zero, card: ProfileFields(nickname: name))
        }
        try await network.settle()
        return people
    }

    @Test func `a stranger with the nickname of a mate carries digits of their key`() async throws {
        try await TestNetwork.with { network in
            let people = try await street(network)
            let (ann, mate, stranger) = (people[0], people[1], people[2])
            try await mate.write("A sofa")
            try await stranger.write("A table")
            try await network.settle()
            let posts = try await ann.call(PostCommands.list, .init()).posts
            let names = Dictionary(
                uniqueKeysWithValues: posts.map { ($0.title.string, $0.name?.string) })
            #expect(names["A sofa"] == "Ben")
            #expect(names["A table"] == stranger.me.person.called("Ben"))
            #expect(posts.filter(\.mate).map(\.title.string) == ["A sofa"])
        }
    }

    @Test func `so do their comments, and the reports of these`() async throws {
        try await TestNetwork.with { network in
            let people = try await street(network)
            let (ann, mate, stranger) = (people[0], people[1], people[2])
            let post = try await ann.write("A lamp")
            try await network.settle()
            _ = ann.drainNotices()
            try await stranger.comment("The key is under the mat?", on: post)
            try await network.settle()
            let name = stranger.me.person.called("Ben")
            #expect(
                ann.drainNotices().map(\.title.english) == ["\(name) commented on your post"])
            #expect(try await ann.inboxTitles().contains("\(name) commented on your post"))
            try await mate.comment("Is it blue?", on: post)
            try await network.settle()
            let comments = try await ann.show(post).comments
            #expect(comments.map(\.name?.string) == [name, "Ben"])
            #expect(comments.map(\.mate) == [false, true])
        }
    }
}
