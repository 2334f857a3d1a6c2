import Records
import Testing

@testable import Sync

/// Questions of known devices: only their own ones are preferred, and strangers do not stop them.
struct KnownQuestionsTests {
    private let space = SeekingNetwork.space
    private let photo = SeekingNetwork.blob(9000)
    private let mate = SeekingNetwork.device(1)
    private let stranger = SeekingNetwork.device(2)
    private let neighbour = SeekingNetwork.device(3)

    /// A side that is linked with a mate and two strangers.
    private func linked() -> ContentSeeking {
        var seeking = ContentSeeking()
        seeking.recordKnown([mate])
        for device in [mate, stranger, neighbour] {
            _ = seeking.linkBegan(device, in: space, now: .zero)
        }
        return seeking
    }

    /// Lets a device ask for a blob that records here name.
    private func ask(
        _ blob: Blob, by device: DeviceID, hops: Int, at now: Duration = .zero,
        in seeking: inout ContentSeeking
    ) -> [ContentSeeking.Effect] {
        let sought = SoughtBlob(hash: blob.hash, bytesCount: blob.bytesCount)
        return seeking.answer(
            [(sought, .missing(blob))], hops: hops, in: space, to: device,
            after: seeking.arrivalsCount, now: now)
    }

    /// The hops with which a device is asked.
    private func hops(_ effects: [ContentSeeking.Effect], asked device: DeviceID) -> [Int] {
        effects.compactMap { effect in
            guard case .ask(device, _, let hops, _) = effect else { return nil }
            return hops
        }
    }

    private func asked(
        _ effects: [ContentSeeking.Effect], of device: DeviceID
    ) -> Set<BlobHash> {
        effects.reduce(into: []) { hashes, effect in
            guard case .ask(device, _, _, let blobs) = effect else { return }
            hashes.formUnion(blobs.map(\.hash))
        }
    }

    @Test func `what a mate's device asks for has priority only if its own person opened it`() {
        var seeking = linked()
        let wanted = SeekingNetwork.wanted(photo)
        for hops in [6, 0] {
            _ = ask(photo, by: mate, hops: hops, in: &seeking)
            #expect(seeking.isSought(wanted) && seeking.priority(of: wanted) == .other)
        }
        _ = ask(photo, by: stranger, hops: 7, in: &seeking)
        #expect(seeking.priority(of: wanted) == .other)
        _ = ask(photo, by: mate, hops: 7, in: &seeking)
        #expect(seeking.priority(of: wanted) == .known)
        seeking.linkEnded(mate)
        #expect(seeking.priority(of: wanted) == .other)
        _ = seeking.seek([wanted], now: .zero)
        #expect(seeking.priority(of: wanted) == .own)
    }

    @Test func `a mate's question that waits has priority when the content is looked for`() {
        for (hops, priority) in [(7, ContentFetching.Priority.known), (0, .other)] {
            var seeking = linked()
            // The minute's allowance is used up.
            for number in 0..<30 {
                _ = ask(SeekingNetwork.blob(number), by: mate, hops: 7, in: &seeking)
            }
            _ = ask(photo, by: mate, hops: hops, in: &seeking)
            let wanted = SeekingNetwork.wanted(photo)
            #expect(!seeking.isSought(wanted))
            _ = seeking.seek(withRecord: [wanted], now: .zero)
            #expect(seeking.priority(of: wanted) == priority)
        }
    }

    @Test func `a stranger who asks first does not keep a mate's question from going farther`() {
        var seeking = linked()
        #expect(hops(ask(photo, by: stranger, hops: 1, in: &seeking), asked: neighbour) == [0])
        let late = SeekingLimits.passedOnTime - .seconds(1)
        let effects = ask(photo, by: mate, hops: 7, at: late, in: &seeking)
        #expect(hops(effects, asked: neighbour) == [6])
        // Who asks for it lacks it.
        #expect(hops(effects, asked: stranger).isEmpty)
        #expect(hops(effects, asked: mate).isEmpty)
        // Once: neither of them has it asked for again.
        for device in [stranger, mate] {
            #expect(ask(photo, by: device, hops: 7, at: late, in: &seeking).isEmpty)
        }
        // The mate's question has its own time.
        let end = late + SeekingLimits.passedOnTime
        _ = seeking.advance(now: end - .seconds(1))
        #expect(seeking.isSought(SeekingNetwork.wanted(photo)))
        _ = seeking.advance(now: end)
        #expect(!seeking.isSought(SeekingNetwork.wanted(photo)))
    }

