import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// The life of a post: it is renewed or expires, and what others wrote about it is then no
/// longer shown.
@Suite struct PostLifeTests {
    private static let day = 86_400

    /// Lets days pass, and removes what has expired.
    private func skip(days: Int, _ network: TestNetwork, _ people: [TestHost]) async throws {
        try await network.skip(seconds: days * Self.day)
        for person in people { try await person.prune() }
        try await network.settle()
    }

    /// The titles that a search finds.
    private func found(_ text: String, by host: TestHost) async throws -> [String] {
        try await host.call(PostCommands.search, .init(text: Text(text))).posts
            .map(\.title.string)
    }

    /// The number of rows in each table of posts and of what belongs to them, and in the indexes.
    private func counts(_ host: TestHost) async throws -> [Int] {
        var counts: [Int] = []
        for table in [
            "posts_post", "posts_comment", "posts_like", "posts_view", "posts_post_found",
            "posts_post_near",
        ] {
            counts.append(try await host.rows("SELECT 1 AS one FROM \(table)").count)
        }
        return counts
    }

    @Test func `a renewed post stays in every list, and one that is not renewed leaves them all`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let (ann, ben) = (people[0], people[1])
            let sofa = try await ann.write("Sofa", "blue leather", at: middle)
            let table = try await ann.write("Table", "blue wood", at: middle)
            let draft = try await ann.call(
                PostCommands.draft,
                .init(neighbourhood: NameOrKey("Seongsu"), title: Text("Later")))
            try await network.settle()
            try await ben.call(PostCommands.editSettings, .init(views: true))
            for post in [sofa, table] {
                try await ben.call(PostCommands.like, post.named)
                try await ben.call(PostCommands.open, post.named)
                try await ben.comment("Still there?", on: post)
            }
            try await skip(days: 20, network, people)
            #expect(try await counts(ben) == [2, 2, 2, 2, 2, 2])
            let renewed = try await ann.call(PostCommands.renew, sofa.named)
            #expect(renewed.expiresMs == sofa.expiresMs + .seconds(20 * Self.day))
            try await network.settle()
            try await skip(days: 11, network, people)
            let area = ListPosts(
                latitude: try Latitude(middle.latitude), longitude: try Longitude(middle.longitude),
                radiusMetres: try DistanceMetres(500))
            for person in people {
                #expect(try await person.titles() == ["Sofa"])
                #expect(try await person.titles(area) == ["Sofa"])
                #expect(try await person.titles(.init(category: .free)) == ["Sofa"])
                #expect(try await found("blue", by: person) == ["Sofa"])
                #expect(try await found("wood", by: person).isEmpty)
                await #expect(throws: CommandFault.self) { try await person.show(table) }
                let shown = try await person.show(sofa)
                // Others' records are not renewed with the post.
                #expect(shown.post.likes == 0 && shown.post.views == 0 && shown.post.comments == 0)
                #expect(shown.comments.isEmpty && shown.post.text == "blue leather")
                #expect(try await counts(person) == [1, 0, 0, 0, 1, 1])
            }
            #expect(
                try await ann.call(PostCommands.mine, .init()).posts.map(\.title.string) == ["Sofa"]
            )
            #expect(
                try await ann.call(PostCommands.drafts).drafts.map(\.id) == [draft.id],
                "a draft does not expire")
            // Liking it again counts, in spite of the like that expired.
            try await ben.call(PostCommands.like, sofa.named)
            try await network.settle()
            #expect(try await ann.show(sofa).post.likes == 1)

            try await skip(days: 20, network, people)
            for person in people {
                #expect(try await person.titles().isEmpty)
                #expect(try await counts(person) == [0, 0, 1, 0, 0, 0], "a like of 20 days ago")
            }
            try await skip(days: 11, network, people)
            for person in people { #expect(try await counts(person) == [0, 0, 0, 0, 0, 0]) }
        }
    }

    @Test func `what is about an expired post is shown nowhere, and its report is withdrawn`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let (ann, ben) = (people[0], people[1])
            let post = try await ann.write("Sofa")
            try await network.settle()
            try await skip(days: 20, network, people)
            let comment = try await ben.comment("Still there?", on: post)
            try await ben.call(PostCommands.like, post.named)
            try await network.settle()
            let report = Posts.reference(of: EntityID(post.id))
            #expect(try await ann.reports() == [report: false])
            try await skip(days: 11, network, people)
            #expect(try await ann.reports().values.allSatisfy { $0 })
            #expect(
                try await ann.call(InboxCommands.list).items.allSatisfy { $0.handled })
            for person in people {
                let notFound = "There is no post \(post.id.string); see 'posts list'."
                await #expect(throws: CommandFault.notFound(Sentence(verbatim: notFound))) {
                    try await person.show(post)
                }
            }
            await #expect(throws: CommandFault.self) {
                try await ann.call(PostCommands.renew, post.named)
            }
            // Its author can still delete the comment, which is on other devices too.
            try await ben.call(PostCommands.uncomment, .init(id: RecordPrefix(comment.id)))
            try await network.settle()
            #expect(try await ann.rows("SELECT 1 AS one FROM posts_comment").isEmpty)
            // After a restart nothing is reported again.
            await ann.start()
            try await network.settle()
            #expect(try await ann.reports().values.allSatisfy { $0 })
        }
    }

    @Test func `a comment that outlives its post is seen again if the post was only on its way`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, ben, cem) = (people[0], people[1], people[2])
            let post = try await ann.write("Sofa")
            try await network.settle()
            try await skip(days: 20, network, people)
            try await ben.comment("Still there?", on: post)
            try await network.setLink(ben, cem, isUp: false)
            // Cem hears the comment, and not that the post was renewed.
            try await network.setLink(ann, ben, isUp: false)
            try await ann.call(PostCommands.renew, post.named)
            try await network.setLink(ben, cem, isUp: true)
            try await skip(days: 11, network, people)
            #expect(try await cem.titles().isEmpty)
            try await network.setLink(ann, ben, isUp: true)
            try await network.settle()
            for person in people {
                #expect(try await person.show(post).comments.map(\.text) == ["Still there?"])
            }
        }
    }
}
