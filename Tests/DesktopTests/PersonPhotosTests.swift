import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit
import PanelTestSupport
import Synchronization
import Testing

@testable import Desktop

/// The small photos of people, for avatars and the map.
@MainActor
struct PersonPhotosTests {
    private final class Decoder: Sendable {
        let counts = Mutex((calls: 0, now: 0, most: 0))

        @MainActor func photos(_ fault: PhotoFault? = nil) -> WindowPhotos {
            WindowPhotos { [self] _, _ in
                counts.withLock { $0 = ($0.0 + 1, $0.1 + 1, max($0.2, $0.1 + 1)) }
                for _ in 0..<20 { await Task.yield() }
                counts.withLock { $0.1 -= 1 }
                if let fault { return .failure(fault) }
                return .success(
                    PhotoPixels(
                        size: PhotoSize(width: 2, height: 2), rgb: [UInt8](repeating: 7, count: 12))
                )
            }
        }
    }

    private let node = FakeNode()
    private let people = People()
    private let decoder = Decoder()

    init() {
        answer(with: [0xFF, 0xD8])
    }

    private func answer(with thumbnail: [UInt8]?) {
        node.answer(
            MateCommands.photo,
            with: PersonPhoto(
                atMs: .example, here: false, thumbnail: thumbnail.flatMap { ThumbnailDigits($0) }))
    }

    private func show(_ count: Int, at time: Int64 = 1) {
        let digits = Array("0123456789abcdef")
        people.mates = (0..<count).map { number in
            MateList.Mate(
                person: key(digits[number]), suffix: KeySuffix(key(digits[number])), state: .mate,
                profile: ProfileFields(nickname: "Mina"), photoMs: Timestamp(milliseconds: time),
                present: false)
        }
    }

    private func photos(_ fault: PhotoFault? = nil) -> PersonPhotos {
        PersonPhotos(node: node, people: people, photos: decoder.photos(fault))
    }

    @Test func `a person without a photo costs nothing`() {
        #expect(photos().picture(of: key("a")) {} == nil)
        #expect(node.drainQueries() == [])
    }

    @Test func `a photo arrives once, is kept, and is asked again when it changes`() async {
        show(1)
        let photos = photos()
        var arrived = 0
        for _ in 0..<3 { #expect(photos.picture(of: key("0")) { arrived += 1 } == nil) }
        await wait { arrived == 3 }
        #expect(arrived == 3 && node.drainQueries().count == 1)
        #expect(photos.picture(of: key("0")) { arrived += 1 } != nil)
        show(1, at: 2)
        #expect(photos.picture(of: key("0")) { arrived += 1 } == nil)
        await wait { arrived == 4 }
        #expect(decoder.counts.withLock { $0.calls } == 2)
    }

    @Test func `of many photos two are read at once, and all arrive`() async {
        show(16)
        let photos = photos()
        var arrived = 0
        for mate in people.mates { _ = photos.picture(of: mate.person) { arrived += 1 } }
        await wait { arrived == 16 }
        #expect(arrived == 16 && decoder.counts.withLock { $0.most } <= 2)
    }

    @Test(arguments: [nil, [0xFF]] as [[UInt8]?])
    func `a photo without a thumbnail, or one that is refused, is asked once`(
        thumbnail: [UInt8]?
    ) async {
        show(1)
        answer(with: thumbnail)
        let photos = photos(.refused(.damaged))
        for _ in 0..<3 {
            #expect(photos.picture(of: key("0")) { Issue.record("it arrived") } == nil)
            for _ in 0..<200 { await Task.yield() }
        }
        #expect(node.drainQueries().count == 1)
    }

    @Test func `a node that does not answer is asked again by what is shown next`() async {
        show(1)
        let photos = photos()
        node.isRunning = false
        _ = photos.picture(of: key("0")) {}
        for _ in 0..<200 { await Task.yield() }
        node.isRunning = true
        var arrived = 0
        _ = photos.picture(of: key("0")) { arrived += 1 }
        await wait { arrived == 1 }
        #expect(arrived == 1)
    }
}