    @Test func `a mate's question is passed on right after a stranger's has ended`() {
        var seeking = linked()
        _ = ask(photo, by: stranger, hops: 1, in: &seeking)
        let end = SeekingLimits.passedOnTime
        _ = seeking.advance(now: end)
        let strangers = ask(photo, by: stranger, hops: 7, at: end, in: &seeking)
        #expect(hops(strangers, asked: neighbour).isEmpty)
        let mates = ask(photo, by: mate, hops: 7, at: end, in: &seeking)
        #expect(hops(mates, asked: neighbour) == [6])
    }

    @Test func `a mate's own question goes farther than one that the mate passed on`() {
        var seeking = linked()
        let asked = [3, 5, 7, 7].map { hops in
            self.hops(ask(photo, by: mate, hops: hops, in: &seeking), asked: neighbour)
        }
        #expect(asked == [[2], [], [6], []])
    }

    @Test func `a stranger's question does not go farther than another stranger's before it`() {
        var seeking = linked()
        _ = ask(photo, by: stranger, hops: 1, in: &seeking)
        #expect(ask(photo, by: neighbour, hops: 7, in: &seeking).isEmpty)
    }

    @Test func `what gains priority while it waits for a link is asked for first`() {
        var seeking = linked()
        let met = SeekingNetwork.device(4)
        _ = seeking.linkBegan(met, in: space, now: .zero)
        let blobs = (0..<2000).map { SeekingNetwork.blob($0) }
        _ = seeking.seek(withRecord: blobs.map(SeekingNetwork.wanted), now: .zero)
        // One by a person met, one that a mate opens, one that somebody opens who is met later.
        _ = seeking.seek(
            withRecord: [SeekingNetwork.wanted(blobs[1997])], ofKnown: true, now: .zero)
        for (device, blob) in [(mate, blobs[1998]), (met, blobs[1999])] {
            // Two large ones use up the minute's bytes, so the question goes no farther.
            let number = device == mate ? 3000 : 3002
            for number in number...number + 1 {
                let large = SeekingNetwork.blob(number, bytes: Limits.blobBytesMax)
                _ = ask(large, by: device, hops: 7, in: &seeking)
            }
            _ = ask(blob, by: device, hops: 7, in: &seeking)
        }
        seeking.recordKnown([mate, met])
        let next = asked(seeking.advance(now: .seconds(1)), of: neighbour)
        #expect(next.isSuperset(of: blobs[1997...].map(\.hash)))
        #expect(next.count < 20)
    }

    @Test func `a stranger's record with another media type gives way to a mate's`() throws {
        var seeking = linked()
        let other = try #require(
            Blob(hash: photo.hash, bytesCount: photo.bytesCount, kind: "image/png"))
        let (strangers, mates) = (SeekingNetwork.wanted(other), SeekingNetwork.wanted(photo))
        _ = seeking.seek(withRecord: [strangers], now: .zero)
        _ = ask(other, by: stranger, hops: 0, in: &seeking)
        let effects = seeking.seek(withRecord: [mates], ofKnown: true, now: .zero)
        #expect(effects.contains(.giveUp(strangers)))
        #expect(seeking.isSought(mates))
        _ = seeking.seek(withRecord: [strangers], now: .zero)
        #expect(seeking.isSought(mates))
        // Who asked for the former is told, as the bytes are the same.
        #expect(seeking.arrived(mates, now: .zero) == [.tell(stranger, space, [photo.hash])])
    }

    @Test func `what peers asked for is not looked for by this side beyond its 2048 blobs`() {
        var seeking = linked()
        _ = ask(photo, by: stranger, hops: 7, in: &seeking)
        let opened = (0..<SeekingLimits.ownMax).map {
            SeekingNetwork.wanted(SeekingNetwork.blob($0))
        }
        _ = seeking.seek(opened, now: .zero)
        _ = seeking.seek([SeekingNetwork.wanted(photo)], now: .zero)
        #expect(seeking.isBounded)
        #expect(seeking.isSought(SeekingNetwork.wanted(photo)))
        #expect(seeking.priority(of: SeekingNetwork.wanted(photo)) == .other)
    }
}
