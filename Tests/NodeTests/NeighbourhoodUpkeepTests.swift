import ControlAPI
import FeaturesAPI
import Foundation
import NodeAPI
import NodeTestSupport
import PluginKit
import PostsAPI
import TestSupport
import Testing

@testable import Node

/// A home with posts and photos of a neighbourhood: saved, restored, exported, checked and deleted.
@Suite(.serialized, .timeLimit(.minutes(3))) struct NeighbourhoodUpkeepTests {
    /// Two strangers in a neighbourhood, each with a post, a photo of it, and what the other said.
    private struct Town {
        let ana: RunningNode
        let ben: RunningNode
        let sofa: Post
        let table: Post

        static func found() async throws -> Town {
            let meeting = try await Meeting.linked()
            for node in [meeting.one, meeting.other] { try await node.join() }
            let town = Town(
                ana: meeting.one, ben: meeting.other,
                sofa: try await meeting.one.write(
                    "Sofa", "<sofa-text>", try FilePath.picture()),
                table: try await meeting.other.write(
                    "Table", "<table-text>", try FilePath.bluePicture()))
            for node in [town.ana, town.ben] { try await node.lists(["Sofa", "Table"]) }
            try await town.ana.call(
                PostCommands.comment,
                .init(id: RecordPrefix(town.table.id), text: CommentText("<anas-comment>")))
            try await town.ana.call(PostCommands.like, .init(id: RecordPrefix(town.table.id)))
            try await town.ben.wait(
                for: PostCommands.show, .init(id: RecordPrefix(town.table.id))
            ) { $0.comments.count == 1 && $0.post.likes == 1 }
            // Both look at the other's photo.
            try await town.ana.fetch(town.table)
            try await town.ben.fetch(town.sofa)
            return town
        }
    }

    private func path(_ name: String) throws -> String { try TestDirectory.newPath(name) }

    @Test func `a restored home has the neighbourhood with posts and photos, and goes on`()
        async throws
    {
        let town = try await Town.found()
        let content = town.ana.content
        let file = try path("backup")
        try await town.ana.call(NodeCommands.backup, .init(file: FilePath(file)))
        try await town.ana.remove()
        let home = Home(try path("home"))
        _ = try HomeBackup.restore(file, into: home)
        let again = try await RunningNode.start(home)
        try await again.lists(["Sofa", "Table"])
        #expect(again.content == content)
        let shown = try await again.call(
            PostCommands.show, .init(id: RecordPrefix(town.table.id)))
        #expect(shown.comments.map(\.text) == ["<anas-comment>"] && shown.post.liked)
        try await again.fetch(town.table)
        let found = try await again.call(
            PostCommands.search, .init(text: Text("sofa-text"))
        ).posts
        #expect(found.map(\.id) == [town.sofa.id])

        try await again.dial(town.ben)
        let isWritten = await eventually {
            (try? await again.write("Lamp", "", nil)) != nil
        }
        #expect(isWritten)
        for node in [again, town.ben] { try await node.lists(["Lamp", "Sofa", "Table"]) }
        let status = try await again.call(NodeCommands.status)
        #expect(status.spaces.allSatisfy { $0.forkedDevices.isEmpty })
        for node in [again, town.ben] { try await node.remove() }
    }

    @Test func `an export has the posts, comments and photos of everybody`() async throws {
        let town = try await Town.found()
        let file = try path("export")
        try await town.ana.call(NodeCommands.export, .init(file: FilePath(file)))
        let document = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: file)))
        let space = try #require(document["spaces"]?.array?.first { $0["kind"] == "open" })
        #expect(space["name"] == "seongsu")
        func records(_ name: String) -> [JSONValue] { space["collections"]?[name]?.array ?? [] }
        #expect(
            Set(records("posts.post/1").compactMap { $0["fields"]?["text"]?.string })
                == ["<sofa-text>", "<table-text>"])
        let (ana, ben) = (try await town.ana.person, try await town.ben.person)
        #expect(
            Set(records("posts.post/1").compactMap { $0["creator"]?.string })
                == [ana.string, ben.string])
        #expect(records("posts.comment/1").first?["fields"]?["text"] == "<anas-comment>")
        #expect(records("posts.like/1").count == 1)
        let photos = records("posts.photo/1")
        #expect(photos.count == 2)
        let exported = Set(
            (document["blobs"]?.array ?? []).compactMap { $0["sha256"]?.string })
        #expect(exported == town.ana.content)
        for photo in photos {
            for part in ["photo", "thumbnail"] {
                let hash = try #require(photo["fields"]?[part]?["sha256"]?.string)
                #expect(exported.contains(hash), "\(part)")
            }
        }
        let people = document["people"]?.array?.compactMap { $0["person"]?.string } ?? []
        #expect(people.contains(ben.string))
        for node in [town.ana, town.ben] { try await node.remove() }
    }

    @Test func `checking and repairing finds a damaged photo, and the posts stay`() async throws {
        let town = try await Town.found()
        for node in [town.ana, town.ben] {
            // With strangers there is nothing to compare.
            await #expect(
                throws: CommandFault.notFound(
                    "no linked device shares a space with this one; nothing stored here is damaged")
            ) { try await node.call(NodeCommands.verify, .init()) }
            let repaired = try await node.call(NodeCommands.repair, .init())
            #expect(repaired.isWhole && !repaired.newKey && repaired.photos.isEmpty)
            #expect(repaired.spaces.count == 3)
            try await node.lists(["Sofa", "Table"])
        }
        let whole = town.ana.content
        try town.ana.damagePhotos()
        let repaired = try await town.ana.call(NodeCommands.repair, .init())
        #expect(repaired.photos.count == whole.count)
        try await town.ana.lists(["Sofa", "Table"])
        // Ben has them, so they come back: the thumbnails by themselves, the whole when wanted.
        let id = RecordPrefix(town.table.photos[0].id)
        try await town.ana.wait(
            for: PostCommands.thumbnails, .init(ids: town.table.photos.map(\.id)),
            within: .seconds(60)
        ) { $0.thumbnails.count == 1 }
        let isBack = await eventually {
            (try? await town.ana.call(PostCommands.photo, .init(id: id)))?.file != nil
        }
        #expect(isBack)
        for node in [town.ana, town.ben] { try await node.remove() }
    }

    @Test func `a deleted person's posts, comments, likes and photos are gone at a stranger`()
        async throws
    {
        let town = try await Town.found()
        let (ana, ben) = (town.ana, town.ben)
        let own = Set(
            try await ben.files(of: town.table)
                + ben.thumbnailNames(of: town.table, among: ben.content))
        #expect(ben.content.count > own.count)
        try await ana.call(NodeCommands.deleteMe, .init(yes: true))
        try await ben.lists(["Table"])
        try await ben.wait(for: PostCommands.show, .init(id: RecordPrefix(town.table.id))) {
            $0.comments.isEmpty && $0.post.likes == 0
        }
        #expect(await eventually { ben.content == own })
        for text in ["<sofa-text>", "<anas-comment>"] {
            let isScrubbed = await eventually {
                (try? DatabaseBytes(of: ben.home.replicaFile).holds(text)) == false
            }
            #expect(isScrubbed, "\(text)")
        }
        let isGone = await eventually {
            !FileManager.default.fileExists(atPath: ana.home.replicaFile) && ana.content.isEmpty
        }
        #expect(isGone)
        try await ben.remove()
    }
}

