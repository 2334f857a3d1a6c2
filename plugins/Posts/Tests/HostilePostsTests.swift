import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Records that a changed program writes.
@Suite struct HostilePostsTests {
    private func create(
        _ collection: RecordCollection, _ number: UInt8 = 1, _ fields: [String: Value]
    ) throws -> Edit {
        .create(
            collection: collection.name,
            nonce: try #require(Bytes16([UInt8](repeating: number, count: 16))), fields: fields)
    }

    private let seongsu = SpaceDescriptor.open(name: "seongsu")

    @Test func `nobody changes or erases another person's post`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].write("Sofa", "blue")
            try await network.settle()
            let entity = EntityID(post.id)
            await #expect(throws: (any Error).self) {
                try await people[1].write(
                    [
                        .set(
                            collection: Posts.post.name, entity: entity,
                            fields: ["title": .text("Mine")])
                    ], in: seongsu)
            }
            try? await people[1].write(
                [.erase(collection: Posts.post.name, entity: entity)], in: seongsu)
            // The bytes of an edit that no check stopped.
            let beginning = Operation(
                collection: Posts.post.id, entity: entity,
                action: .create(nonce: try #require(Bytes16([UInt8](repeating: 9, count: 16)))))
            let title = Operation(
                collection: Posts.post.id, entity: entity,
                action: .set(field: 2, .text("Mine")))
            try? await people[1].forge([beginning, title], in: seongsu, for: people[0])
            try await network.settle()
            for person in people {
                let shown = try await person.show(post).post
                #expect(shown.title == "Sofa" && shown.author == Key(people[0].me.person))
            }
        }
    }

    @Test func `records of posts that are nowhere show nothing, and stop nothing`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let (ann, ben) = (people[0], people[1])
            let unknown = Value.bytes([UInt8](repeating: 5, count: 16))
            try await ben.write(
                [try create(Posts.comment, 1, ["post": unknown, "text": .text("lost")])],
                in: seongsu)
            try await ben.write(
                [try create(Posts.comment, 2, ["post": .bytes([1]), "text": .text("short")])],
                in: seongsu)
            try await ben.write(
                [try create(Posts.comment, 3, ["text": .text("none")])], in: seongsu)
            try await ben.write([try create(Posts.like, 4, ["post": unknown])], in: seongsu)
            try await ben.write([try create(Posts.view, 5, [:])], in: seongsu)
            try await network.settle()
            #expect(try await ann.titles().isEmpty && ann.drainNotices().isEmpty)
            let post = try await ann.write("Sofa")
            try await network.settle()
            #expect(try await ben.show(post).comments.isEmpty)
            // A post that is named in another neighbourhood has nothing of it.
            for host in people { try await host.join("Mapo") }
            try await network.settle()
            let entity = Value.bytes(EntityID(post.id).bytes)
            let mapo = SpaceDescriptor.open(name: "mapo")
            try await ben.write(
                [try create(Posts.comment, 6, ["post": entity, "text": .text("elsewhere")])],
                in: mapo)
            try await ben.write([try create(Posts.like, 7, ["post": entity])], in: mapo)
            try await network.settle()
            let shown = try await ann.show(post)
            #expect(shown.comments.isEmpty && shown.post.likes == 0)
        }
    }

    @Test func `many likes, views and comments of one person count once, and make nothing popular`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].write("Sofa")
            try await network.settle()
            let entity = Value.bytes(EntityID(post.id).bytes)
            for number in 0..<60 {
                for collection in [Posts.like, Posts.view] {
                    try await people[1].write(
                        [try create(collection, UInt8(number), ["post": entity])], in: seongsu)
                }
                try await people[1].write(
                    [
                        try create(
                            Posts.comment, UInt8(number),
                            ["post": entity, "text": .text("\(number)")])
                    ], in: seongsu)
            }
            try await network.settle()
            let shown = try await people[0].show(post).post
            #expect(shown.likes == 1 && shown.views == 1 && shown.comments == 60)
            #expect(!shown.popular)
            #expect(
                try await people[0].rows("SELECT 1 AS one FROM posts_like").count == 60)
        }
    }

    @Test func `texts and numbers out of bounds are cut or left out`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let now = people[1].clock.wallTime.milliseconds
            let marks = String(repeating: "\u{301}", count: 400)
            let title = String(repeating: "a", count: 80) + "\n\u{202e}" + marks
            try await people[1].write(
                [
                    try create(
                        Posts.post, 1,
                        [
                            "category": .text("question"), "title": .text(title),
                            "text": .text(String(repeating: "b", count: 5000)),
                            "name": .text("\u{7}" + String(repeating: "N", count: 90)),
                            "latitude": .real(91), "longitude": .real(0),
                            "at_ms": .integer(now + 86_400_000_000),
                            "changed_ms": .integer(Timestamp.millisecondsMax),
                            "walk_metres": .real(-4), "walk_seconds": .integer(1_000_000),
                        ])
                ], in: seongsu)
            for (number, category) in ["", "casino", "QUESTION"].enumerated() {
                try await people[1].write(
                    [
                        try create(
                            Posts.post, UInt8(number + 2),
                            ["category": .text(category), "title": .text("not shown")])
                    ], in: seongsu)
            }
            try await people[1].write(
                [
                    try create(
                        Posts.post, 9, ["category": .text("question"), "title": .text(" \n")])
                ],
                in: seongsu)
            try await network.settle()
            let page = try await people[0].call(PostCommands.list, .init())
            #expect(page.posts.count == 1 && page.hiddenCount == 0)
            let post = try #require(page.posts.first)
            #expect(post.title == String(repeating: "a", count: 50))
            #expect(post.text == String(repeating: "b", count: 200) && post.shortened)
            let name = people[1].me.person.called(String(repeating: "N", count: 20))
            #expect(post.name?.string == name)
            #expect(post.location == nil && post.walk == nil)
            #expect(post.atMs.milliseconds <= now + 1000)
            #expect(post.expiresMs <= people[0].clock.wallTime + Limits.openStampAgeMax)
            #expect(try await people[0].show(post).post.text.string.count == 1000)
            #expect(
                try await people[0].titles(
                    .init(
                        order: .nearest, latitude: Latitude(90), longitude: Longitude(0))
                ).isEmpty)
        }
    }

    @Test func `records that are no posts or comments take nobody's short id`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].write("Sofa")
            let comment = try await people[0].comment("Blue", on: post)
            try await network.settle()
            let entity = Value.bytes(EntityID(post.id).bytes)
            for number in 0..<30 {
                let odd = number % 2 == 0
                let title: [String: Value] =
                    odd ? ["category": .text("free")] : ["title": .text("not shown")]
                let text: [String: Value] =
                    odd ? ["text": .text("lost")] : ["post": entity]
                try await people[1].write(
                    [try create(Posts.comment, UInt8(number), text)], in: seongsu)
                // No more than 20 of one person and day are stored.
                guard number < PostCommands.dailyPostsMax else { continue }
                try await people[1].write(
                    [try create(Posts.post, UInt8(number), title)], in: seongsu)
            }
            try await network.settle()
            let posts = try #require(people[0].plugin(Posts.self))
            let last = try #require(Bytes16([UInt8](repeating: 255, count: 16)))
            let all = EntityID(raw: .zero)...EntityID(raw: last)
            let reader = try await posts.reader()
            #expect(try await people[0].rows("SELECT 1 AS one FROM posts_post").count == 21)
            #expect(try await posts.posts(in: all, reader).map(\.id) == [EntityID(post.id)])
            #expect(try await posts.comments(in: all).map(\.id) == [EntityID(comment.id)])
        }
    }

    @Test func `counting ends at a number, and one person's records do not use it up`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem", "Dan")
            let (ann, post) = (people[0], try await people[0].write("Sofa"))
            try await network.settle()
            let entity = Value.bytes(EntityID(post.id).bytes)
            for person in people[1...] {
                for number in UInt8(0)..<5 {
                    try await person.write(
                        [try create(Posts.like, number, ["post": entity])], in: seongsu)
                    try await person.comment("\(number)", on: post)
                }
            }
            try await network.settle()
            let posts = try #require(ann.plugin(Posts.self))
            let stored = try await posts.find(RecordPrefix(post.id), posts.reader())
            let few = try #require(try await posts.counts(of: [stored], upTo: 2)[stored.id])
            #expect(few.likes == 2 && few.comments == 2 && !few.isPopular)
            let all = try #require(try await posts.counts(of: [stored], upTo: 15)[stored.id])
            #expect(all.likes == 3 && all.comments == 15 && all.isPopular)
        }
    }

    @Test func `one's own posts are never hidden by one's own words`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            try await ann.write("Lottery")
            try await ann.call(MutedWordCommands.add, .init(word: MutedWord("lottery")))
            #expect(try await ann.titles() == ["Lottery"])
        }
    }
}
