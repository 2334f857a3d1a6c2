import Features
import FeaturesAPI
import Foundation
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Performs every command of posts, and checks each answer against its schema.
@Suite struct PostContractTests {
    @Test func `every answer conforms to its schema, and each member is in some answer`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", joining: nil)
            let record = AnswerRecord(of: PostContractTests.declarations)
            let (ann, ben) = (record.recording(people[0]), people[1])
            // Nothing is joined, so a sentence says how.
            try await ann.call(PostCommands.list, .init())
            for host in people { try await host.join("Seongsu") }
            try await network.settle()
            people[0].locate(
                Fix(point: try Point(latitude: middle.latitude, longitude: middle.longitude)))
            try await network.settle()
            let post = try await write(ann, ben, network)
            try await lists(ann, ben, network)
            try await ownRecords(ann, on: post)
            try await messages(ann, people[0], ben, on: post, network)
            let id = RecordPrefix(post.id)
            try await ann.call(
                PostCommands.edit,
                .init(id: id, text: PostText("changed"), withoutLocation: true))
            try await ann.call(PostCommands.renew, post.named)
            try await ann.call(PostCommands.today, .init())
            try await ann.call(PostCommands.show, .init(id: id))
            try await ann.call(PostCommands.delete, post.named)
            #expect(record.missingRoutes.isEmpty, "\(record.missingRoutes)")
            #expect(record.unseenMembers.isEmpty, "\(record.unseenMembers)")
        }
    }

    private static let declarations = Posts.commands.map(\.declaration)

    /// Writes a post with everything that one can have, and looks at it.
    private func write(
        _ ann: some CommandPerformer, _ ben: TestHost, _ network: TestNetwork
    ) async throws -> Post {
        let path = try TestDirectory.newPath("picture")
        try Data("a picture".utf8).write(to: URL(fileURLWithPath: path))
        let post = try await ann.call(
            PostCommands.write,
            .init(
                title: PostTitle("Round the lake"), text: PostText("words"),
                latitude: Latitude(middle.latitude), longitude: Longitude(middle.longitude),
                photo: [FilePath(path)], walk: RecordPrefix("111111")))
        try await ann.call(PostCommands.like, post.named)
        try await ann.call(PostCommands.unlike, post.named)
        try await network.settle()
        for number in 0..<51 { try await ben.comment("comment \(number)", on: post) }
        try await network.settle()
        let id = RecordPrefix(post.id)
        try await ann.call(PostCommands.show, .init(id: id))
        try await ann.call(PostCommands.open, post.named)
        let comment = try await ann.call(
            PostCommands.comment, .init(id: id, text: CommentText("mine")))
        try await ann.call(PostCommands.uncomment, .init(id: RecordPrefix(comment.id)))
        let photo = try #require(post.photos.first).id
        try await ann.call(PostCommands.thumbnails, .init(ids: [photo]))
        try await ann.call(PostCommands.photo, .init(id: RecordPrefix(photo)))
        return post
    }

    private func lists(
        _ ann: some CommandPerformer, _ ben: TestHost, _ network: TestNetwork
    ) async throws {
        for number in 0..<20 { try await ben.write("post \(number)") }
        try await network.settle()
        try await ann.call(PostCommands.list, .init())
        try await ann.call(PostCommands.list, .init(order: .nearest))
        try await ann.call(PostCommands.search, .init(text: try Text("post")))
        try await ann.call(PostCommands.mine, .init())
        // A photo that is not here.
        let path = try TestDirectory.newPath("picture")
        try Data("another picture".utf8).write(to: URL(fileURLWithPath: path))
        try await network.skip(seconds: 86_400)
        let other = try await ben.call(
            PostCommands.write,
            .init(category: .question, title: PostTitle("Seen?"), photo: [FilePath(path)]))
        try await network.settle()
        let photo = try #require(other.photos.first).id
        try await ann.call(PostCommands.photo, .init(id: RecordPrefix(photo)))
        try await ann.call(PostCommands.hide, other.named)
        try await ann.call(PostCommands.unhide, other.named)
        try await ann.call(
            PostCommands.report,
            .init(id: RecordPrefix(other.id), reason: .spam, text: ReportText("again")))
        try await ann.call(PostCommands.hidden)
    }

    /// Asks an author, and answers one who asks.
    private func messages(
        _ ann: some CommandPerformer, _ host: TestHost, _ ben: TestHost, on post: Post,
        _ network: TestNetwork
    ) async throws {
        try await network.skip(seconds: 86_400)
        let other = try await ben.write("A leash")
        try await network.settle()
        let benNamed = NamePostPerson(person: NameOrKey(ben.me.person))
        let asked = try await ann.call(
            PostMessageCommands.message,
            .init(id: RecordPrefix(other.id), text: PostMessageText("Is it free?")))
        #expect(asked.state == .waiting)
        try await network.settle()
        try await ann.call(PostMessageCommands.messages)
        try await ben.call(
            PostMessageCommands.accept, .init(person: NameOrKey(host.me.person)))
        try await network.settle()
        let open = try await ann.call(PostMessageCommands.messages)
        #expect(open.messages.map(\.state) == [.open])
        try await ann.call(PostMessageCommands.end, benNamed)
        try await network.settle()
        let question = MessageAuthor(
            id: RecordPrefix(post.id), text: try PostMessageText("Which lake?"))
        for answer in [PostMessage.State.accepted, .waiting] {
            try await ben.call(PostMessageCommands.message, question)
            try await network.settle()
            if answer == .accepted {
                try await ann.call(PostMessageCommands.accept, benNamed)
                try await network.settle()
                try await ann.call(PostMessageCommands.end, benNamed)
                try await network.settle()
            } else {
                try await ann.call(PostMessageCommands.decline, benNamed)
            }
        }
    }

    private func ownRecords(_ ann: some CommandPerformer, on post: Post) async throws {
        let draft = try await ann.call(
            PostCommands.draft,
            .init(
                neighbourhood: NameOrKey("Seongsu"), category: .sitter, title: Text("Who"),
                text: PostText("words"), latitude: Latitude(middle.latitude),
                longitude: Longitude(middle.longitude), precision: .exact))
        try await ann.call(PostCommands.drafts)
        try await ann.call(PostCommands.discard, .init(draft: RecordPrefix(draft.id)))
        try await ann.call(PostCommands.editSettings, .init(views: true))
        #expect(try await ann.call(PostCommands.settings).views)
    }
}
