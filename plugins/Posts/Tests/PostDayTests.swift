import Features
import FeaturesAPI
import Foundation
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// The 64 KiB that others store of one person and day.
@Suite struct PostDayTests {
    private func day(_ host: TestHost) async throws -> PostDay.Neighbourhood {
        try #require(try await host.call(PostCommands.today).neighbourhoods.first)
    }

    private func picture() throws -> FilePath {
        let directory = try TestDirectory.make("pictures")
        let path = "\(directory)/1.png"
        try Data("picture \(directory)".utf8).write(to: URL(fileURLWithPath: path))
        return try FilePath(path)
    }

    /// Writes comments of so many characters until they are refused.
    private func comment(_ count: Int, on post: Post, _ host: TestHost) async throws {
        let text = String(repeating: "🐕", count: count)
        while true {
            do { try await host.comment(text, on: post) } catch is CommandFault { return }
        }
    }

    @Test func `long posts end the day before their number does, and what is left says so`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            let first = try await day(ann)
            #expect(first.bytesLeft.value == Limits.openDayBytesMax && first.postsLeft.value == 20)
            let text = String(repeating: "🐕", count: 1000)
            var (before, count) = (first, 0)
            while true {
                do { try await ann.write("A dog", text) } catch is CommandFault { break }
                count += 1
                let now = try await day(ann)
                let cost = before.bytesLeft.value - now.bytesLeft.value
                #expect((4_100...4_600).contains(cost))
                before = now
            }
            #expect(count < 20 && before.bytesLeft.value < 4_600)
            #expect(before.postsLeft.value == before.bytesLeft.value / PostLimits.shortPostBytes)
            for _ in 0..<before.postsLeft.value { try await ann.write("A cat") }
            ann.clock.advance(by: .seconds(86_400))
            #expect(try await day(ann) == first)
        }
    }

    @Test func `an edit and a renewal that do not fit into the day change nothing`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            let post = try await ann.call(
                PostCommands.write,
                .init(category: .free, title: PostTitle("Sofa"), photo: [try picture()]))
            for count in [300, 30, 1] { try await comment(count, on: post, ann) }
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    PostCommands.edit,
                    .init(
                        id: RecordPrefix(post.id), title: PostTitle("Table"),
                        photo: [try self.picture()],
                        withoutPhoto: [RecordPrefix(post.photos[0].id)]))
            }
            await #expect(throws: CommandFault.self) {
                try await ann.call(PostCommands.renew, post.named)
            }
            let same = try await ann.show(post).post
            #expect(same.title == "Sofa" && same.photos == post.photos && same.changedMs == nil)
        }
    }

    @Test func `views leave half of the day for what the person writes`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let (ann, ben) = (people[0], people[1])
            let posts = [try await ann.write("A lamp"), try await ann.write("A chair")]
            try await network.settle()
            try await ben.call(PostCommands.editSettings, .init(views: true))
            try await ben.call(PostCommands.open, posts[0].named)
            let text = String(repeating: "🐕", count: 1000)
            while try await day(ben).bytesLeft.value > Limits.openDayBytesMax / 2 {
                try await ben.write("A dog", text)
            }
            try await ben.call(PostCommands.open, posts[1].named)
            try await network.settle()
            #expect(try await ann.show(posts[0]).post.views == 1)
            #expect(try await ann.show(posts[1]).post.views == 0)
        }
    }
}
