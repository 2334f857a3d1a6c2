import ChatAPI
import ControlAPI
import FeaturesAPI
import Foundation
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

// The commands of photos: of people, in a drop, and in a chat.
extension CommandContractTests {
    /// Writes a PNG of one pixel; returns its path.
    private func picture() throws -> FilePath {
        let png = try #require(
            Data(
                base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8Dw"
                    + "HwAFAAH/iZk9HQAAAABJRU5ErkJggg=="))
        let path = try TestDirectory.newPath("pixel.png")
        try png.write(to: URL(fileURLWithPath: path))
        return try FilePath(path)
    }

    /// Makes a picture a person's photo.
    func choosePhoto(_ caller: Caller) async throws {
        try await caller.call(ProfileCommands.photo, .init(file: picture()))
        try await caller.call(ProfileCommands.show)
    }

    /// Shows the photo of a mate, and sends one in a chat.
    func photos(_ ana: Caller, _ bob: Caller) async throws {
        await bob.wait(for: MateCommands.list) { $0.mates.first?.photoMs != nil }
        let mate = PhotoRequest(person: NameOrKey(try await ana.person), thumbnail: true)
        let isHere = await eventually {
            (try? await bob.call(MateCommands.photo, mate))?.file != nil
        }
        #expect(isHere)

        let room = NameOrKey(try await bob.person)
        let sent = try await ana.call(
            ChatCommands.send,
            .init(room: room, text: MessageText("A photo"), photo: picture()))
        try await ana.call(ChatCommands.rooms)
        try await ana.call(ChatCommands.open, .init(room: room, limit: MessageCount(10)))
        try await ana.call(ChatCommands.search, .init(text: SearchText("photo")))
        try await ana.call(ChatCommands.thumbnails, .init(room: room, ids: [sent.id]))
        try await ana.call(ChatCommands.photo, .init(id: RecordPrefix(sent.id)))
        let hasArrived = await eventually {
            let request = ShowPhoto(id: RecordPrefix(sent.id))
            return (try? await bob.call(ChatCommands.photo, request))?.file != nil
        }
        #expect(hasArrived)
        try await ana.call(ChatCommands.delete, .init(id: RecordPrefix(sent.id)))
    }

    /// Changes the last byte of each photo that a stopped node has on its disk.
    func damagePhoto(of node: RunningNode) throws {
        let directory = URL(fileURLWithPath: node.home.blobsDirectory)
        let files = FileManager.default.enumerator(
            at: directory, includingPropertiesForKeys: [.isRegularFileKey])
        var changedCount = 0
        for case let file as URL in try #require(files)
        where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
            var content = try Data(contentsOf: file)
            content[content.endIndex - 1] ^= 1
            try content.write(to: file)
            changedCount += 1
        }
        #expect(changedCount > 0)
    }
}
