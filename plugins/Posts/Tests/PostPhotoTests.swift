import Features
import FeaturesAPI
import Foundation
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Photos of posts, between people in a chain.
@Suite struct PostPhotoTests {
    /// Returns the paths of new files, which the hosts' source of photos makes photos of.
    private func pictures(_ count: Int) throws -> [FilePath] {
        let directory = try TestDirectory.make("pictures")
        return try (0..<count).map { number in
            let path = "\(directory)/\(number).png"
            try Data("picture \(number) \(directory)".utf8).write(to: URL(fileURLWithPath: path))
            return try FilePath(path)
        }
    }

    private func write(_ photos: [FilePath], _ host: TestHost) async throws -> Post {
        try await host.call(
            PostCommands.write,
            .init(category: .free, title: PostTitle("Sofa"), photo: photos))
    }

    @Test func `thumbnails arrive with the post, and the whole photo when it is wanted`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await write(try pictures(3), people[0])
            #expect(post.photos.count == 3)
            try await network.settle()
            let ben = people[1]
            let shown = try #require(try await ben.call(PostCommands.list, .init()).posts.first)
            #expect(shown.photos == post.photos)
            let asked = ListPostThumbnails(ids: shown.photos.map(\.id))
            let thumbnails = try await ben.call(PostCommands.thumbnails, asked).thumbnails
            #expect(Set(thumbnails.map(\.id)) == Set(asked.ids))
            #expect(thumbnails.allSatisfy { !$0.jpeg.jpeg.isEmpty })
            let named = ShowPostPhoto(id: RecordPrefix(shown.photos[1].id))
            let waiting = try await ben.call(PostCommands.photo, named)
            #expect(waiting.file == nil && waiting.note != nil)
            _ = ben.drainEvents()
            try await network.settle()
            #expect(try ben.drainEvents(PostEvents.changed).map(\.part).contains(.photos))
            let file = try #require(try await ben.call(PostCommands.photo, named).file)
            let own = try #require(try await people[0].call(PostCommands.photo, named).file)
            #expect(
                FileManager.default.contents(atPath: file.string)
                    == FileManager.default.contents(atPath: own.string))
        }
    }

    @Test func `a list asks nobody for a thumbnail that is missing`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await write(try pictures(1), people[0])
            try await network.settle()
            let ben = people[1]
            let asked = ListPostThumbnails(ids: post.photos.map(\.id))
            #expect(try await ben.call(PostCommands.thumbnails, asked).thumbnails.count == 1)
            let directory = ben.contentDirectory
            for path in try FileManager.default.subpathsOfDirectory(atPath: directory) {
                let file = "\(directory)/\(path)"
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
                try FileManager.default.removeItem(atPath: file)
            }
            #expect(try await ben.call(PostCommands.thumbnails, asked).thumbnails.isEmpty)
            #expect(ben.wanted.isEmpty)
            // Opening the photo asks for it.
            _ = try await ben.call(
                PostCommands.photo, .init(id: RecordPrefix(post.photos[0].id)))
            #expect(ben.wanted.count == 1)
        }
    }

    @Test func `deleting the post takes its photos from every disk`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await write(try pictures(2), people[0])
            try await network.settle()
            let named = ShowPostPhoto(id: RecordPrefix(post.photos[0].id))
            _ = try await people[1].call(PostCommands.photo, named)
            try await network.settle()
            #expect(try await people[1].call(PostCommands.photo, named).file != nil)
            try await people[0].call(PostCommands.delete, post.named)
            try await network.settle()
            for person in people {
                #expect(try await person.rows("SELECT 1 AS one FROM posts_photo").isEmpty)
                await #expect(throws: CommandFault.self) {
                    try await person.call(PostCommands.photo, named)
                }
                let paths = try? FileManager.default.subpathsOfDirectory(
                    atPath: person.contentDirectory)
                let files = paths?.filter { path in
                    let attributes = try? FileManager.default.attributesOfItem(
                        atPath: "\(person.contentDirectory)/\(path)")
                    return attributes?[.type] as? FileAttributeType == .typeRegular
                }
                #expect(files?.isEmpty ?? true)
            }
        }
    }

    @Test func `ten photos are kept in their order, changed, and an eleventh is refused`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            let files = try pictures(12)
            let refusal = CommandFault.refused("A post has at most 10 photos; these are 11.")
            await #expect(throws: refusal) { try await write(Array(files.prefix(11)), ann) }
            #expect(try await ann.titles().isEmpty)
            let post = try await write(Array(files.prefix(10)), ann)
            #expect(post.photos.count == 10)
            let id = RecordPrefix(post.id)
            await #expect(throws: refusal) {
                try await ann.call(PostCommands.edit, .init(id: id, photo: [files[10]]))
            }
            let changed = try await ann.call(
                PostCommands.edit,
                .init(
                    id: id, photo: [files[10]],
                    withoutPhoto: [RecordPrefix(post.photos[0].id)]))
            #expect(changed.photos.prefix(9) == post.photos.dropFirst())
            #expect(changed.photos.count == 10)
            let renewed = try await ann.call(PostCommands.renew, post.named)
            #expect(renewed.photos == changed.photos)
        }
    }

    @Test func `the photos that others still keep are fewer until midnight, or until they go`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.town("Ann")[0]
            func left() async throws -> [Int] {
                let day = try await ann.call(PostCommands.today, .init())
                return day.neighbourhoods.flatMap { [$0.postsLeft.value, $0.photosLeft.value] }
            }
            #expect(try await left() == [20, 128])
            // A short thumbnail counts half as much as the longest one.
            let post = try await write(try pictures(3), ann)
            #expect(try await left() == [19, 126])
            try await ann.call(PostCommands.delete, post.named)
            #expect(try await left()[1] == 128)
            _ = try await write(try pictures(10), ann)
            #expect(try await left()[1] == 123)
            ann.clock.advance(by: .seconds(24 * 60 * 60))
            #expect(try await left() == [20, 128])
        }
    }

    @Test func `a photo that another person adds to a post is not shown`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].write("Sofa")
            try await network.settle()
            let plugin = try #require(people[1].plugin(Posts.self))
            let seongsu = SpaceDescriptor.open(name: "seongsu")
            let prepared = try await plugin.prepare(try pictures(1), in: seongsu)
            try await plugin.add(prepared, to: EntityID(post.id), from: 0, in: seongsu)
            try await network.settle()
            for person in people {
                #expect(try await person.show(post).post.photos.isEmpty)
                #expect(try await person.rows("SELECT 1 AS one FROM posts_photo").count == 1)
            }
        }
    }
}
