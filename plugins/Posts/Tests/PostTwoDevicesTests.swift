import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Two devices of one person act on the same post while they are apart, and meet.
@Suite struct PostTwoDevicesTests {
    /// Ann with a post, and the phone and the laptop of Ben, which are apart.
    private struct Home {
        let network: TestNetwork
        let ann: TestHost
        let phone: TestHost
        let laptop: TestHost
        let post: Post

        var everyone: [TestHost] { [ann, phone, laptop] }

        static func gather(_ network: TestNetwork) async throws -> Home {
            let people = try await network.town("Ann", "Ben")
            let laptop = try await network.device(
                seed: 77, of: people[1], [CoreFeatures.self, Posts.self, Walker.self])
            try await network.setLink(people[1], laptop, isUp: true)
            let post = try await people[0].write("Sofa")
            try await network.settle()
            let home = Home(
                network: network, ann: people[0], phone: people[1], laptop: laptop, post: post)
            #expect(try await laptop.titles() == ["Sofa"])
            try await home.part()
            return home
        }

        func part() async throws {
            try await network.setLink(phone, laptop, isUp: false)
            try await network.setLink(ann, phone, isUp: false)
        }

        func meet() async throws {
            try await network.setLink(phone, laptop, isUp: true)
            try await network.setLink(ann, phone, isUp: true)
        }

        /// The number of likes that each replica counts.
        func likes() async throws -> [Int] {
            var likes: [Int] = []
            for host in everyone { likes.append(try await host.show(post).post.likes.value) }
            return likes
        }

        /// The number of records in a table of each replica.
        func records(_ table: String) async throws -> [Int] {
            var counts: [Int] = []
            for host in everyone {
                counts.append(try await host.rows("SELECT 1 AS one FROM \(table)").count)
            }
            return counts
        }
    }

    @Test func `two likes of one person count once, and are taken back together`() async throws {
        try await TestNetwork.with { network in
            let home = try await Home.gather(network)
            for device in [home.phone, home.laptop] {
                #expect(try await device.call(PostCommands.like, home.post.named).liked)
            }
            try await home.meet()
            #expect(try await home.likes() == [1, 1, 1])
            #expect(try await home.records("posts_like") == [2, 2, 2])
            try await home.laptop.call(PostCommands.unlike, home.post.named)
            try await network.settle()
            #expect(try await home.likes() == [0, 0, 0])
            #expect(try await home.records("posts_like") == [0, 0, 0])
            // Nobody else learns that a like was taken back, beyond its erase.
            #expect(try await home.records("posts_taken_back") == [0, 1, 1])
        }
    }

    @Test func `a like that was taken back later on another device is gone everywhere`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Home.gather(network)
            try await home.phone.call(PostCommands.like, home.post.named)
            try await network.skip(seconds: 60)
            // The laptop knows of no like, and writes its own.
            try await home.laptop.call(PostCommands.like, home.post.named)
            try await network.skip(seconds: 60)
            let answer = try await home.phone.call(PostCommands.unlike, home.post.named)
            #expect(!answer.liked)
            try await home.meet()
            #expect(try await home.likes() == [0, 0, 0])
            #expect(try await home.records("posts_like") == [0, 0, 0])
        }
    }

    @Test func `a like after one was taken back on another device stays everywhere`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Home.gather(network)
            try await home.phone.call(PostCommands.like, home.post.named)
            try await home.phone.call(PostCommands.unlike, home.post.named)
            try await network.skip(seconds: 60)
            try await home.laptop.call(PostCommands.like, home.post.named)
            try await home.meet()
            #expect(try await home.likes() == [1, 1, 1])
            // Liking at the very moment at which it was taken back, on one device, likes it.
            try await home.phone.call(PostCommands.unlike, home.post.named)
            try await home.phone.call(PostCommands.like, home.post.named)
            try await network.settle()
            #expect(try await home.likes() == [1, 1, 1])
            for device in [home.phone, home.laptop] { await device.start() }
            try await network.settle()
            #expect(try await home.likes() == [1, 1, 1])
        }
    }

    @Test func `likes, unlikes and likes again on both devices end as the last of them says`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Home.gather(network)
            for isLast in [true, false] {
                for device in [home.laptop, home.phone] {
                    try await device.call(PostCommands.like, home.post.named)
                    try await device.call(PostCommands.unlike, home.post.named)
                    try await device.call(PostCommands.like, home.post.named)
                    try await network.skip(seconds: 1)
                }
                if !isLast { try await home.phone.call(PostCommands.unlike, home.post.named) }
                try await home.meet()
                let count = isLast ? 1 : 0
                #expect(try await home.likes() == [count, count, count])
                try await home.part()
            }
        }
    }

    @Test func `likes that were taken back before the node ended are gone after its start`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Home.gather(network)
            let phone = home.phone
            phone.stop()
            let space = try #require(
                try await phone.rows("SELECT descriptor FROM waggle_space WHERE kind = 'open'")
                    .first?.descriptor("descriptor"))
            // More than one read returns.
            let count = PostLimits.askedCountMax + 1
            for number in 0...count {
                let bytes = [UInt8(number)] + [UInt8](repeating: 1, count: 15)
                let nonce = try #require(Bytes16(bytes))
                try await phone.write(
                    [
                        .create(
                            collection: Posts.like.name, nonce: nonce,
                            fields: ["post": .bytes(bytes)])
                    ], in: space)
                // The last like stays.
                guard number < count else { break }
                let stamp = try await phone.rows("SELECT max(stamp) AS stamp FROM posts_like")
                try await phone.write(
                    [
                        .create(
                            collection: Posts.takenBack.name, nonce: nonce,
                            fields: [
                                "post": .bytes(bytes),
                                "until": .integer(try #require(stamp.first?.integer("stamp"))),
                            ])
                    ], in: .own(phone.me.person))
            }
            await phone.start()
            try await network.settle()
            #expect(try await phone.rows("SELECT 1 AS one FROM posts_like").count == 1)
            #expect(
                try await phone.rows("SELECT 1 AS one FROM posts_taken_back").count == count)
        }
    }

    @Test func `two views of one person count once`() async throws {
        try await TestNetwork.with { network in
            let home = try await Home.gather(network)
            try await home.meet()
            try await home.phone.call(PostCommands.editSettings, .init(views: true))
            try await network.settle()
            try await home.part()
            for device in [home.phone, home.laptop] {
                try await device.call(PostCommands.open, home.post.named)
            }
            try await home.meet()
            #expect(try await home.records("posts_view") == [2, 2, 2])
            for host in home.everyone {
                #expect(try await host.show(home.post).post.views == 1)
            }
        }
    }

    @Test func `what was taken back is forgotten when the post is long gone`() async throws {
        try await TestNetwork.with { network in
            let home = try await Home.gather(network)
            try await home.phone.call(PostCommands.like, home.post.named)
            try await home.phone.call(PostCommands.unlike, home.post.named)
            try await home.meet()
            #expect(try await home.records("posts_taken_back") == [0, 1, 1])
            try await network.skip(seconds: 61 * 86_400)
            for host in home.everyone {
                try await host.prune()
                await host.start()
            }
            try await network.settle()
            #expect(try await home.records("posts_taken_back") == [0, 0, 0])
        }
    }
}
