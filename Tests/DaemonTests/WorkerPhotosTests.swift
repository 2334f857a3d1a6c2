import Foundation
import PluginKit
import TestSupport
import Testing

@testable import Daemon

struct WorkerPhotosTests {
    /// A PNG of one pixel.
    private static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJ"
        + "RU5ErkJggg=="

    @Test func `a picture becomes a bare JPEG with a thumbnail`() async throws {
        let path = try TestDirectory.newPath("pixel.png")
        let png = try #require(Data(base64Encoded: Self.pixel))
        try png.write(to: URL(fileURLWithPath: path))
        let photo = try await WorkerPhotos().encode(.file(path: path), for: .chat)
        #expect(photo.size == PhotoSize(width: 1, height: 1))
        #expect(PhotoThumbnail(photo.thumbnail) != nil)
        #expect(try PhotoHeader(photo.jpeg).format == .jpeg)
    }

    @Test func `what is no picture, or not there, is refused with a sentence`() async throws {
        let photos = WorkerPhotos()
        await #expect(throws: CommandFault.self) {
            try await photos.encode(.file(path: "/nowhere/a.jpg"), for: .chat)
        }
        do {
            _ = try await photos.encode(.bytes(Array("a text".utf8)), for: .profile)
            Issue.record("a text was accepted")
        } catch let fault as CommandFault {
            #expect(fault.code == "refused")
            #expect(fault.sentence.contains("neither a JPEG nor a PNG"))
        }
    }
}
