import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Posts between people in a chain whose ends are never linked.
@Suite struct PostsTests {
    @Test func `a post, its comments and likes reach the end of a chain, and edits replace`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, cem) = (people[0], people[2])
            let post = try await ann.write(
                "A vet on Sundays?", "Near the gate", category: .question,
                at: middle)
            #expect(post.mine && post.name == "Ann" && post.likes == 0 && !post.liked)
            try await network.settle()
            for person in people { #expect(try await person.titles() == ["A vet on Sundays?"]) }
            #expect(cem.drainEvents().contains("posts"))

            let comment = try await cem.comment("The one at the bridge", on: post)
            #expect(comment.mine && !comment.byAuthor)
            #expect(try await cem.call(PostCommands.like, post.named).liked)
            try await network.settle()
            var shown = try await ann.show(post)
            #expect(shown.comments.map(\.text.string) == ["The one at the bridge"])
            #expect(shown.comments.first?.name?.string == cem.me.person.called("Cem"))
            #expect(shown.post.likes == 1)
            #expect(shown.post.comments == 1 && !shown.post.liked && !shown.hidden)

            try await network.skip(seconds: 60)
            let edited = try await ann.call(
                PostCommands.edit,
                .init(
                    id: RecordPrefix(post.id), title: PostTitle("A vet today?"),
                    withoutLocation: true))
            #expect(edited.id == post.id && edited.atMs == post.atMs)
            #expect(edited.changedMs == post.atMs + .seconds(60))
            #expect(edited.text == "Near the gate" && edited.location == nil)
            try await network.settle()
            for person in people { #expect(try await person.titles() == ["A vet today?"]) }
            shown = try await cem.show(post)
            #expect(shown.post.location == nil && shown.post.liked && shown.comments.count == 1)

            try await cem.call(PostCommands.unlike, post.named)
            try await cem.call(
                PostCommands.uncomment, .init(id: RecordPrefix(comment.id)))
            try await network.settle()
            shown = try await ann.show(post)
            #expect(shown.post.likes == 0 && shown.comments.isEmpty && shown.post.comments == 0)
            // Liking again after that counts again.
            try await cem.call(PostCommands.like, post.named)
            try await network.settle()
            #expect(try await ann.show(post).post.likes == 1)
        }
    }

    @Test func `a deleted post goes everywhere with its bytes, and what belongs to it is hidden`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let post = try await people[0].write("Geheimnis", "Ausweis 4711")
            try await network.settle()
            try await people[2].comment("Wirklich?", on: post)
            try await network.settle()
            try await people[0].call(PostCommands.delete, post.named)
            try await network.settle()
            for person in people {
                #expect(try await person.titles().isEmpty)
                await #expect(throws: CommandFault.self) { try await person.show(post) }
                let bytes = try person.databaseBytes()
                #expect(!bytes.holds("Ausweis 4711"))
            }
        }
    }

    @Test func `only the author edits, renews or deletes`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].write("Sofa")
            try await people[0].comment("Still here", on: post)
            try await network.settle()
            let (ben, id) = (people[1], RecordPrefix(post.id))
            await #expect(throws: CommandFault.self) {
                try await ben.call(
                    PostCommands.edit, .init(id: id, title: PostTitle("Mine")))
            }
            await #expect(throws: CommandFault.self) {
                try await ben.call(PostCommands.renew, post.named)
            }
            await #expect(throws: CommandFault.self) {
                try await ben.call(PostCommands.delete, post.named)
            }
            let comment = try #require(try await ben.show(post).comments.first)
            #expect(comment.byAuthor && !comment.mine)
            await #expect(throws: CommandFault.refused("Only its author can delete a comment.")) {
                try await ben.call(
                    PostCommands.uncomment, .init(id: RecordPrefix(comment.id)))
            }
            #expect(try await people[0].titles() == ["Sofa"])
        }
    }

    @Test func `a post says when it expires, and renewing moves that`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            let post = try await ann.write("Sofa", at: middle)
            #expect(post.expiresMs == post.atMs + .seconds(30 * 86_400) && post.changedMs == nil)
            try await network.skip(seconds: 86_400)
            let renewed = try await ann.call(PostCommands.renew, post.named)
            #expect(renewed.expiresMs == post.expiresMs + .seconds(86_400))
            #expect(renewed.title == "Sofa" && renewed.location == post.location)
        }
    }

    @Test func `others read a rounded location unless the author chose the exact one`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            try await people[0].write("rounded", at: middle)
            try await people[0].write("exact", at: middle, precision: .exact)
            try await people[0].write("none")
            try await network.settle()
            let posts = try await people[1].call(PostCommands.list, .init()).posts
            func location(_ title: String) throws -> PostLocation? {
                try #require(posts.first { $0.title == title }).location
            }
            #expect(try location("none") == nil)
            let exact = try #require(try location("exact"))
            #expect(exact.latitude == 37.5665 && exact.longitude == 126.9780)
            let rounded = try #require(try location("rounded"))
            #expect(rounded != exact)
            await #expect(throws: CommandFault.self) {
                try await people[0].call(
                    PostCommands.write,
                    .init(
                        category: .free, title: PostTitle("half"), latitude: Latitude(1)))
            }
        }
    }

    @Test func `an edit rounds the location that is there, and asks for an exact one`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let ann = people[0]
            let post = try await ann.write("Sofa", at: middle, precision: .exact)
            let id = RecordPrefix(post.id)
            #expect(post.location?.latitude == middle.latitude)
            await #expect(
                throws: CommandFault.refused(
                    "Give the exact location too: others may have read a rounded one so far.")
            ) { try await ann.call(PostCommands.edit, .init(id: id, precision: .exact)) }
            let first = try await ann.call(
                PostCommands.edit, .init(id: id, precision: .rounded))
            let earlier = "Other devices keep the earlier location for up to 30 days."
            #expect(first.note?.sentence.english == earlier)
            try await network.settle()
            let rounded = try Point(latitude: middle.latitude, longitude: middle.longitude)
                .movedToGrid
            #expect(try await people[1].show(post).post.location == PostLocation(rounded))
            let titled = try await ann.call(
                PostCommands.edit, .init(id: id, title: PostTitle("Blue sofa")))
            #expect(titled.note == nil)
            #expect(try await ann.show(post).post.location == PostLocation(rounded))
            let gone = try await ann.call(
                PostCommands.edit, .init(id: id, precision: .exact, withoutLocation: true))
            #expect(gone.location == nil && gone.title == "Blue sofa")
            #expect(gone.note == first.note)
            let again = try await ann.call(
                PostCommands.edit,
                .init(
                    id: id, latitude: Latitude(middle.latitude),
                    longitude: Longitude(middle.longitude)))
            #expect(again.location != nil && again.note == nil, "there was none")
        }
    }

    @Test func `three others make a post popular, and views are counted only by choice`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem", "Dan")
            let post = try await people[0].write("Sofa")
            try await network.settle()
            for person in people { try await person.call(PostCommands.open, post.named) }
            try await network.settle()
            #expect(try await people[0].show(post).post.views == 0)
            for person in people {
                #expect(
                    try await person.call(PostCommands.editSettings, .init(views: true)).views)
                try await person.call(PostCommands.open, post.named)
                // A second look counts nothing.
                try await person.call(PostCommands.open, post.named)
            }
            try await network.settle()
            let shown = try await people[3].show(post).post
            // The author is never counted.
            #expect(shown.views == 3 && shown.popular)
            #expect(
                try await people[1].rows("SELECT 1 AS one FROM posts_view").count == 3)
        }
    }

    @Test func `comments without text and people whom I blocked count nowhere`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem", "Dan")
            let ann = people[0]
            let post = try await ann.write("Sofa")
            let other = try await ann.write("Table")
            try await network.settle()
            for person in people[1...] {
                try await person.call(PostCommands.editSettings, .init(views: true))
                try await person.call(PostCommands.open, post.named)
                try await person.call(PostCommands.like, post.named)
                try await person.comment("Blue?", on: post)
                try await person.write(
                    [
                        .create(
                            collection: Posts.comment.name, nonce: .zero,
                            fields: ["post": .bytes(EntityID(other.id).bytes)])
                    ], in: .open(name: "seongsu"))
            }
            try await network.settle()
            var shown = try await ann.show(post).post
            #expect(shown.likes == 3 && shown.views == 3 && shown.comments == 3 && shown.popular)
            let silent = try await ann.show(other).post
            #expect(silent.comments == 0 && !silent.popular)
            try await ann.call(
                MateCommands.block,
                .init(person: NameOrKey(people[3].me.person), reason: .other))
            try await network.settle()
            shown = try await ann.show(post).post
            #expect(shown.likes == 2 && shown.views == 2 && shown.comments == 2 && !shown.popular)
            #expect(try await people[1].show(post).post.popular)
        }
    }

    @Test func `a neighbourhood whose space is not here yet is refused, and lists nothing else`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            let posts = try #require(ann.plugin(Posts.self))
            let now = try await posts.reader()
            let before = PostReader(
                joined: now.joined, spaces: [:], me: now.me, now: now.now, names: now.names,
                mates: now.mates, muted: now.muted)
            let (name, seongsu) = (try NameOrKey("Seongsu"), SpaceDescriptor.open(name: "seongsu"))
            let refusal = CommandFault.refused(
                "This neighbourhood is still being opened; try again in a moment.")
            await #expect(throws: refusal) { try await posts.space(name, before) }
            await #expect(throws: refusal) {
                try await posts.ownCount(in: "posts_post", today: seongsu, before)
            }
            let number = try await posts.space(name, now)
            #expect(number != nil)
            #expect(try await posts.ownCount(in: "posts_post", today: seongsu, now) == 0)
        }
    }

    @Test func `a recorded walk becomes a post, without its way`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].call(
                PostCommands.write,
                .init(title: PostTitle("Round the lake"), walk: RecordPrefix("111111")))
            #expect(post.category == .walk)
            try await network.settle()
            let shown = try #require(
                try await people[1].call(PostCommands.list, .init()).posts.first)
            #expect(shown.walk == PostWalk(distanceMetres: 2100.5, elapsedSeconds: 1800))
            #expect(shown.location == nil)
            await #expect(
                throws: CommandFault.notFound("There is no walk 222222; see 'walk-log list'.")
            ) {
                try await people[0].call(
                    PostCommands.write,
                    .init(title: PostTitle("Another"), walk: RecordPrefix("222222")))
            }
        }
    }

    @Test func `who joined nothing is told how, and who joined two names one`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann", joining: nil)[0]
            let page = try await ann.call(PostCommands.list, .init())
            #expect(page.posts.isEmpty && page.neighbourhoods.isEmpty)
            #expect(page.note == ShownSentence(Posts.notJoined))
            await #expect(throws: CommandFault.refused(Posts.notJoined)) {
                try await ann.write("Sofa")
            }
            try await ann.join("Seongsu")
            try await ann.join("Mapo")
            try await network.settle()
            #expect(
                try ann.drainEvents(PostEvents.changed).contains {
                    $0.part == .neighbourhoods
                })
            await #expect(throws: CommandFault.self) { try await ann.write("Sofa") }
            try await ann.write("Sofa", in: "mapo")
            try await network.skip(seconds: 1)
            try await ann.write("Table", in: "Seongsu")
            #expect(
                try await ann.titles(.init(neighbourhood: NameOrKey("Mapo"))) == ["Sofa"])
            #expect(try await ann.titles() == ["Table", "Sofa"])
            #expect(
                try await ann.call(PostCommands.mine, .init()).posts.map(\.neighbourhood.string)
                    == ["Seongsu", "Mapo"])
            try await ann.call(
                NeighbourhoodCommands.leave, .init(name: NeighbourhoodName("Mapo")))
            try await network.settle()
            #expect(try await ann.titles() == ["Table"])
        }
    }

    @Test func `the 20th post of a day is written, and the 21st refused with a sentence`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            for number in 1...20 { try await ann.write("post \(number)") }
            let refusal = try await #require(throws: CommandFault.self) {
                try await ann.write("one more")
            }
            #expect(refusal.code == "refused")
            #expect(refusal.sentence.hasPrefix("You wrote 20 posts here today"))
            try await network.skip(seconds: 86_400)
            try await ann.write("the next day")
        }
    }

    @Test func `the 200th comment of a day is written, and the 201st refused with a sentence`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            let post = try await ann.write("Table")
            for number in 1...200 {
                try await ann.comment("Offer \(number)", on: post)
            }
            let refusal = try await #require(throws: CommandFault.self) {
                try await ann.comment("One more", on: post)
            }
            #expect(refusal.code == "refused")
            #expect(refusal.sentence.hasPrefix("You wrote 200 comments here today"))
        }
    }
}
