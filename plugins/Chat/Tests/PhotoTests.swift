import ChatAPI
import Features
import FeaturesAPI
import Foundation
import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// Photos of messages: sending, showing, saving and deleting them.
@Suite struct PhotoTests {
    /// Returns the path of a new file, which the hosts' source of photos makes a photo of.
    private func picture(_ text: String = "a picture") throws -> FilePath {
        let path = try TestDirectory.newPath("picture.jpg")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return try FilePath(path)
    }

    @discardableResult
    private func send(
        _ host: TestHost, to room: NameOrKey, _ text: String? = nil
    ) async throws -> ChatMessage {
        try await host.call(
            ChatCommands.send,
            .init(room: room, text: try text.map { try Lines($0) }, photo: try picture()))
    }

    private func content(
        _ host: TestHost, _ message: ChatMessage, save: FilePath? = nil
    ) async throws -> PhotoContent {
        try await host.call(
            ChatCommands.photo, .init(id: RecordPrefix(message.id), save: save))
    }

    @Test func `a photo is in the room with its size, its thumbnail and no words`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let sent = try await send(ann, to: ben.key)
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                let message = try #require(try await one.message(sent.id, in: other.key))
                #expect(message.photo == PhotoSides(width: 320, height: 240))
                #expect(message.text.string == "")
                let found = try await one.call(
                    ChatCommands.thumbnails, .init(room: other.key, ids: [sent.id]))
                #expect(found.thumbnails.map(\.id) == [sent.id])
                let jpeg = try #require(found.thumbnails.first).jpeg.jpeg
                #expect(PhotoThumbnail(jpeg)?.jpeg == jpeg)
            }
            let room = try #require(try await ben.room(ann.key))
            #expect(room.unread == 1 && room.lastText == "" && room.lastPhoto != nil)
        }
    }

    @Test func `a photo with words has both, and a search finds the words`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await send(ann, to: ben.key, "At the pond")
            try await send(ann, to: ben.key)
            try await network.settle()
            #expect(try await ben.texts(in: ann.key) == ["At the pond", ""])
            #expect(try await ben.found("pond") == ["At the pond"])
            let hits = try await ben.call(ChatCommands.search, .init(text: Text("pond")))
            #expect(hits.messages.first?.photo == PhotoSides(width: 320, height: 240))
        }
    }

    @Test func `the record of a photo without words has a text for versions without photos`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await send(ann, to: ben.key)
            try await network.settle()
            let rows = try await ben.rows("SELECT text FROM chat_message")
            #expect(rows.map { $0.text("text") } == ["📷"])
        }
    }

    @Test func `my own photo is here at once, that of a mate when it has arrived`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let sent = try await send(ann, to: ben.key)
            try await network.settle()
            let file = try #require(try await content(ann, sent).file)
            let bytes = try #require(FileManager.default.contents(atPath: file.string))
            #expect(PhotoSize(width: 320, height: 240) == (try PhotoHeader(Array(bytes)).size))

            let early = try await content(ben, sent)
            #expect(early.file == nil && early.note?.string == "Loading from Ann.")
            try await network.setLink(ann, ben, isUp: false)
            #expect(try await content(ben, sent).note?.string == "Loads when you meet Ann.")
            let copy = try FilePath(try TestDirectory.newPath("copy.jpg"))
            await #expect(throws: CommandFault.self) {
                try await content(ben, sent, save: copy)
            }
            #expect(!FileManager.default.fileExists(atPath: copy.string))
        }
    }

    @Test func `the content of a mate's photo arrives after it was wanted, and the room says so`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let sent = try await send(ann, to: ben.key)
            try await network.settle()
            #expect(try await content(ben, sent).file == nil)
            _ = ben.drainEvents()
            try await network.settle()
            #expect(ben.drainEvents().contains("chat"))
            let (mine, theirs) = (try await content(ann, sent), try await content(ben, sent))
            let files = try [#require(mine.file), #require(theirs.file)]
            #expect(
                FileManager.default.contentsEqual(
                    atPath: files[0].string, andPath: files[1].string))
            try await ann.delete(sent.id, forEveryone: true)
            try await network.settle()
            #expect(files.allSatisfy { !FileManager.default.fileExists(atPath: $0.string) })
        }
    }

    @Test func `a copy is saved to a new file only`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let sent = try await send(ann, to: ben.key)
            let copy = try FilePath(try TestDirectory.newPath("copy.jpg"))
            #expect(try await content(ann, sent, save: copy).file == copy)
            let file = try #require(try await content(ann, sent).file)
            #expect(FileManager.default.contentsEqual(atPath: copy.string, andPath: file.string))
            await #expect(throws: CommandFault.self) {
                try await content(ann, sent, save: copy)
            }
        }
    }

    @Test func `a photo that was deleted for everybody is in no home`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let sent = try await send(ann, to: ben.key)
            let other = try await ann.say("stays", to: ben.key)
            try await network.settle()
            let file = try #require(try await content(ann, sent).file)
            try await ann.delete(sent.id, forEveryone: true)
            try await network.settle()
            #expect(!FileManager.default.fileExists(atPath: file.string))
            for (one, mate) in [(ann, ben), (ben, ann)] {
                #expect(try await one.texts(in: mate.key) == ["stays"])
                await #expect(throws: CommandFault.self) { try await content(one, sent) }
                #expect(try await one.message(other, in: mate.key)?.photo == nil)
                let rows = try await one.rows("SELECT count(*) AS n FROM blob_reference")
                #expect(rows[0].integer("n") == 0)
            }
        }
    }

    @Test func `a photo that is hidden from me cannot be shown here any more`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let sent = try await send(ann, to: ben.key)
            try await network.settle()
            try await ben.delete(sent.id, forEveryone: false)
            await #expect(throws: CommandFault.self) { try await content(ben, sent) }
            let found = try await ben.call(
                ChatCommands.thumbnails, .init(room: ann.key, ids: [sent.id]))
            #expect(found.thumbnails.isEmpty)
            #expect(try await content(ann, sent).file != nil)
        }
    }

    @Test func `a message needs a text or a photo, and a bad picture sends nothing`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            await #expect(throws: CommandFault.self) {
                try await ann.call(ChatCommands.send, .init(room: ben.key))
            }
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    ChatCommands.send,
                    .init(room: ben.key, text: Lines("words"), photo: FilePath("/nowhere.jpg")))
            }
            let text = try await ann.say("no photo", to: ben.key)
            #expect(try await ann.texts(in: ben.key) == ["no photo"])
            await #expect(throws: CommandFault.self) {
                try await ann.call(ChatCommands.photo, .init(id: RecordPrefix(text)))
            }
        }
    }

    @Test func `at most 100 thumbnails are requested at once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("no photo", to: ben.key)
            let most = [RecordKey](repeating: id, count: 100)
            #expect(
                try await ann.call(ChatCommands.thumbnails, .init(room: ben.key, ids: most))
                    .thumbnails.isEmpty)
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    ChatCommands.thumbnails, .init(room: ben.key, ids: most + [id]))
            }
        }
    }

    @Test func `a notice says that there is a photo`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await send(ann, to: ben.key)
            try await network.settle()
            #expect(ben.drainNotices().last?.body.english == "Photo")
            try await send(ann, to: ben.key, "At the pond")
            try await network.settle()
            #expect(ben.drainNotices().last?.body.english == "Photo: At the pond")
        }
    }
}
