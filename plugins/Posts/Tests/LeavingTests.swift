import Features
import FeaturesAPI
import Foundation
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Leaving a neighbourhood, and joining it again.
@Suite struct LeavingTests {
    private func leave(_ name: String, _ host: TestHost) async throws {
        try await host.call(NeighbourhoodCommands.leave, .init(name: NeighbourhoodName(name)))
    }

    /// Writes a post with a photo.
    private func writeWithPhoto(_ title: String, _ host: TestHost) async throws -> Post {
        let path = try TestDirectory.newPath("picture")
        try Data("a picture of \(title)".utf8).write(to: URL(fileURLWithPath: path))
        return try await host.call(
            PostCommands.write,
            .init(
                category: .free, title: PostTitle(title), latitude: Latitude(middle.latitude),
                longitude: Longitude(middle.longitude), photo: [FilePath(path)]))
    }

    /// The number of files with content of a host.
    private func filesCount(_ host: TestHost) -> Int {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: host.contentDirectory))
        return (paths ?? []).filter { path in
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: "\(host.contentDirectory)/\(path)")
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }.count
    }

    /// The tables and indexes that a neighbourhood fills.
    private static let tables = [
        "posts_post", "posts_photo", "posts_comment", "posts_like", "posts_view",
        "posts_post_found", "posts_post_near",
    ]

    private func rowsCount(_ host: TestHost) async throws -> Int {
        var count = 0
        for table in Self.tables {
            count += try await host.rows("SELECT 1 AS one FROM \(table)").count
        }
        return count
    }

    /// The number of posts of which the index of words has a word.
    private func foundCount(_ word: String, _ host: TestHost) async throws -> Int {
        try await host.rows(
            """
            SELECT rowid AS id FROM posts_post_search
            WHERE posts_post_search MATCH waggle_terms(?)
            """, [.text(word)]
        ).count
    }

    @Test func `leaving deletes rows, indexes, photos and reports, and joining brings them back`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let (ann, ben) = (people[0], people[1])
            let sofa = try await writeWithPhoto("Sofa", ann)
            let table = try await writeWithPhoto("Table", ben)
            try await network.settle()
            try await ben.comment("Is it blue?", on: sofa)
            try await ben.call(PostCommands.like, sofa.named)
            try await ann.call(PostCommands.hide, table.named)
            _ = try await ann.call(
                PostCommands.photo, .init(id: RecordPrefix(table.photos[0].id)))
            try await network.settle()
            let report = Posts.reference(of: EntityID(sofa.id))
            #expect(try await ann.reports() == [report: false])
            #expect(filesCount(ann) == 4)
            #expect(try await rowsCount(ann) > 8)
            #expect(try await foundCount("sofa", ann) == 1)
            _ = ann.drainEvents()

            try await leave("Seongsu", ann)
            try await network.settle()
            #expect(try await rowsCount(ann) == 0)
            #expect(try await foundCount("sofa", ann) == 0)
            #expect(filesCount(ann) == 0)
            #expect(try await ann.reports().values.allSatisfy { $0 })
            #expect(try await ann.call(InboxCommands.list).items.allSatisfy(\.handled))
            #expect(
                try await ann.call(PostCommands.list, .init()).note
                    == ShownSentence(Posts.notJoined))
            await #expect(throws: CommandFault.refused(Posts.notJoined)) {
                try await ann.write("Too late")
            }
            for command in [PostCommands.like, PostCommands.renew] {
                await #expect(throws: CommandFault.self) {
                    try await ann.call(command, sofa.named)
                }
            }
            #expect(try await Set(ben.titles()) == ["Sofa", "Table"])
            try await rejoin(ann, ben, sofa, table, network)
        }
    }

    /// Joins twice, looks at what comes back, and leaves each time.
    private func rejoin(
        _ ann: TestHost, _ ben: TestHost, _ sofa: Post, _ table: Post, _ network: TestNetwork
    ) async throws {
        let report = Posts.reference(of: EntityID(sofa.id))
        for name in [" SEONGSU ", "seongsu"] {
            try await ann.join(name)
            try await network.settle()
            #expect(try await ann.titles() == ["Sofa"], "the other one is still hidden")
            #expect(try await ann.call(PostCommands.list, .init()).hiddenCount == 1)
            let shown = try await ann.show(sofa)
            #expect(shown.post.mine && shown.post.likes == 1)
            #expect(shown.comments.map(\.text) == ["Is it blue?"])
            #expect(try await ann.reports() == [report: false], "it was not seen")
            let asked = ListPostThumbnails(ids: [table.photos[0].id])
            #expect(try await ann.call(PostCommands.thumbnails, asked).thumbnails.count == 1)
            try await ann.call(
                PostCommands.edit, .init(id: RecordPrefix(sofa.id), text: PostText("blue")))
            try await network.settle()
            #expect(try await ben.show(sofa).post.text == "blue")
            try await leave("SEONGSU", ann)
            try await network.settle()
            #expect(try await rowsCount(ann) == 0)
        }
    }

    @Test func `leaving one of two takes nothing from the other`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            for person in people { try await person.join("Mapo") }
            try await network.settle()
            let (ann, ben) = (people[0], people[1])
            try await ben.write("in Seongsu", in: "Seongsu")
            let post = try await ann.write("in Mapo", in: "Mapo")
            try await network.settle()
            try await ben.comment("Where?", on: post)
            try await network.settle()
            try await leave("Seongsu", ann)
            try await network.settle()
            #expect(try await ann.titles() == ["in Mapo"])
            #expect(try await ann.show(post).comments.count == 1)
            #expect(
                try await ann.reports() == [Posts.reference(of: EntityID(post.id)): false])
        }
    }

    @Test func `a draft stays, and is not published to another neighbourhood instead`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let ann = people[0]
            for person in people { try await person.join("Mapo") }
            try await network.settle()
            let draft = try await ann.call(
                PostCommands.draft,
                .init(
                    neighbourhood: NameOrKey("Seongsu"), category: .free, title: Text("Party"),
                    text: PostText("at my home")))
            try await leave("Seongsu", ann)
            try await network.settle()
            #expect(try await ann.call(PostCommands.drafts).drafts.map(\.id) == [draft.id])
            let named = RecordPrefix(draft.id)
            await #expect(
                throws: CommandFault.refused(
                    "You left the neighbourhood of this draft. Choose another with "
                        + "--neighbourhood.")
            ) { try await ann.call(PostCommands.write, .init(draft: named)) }
            #expect(try await ann.titles().isEmpty)
            try await ann.call(
                PostCommands.write, .init(neighbourhood: NameOrKey("Mapo"), draft: named))
            #expect(try await ann.titles() == ["Party"])
            #expect(try await ann.call(PostCommands.drafts).drafts.isEmpty)
        }
    }

    @Test func `a request about a post of mine goes when I leave`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let (ann, ben) = (people[0], people[1])
            let post = try await ann.write("Sofa")
            try await network.settle()
            try await ben.call(
                PostMessageCommands.message,
                .init(id: RecordPrefix(post.id), text: PostMessageText("Is it free?")))
            try await network.settle()
            #expect(try await ann.call(PostMessageCommands.messages).messages.count == 1)
            try await leave("Seongsu", ann)
            try await network.settle()
            #expect(try await ann.call(PostMessageCommands.messages).messages.isEmpty)
            #expect(try await ann.call(InboxCommands.list).items.allSatisfy(\.handled))
        }
    }

    @Test func `names that differ by case, composition and blanks are one neighbourhood`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem", joining: nil)
            let names = [
                "Café 산책길", "  CAFE\u{301}  산책길".decomposedStringWithCanonicalMapping,
                "cafe\u{301}\u{3000}산책길",
            ]
            for (person, name) in zip(people, names) { try await person.join(name) }
            try await network.settle()
            for (person, title) in zip(people, ["one", "two", "three"]) {
                try await person.write(title)
            }
            try await network.settle()
            for person in people {
                #expect(try await Set(person.titles()) == ["one", "two", "three"])
            }
            for (person, name) in zip(people, names.reversed()) {
                try await leave(name, person)
                #expect(try await person.call(NeighbourhoodCommands.list).neighbourhoods.isEmpty)
            }
        }
    }
}
