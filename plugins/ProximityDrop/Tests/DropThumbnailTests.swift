import PluginKit
import ProximityDropAPI
import Records
import Testing

@testable import ProximityDrop

/// The thumbnail of a photo, which a side sends apart from its card.
@Suite struct DropThumbnailTests {
    private static let thumbnail: [UInt8] = [0xFF, 0xD8, 1, 2, 3]

    /// A pair in which both sides have pressed; the first one has a photo.
    private func pressed(
        seed: UInt64 = 1, areReading: Bool = true, share: Bool = true,
        _ weather: (lost: Int, repeated: Int, late: Int) = (0, 0, 0)
    ) throws -> Pair {
        var pair = Pair(seed: seed)
        pair.weather = weather
        pair.thumbnails[0] = Self.thumbnail
        pair.areReading = areReading
        try pair.press(0, share: share)
        try pair.press(1)
        return pair
    }

    private func thumbnails(in pair: Pair) -> Int {
        pair.sent.count { if case .thumbnail = $0 { true } else { false } }
    }

    @Test func `the thumbnail arrives with the card and is sent once`() throws {
        var pair = try pressed()
        pair.pass(seconds: 8)
        #expect(pair.phases == [.deciding, .deciding])
        #expect(pair.sides[1].session.theirThumbnail == Self.thumbnail)
        #expect(pair.sides[0].session.theirThumbnail == nil)
        #expect(thumbnails(in: pair) <= 2)
    }

    @Test func `a lost thumbnail is sent again while the two decide`() throws {
        for seed: UInt64 in 1...50 {
            var pair = try pressed(seed: seed, (lost: 50, repeated: 20, late: 30))
            pair.pass(seconds: 60)
            guard pair.sides[1].session.theirCard != nil,
                pair.phases == [.deciding, .deciding]
            else { continue }
            #expect(pair.sides[1].session.theirThumbnail == Self.thumbnail, "seed \(seed)")
        }
    }

    @Test func `a side that does not read thumbnails is sent none, and the drop goes on`() throws {
        var pair = try pressed(areReading: false)
        pair.pass(seconds: 3)
        #expect(thumbnails(in: pair) == 0)
        try pair.accept(0)
        try pair.accept(1)
        pair.pass(seconds: 3)
        #expect(pair.areMates)
    }

    @Test func `receiving only sends no thumbnail`() throws {
        var pair = try pressed(share: false)
        pair.pass(seconds: 3)
        #expect(pair.phases == [.deciding, .deciding])
        #expect(pair.sides[1].session.theirCard?.isEmpty == true)
        #expect(thumbnails(in: pair) == 0)
    }

    @Test func `the first thumbnail counts, and others are only acknowledged`() throws {
        var pair = try pressed()
        pair.pass(seconds: 3)
        let id = try #require(pair.sides[1].session.id)
        pair.receive(.thumbnail(id: id, [9]), on: 1, from: pair.sides[0].me)
        #expect(pair.sides[1].session.theirThumbnail == Self.thumbnail)
    }

    @Test func `a thumbnail of a side that shares nothing, or before its card, is ignored`() throws
    {
        var pair = try pressed(share: false)
        pair.pass(seconds: 3)
        let id = try #require(pair.sides[1].session.id)
        pair.receive(.thumbnail(id: id, [9]), on: 1, from: pair.sides[0].me)
        #expect(pair.sides[1].session.theirThumbnail == nil)
        var early = try pressed()
        let drop = early.sides[1].session.id ?? .zero
        early.receive(.thumbnail(id: drop, [9]), on: 1, from: early.sides[0].me)
        #expect(early.sides[1].session.theirThumbnail == nil)
    }

    @Test func `a thumbnail after the answer of a drop changes nothing`() throws {
        var pair = Pair(seed: 4)
        try pair.press(0)
        try pair.press(1)
        pair.pass(seconds: 2)
        let id = try #require(pair.sides[1].session.id)
        try pair.decline(1)
        pair.receive(.thumbnail(id: id, [9]), on: 1, from: pair.sides[0].me)
        #expect(pair.sides[1].session.theirThumbnail == nil)
        #expect(pair.phases[1] == .declined)
    }
}