extension RunningNode {
    fileprivate func join() async throws {
        try await call(
            NeighbourhoodCommands.join, .init(name: NeighbourhoodName("Seongsu"), yes: true))
        // The space is open a moment after it was joined.
        try await wait(for: NodeCommands.status) { $0.spaces.contains { $0.kind == .open } }
    }

    @discardableResult
    fileprivate func write(
        _ title: String, _ text: String, _ photo: FilePath?
    ) async throws -> Post {
        try await call(
            PostCommands.write,
            .init(
                category: .free, title: PostTitle(title), text: PostText(text),
                photo: photo.map { [$0] }))
    }

    /// Waits until posts with these titles are listed, and no others.
    fileprivate func lists(_ titles: Set<String>) async throws {
        try await wait(for: PostCommands.list, .init()) {
            Set($0.posts.map(\.title.string)) == titles
        }
    }

    /// Looks at the photo of a post until it is here.
    fileprivate func fetch(_ post: Post) async throws {
        let photo = ShowPostPhoto(id: RecordPrefix(post.photos[0].id))
        let isHere = await eventually {
            (try? await self.call(PostCommands.photo, photo))?.file != nil
        }
        #expect(isHere)
    }

    /// The name of the file with the whole photo of a post.
    fileprivate func files(of post: Post) async throws -> [String] {
        let photo = try await call(
            PostCommands.photo, .init(id: RecordPrefix(post.photos[0].id)))
        return [try #require(photo.file).string.split(separator: "/").last.map(String.init) ?? ""]
    }

    /// The names of the files with the thumbnails of a post.
    fileprivate func thumbnailNames(of post: Post, among names: Set<String>) async throws
        -> [String]
    {
        let answer = try await call(
            PostCommands.thumbnails, .init(ids: post.photos.map(\.id)))
        return answer.thumbnails.map { BlobHash(of: $0.jpeg.jpeg).description }
            .filter(names.contains)
    }
}
