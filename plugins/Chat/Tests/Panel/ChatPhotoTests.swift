import ChatAPI
import Contract
import Foundation
import GtkKit
import PanelKit
import PanelTestSupport
import Synchronization
import Testing

@testable import ChatPanel

struct ChatPhotoTests {
    private func message(
        _ text: String, photo: PhotoSides? = PhotoSides(width: 40, height: 30),
        isMine: Bool = false
    ) throws -> ChatMessage {
        ChatMessage(
            id: try RecordKey(String(repeating: "1", count: 32)), from: key("a"), name: "Ann",
            isMine: isMine, text: text, photo: photo, atMs: Timestamp(milliseconds: 0),
            cursor: try Text("1"))
    }

    @Test func `a photo without words is called one, and shows no text`() throws {
        let photo = try message("")
        #expect(photo.shownText == nil && photo.line == "Photo" && photo.spokenText == "Photo")
        #expect(photo.photoText == "Photo from Ann")
        #expect(try message("", isMine: true).photoText == "Photo from you")
    }

    @Test func `a photo with words shows both`() throws {
        let photo = try message("At the\npond")
        #expect(photo.shownText == "At the\npond")
        #expect(photo.line == "Photo: At the pond")
        #expect(photo.spokenText == "Photo: At the\npond")
    }

    @Test func `a text that cannot be shown is not a photo`() throws {
        let message = try message("", photo: nil)
        #expect(message.shownText == "(nothing that can be shown)")
        #expect(message.line == "(nothing that can be shown)")
    }

    @Test func `the list of rooms says that the last message is a photo`() {
        let room = ChatRoom(
            id: key("1"), kind: .pair, title: "Ann", canSend: true, unread: 0, lastText: "",
            lastPhoto: PhotoSides(width: 4, height: 3), lastIsMine: true)
        #expect(room.lastLine == "You: Photo")
    }

    @Test func `progress counts photos that are added while others are sent`() {
        var progress = ChatPhotoProgress()
        #expect(progress.text == nil)
        progress.add(1)
        #expect(progress.text == "Sending a photo…")
        progress.add(2)
        progress.finishOne()
        #expect(progress.text == "Sending photo 2 of 3…")
        progress.finishOne()
        progress.finishOne()
        #expect(progress.text == nil && progress == ChatPhotoProgress())
    }

    @Test func `a pasted picture is a private file while it is sent, and gone afterwards`()
        async throws
    {
        let seen = Mutex<(path: String, bytes: [UInt8])?>(nil)
        try await ChatPhotoPick.pasted([1, 2, 3]).withFile { path in
            let file = try PrivateFile(path)
            #expect(file.permissions == 0o600)
            seen.withLock { $0 = (path, file.bytes) }
        }
        let (path, bytes) = try #require(seen.withLock { $0 })
        #expect(bytes == [1, 2, 3])
        #expect(throws: (any Error).self) { try PrivateFile(path) }
        let long = [UInt8](repeating: 0, count: PhotoLimits.inputBytesMax + 1)
        await #expect(throws: PhotoFault.refused(.tooLong)) {
            try await ChatPhotoPick.pasted(long).withFile { _ in Issue.record("it was written") }
        }
    }
}

/// The content and the permissions of a file.
private struct PrivateFile {
    let bytes: [UInt8]
    let permissions: Int

    init(_ path: String) throws {
        bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        permissions = try #require(attributes[.posixPermissions] as? Int)
    }
}
