import GtkKit
import PanelKit
import Synchronization
import Testing

@MainActor
struct WindowPhotosTests {
    private final class Decoder: Sendable {
        let calls = Mutex<[Int]>([])

        @MainActor func photos(_ fault: PhotoFault? = nil, pixels: Int = 4) -> WindowPhotos {
            WindowPhotos { [self] _, sideMax in
                calls.withLock { $0.append(sideMax) }
                await Task.yield()
                if let fault { return .failure(fault) }
                let rgb = [UInt8](repeating: 7, count: pixels * pixels * 3)
                return .success(
                    PhotoPixels(size: PhotoSize(width: pixels, height: pixels), rgb: rgb))
            }
        }

        var callsCount: Int { calls.withLock(\.count) }
    }

    private let key = WindowPhotos.Key("a", sideMax: 100)

    @Test func `a photo that several ask for is decoded once and kept`() async throws {
        let decoder = Decoder()
        let photos = decoder.photos()
        #expect(photos.kept(key) == nil)
        async let one = photos.picture(key, of: .bytes([1]))
        async let other = photos.picture(key, of: .bytes([1]))
        #expect(try await one === other)
        #expect(photos.kept(key) === (try await photos.picture(key, of: .bytes([1]))))
        #expect(decoder.callsCount == 1)
        _ = try await photos.picture(.init("a", sideMax: 50), of: .bytes([1]))
        #expect(decoder.calls.withLock { $0 } == [100, 50])
    }

    @Test func `a refused photo is not decoded again, a busy worker is asked again`() async {
        let decoder = Decoder()
        for (fault, callsCount) in [(PhotoFault.refused(.damaged), 1), (.busy, 3)] {
            let photos = decoder.photos(fault)
            for _ in 0..<2 {
                await #expect(throws: fault) {
                    try await photos.picture(key, of: .bytes([1]))
                }
            }
            #expect(decoder.callsCount == callsCount)
            #expect(photos.kept(key) == nil)
        }
    }

    @Test func `a large picture is not kept`() async throws {
        let photos = Decoder().photos(pixels: 513)
        let picture = try await photos.picture(key, of: .bytes([1]))
        #expect(picture.bytesCount > 1024 * 1024)
        #expect(photos.kept(key) == nil)
    }
}
