import Records
import Testing

@testable import Sync

/// Mates and people met come before strangers: their wishes, their records and their devices.
struct KnownSeekingTests {
    private let photo = SeekingNetwork.blob(9000)

    private func blobs(_ numbers: Range<Int>) -> [Blob] { numbers.map { SeekingNetwork.blob($0) } }

    /// The content for which a device is asked, in order.
    private func asked(_ effects: [ContentSeeking.Effect], of device: DeviceID) -> [BlobHash] {
        effects.flatMap { effect -> [BlobHash] in
            guard case .ask(device, _, _, let blobs) = effect else { return [] }
            return blobs.map(\.hash)
        }
    }

    @Test func `what this person and known people want has priority over strangers' wishes`() {
        var seeking = ContentSeeking()
        let (mate, stranger) = (SeekingNetwork.device(1), SeekingNetwork.device(2))
        seeking.recordKnown([mate])
        for device in [mate, stranger, SeekingNetwork.device(3)] {
            _ = seeking.linkBegan(device, in: SeekingNetwork.space, now: .zero)
        }
        let wanted = (0..<5).map { SeekingNetwork.wanted(SeekingNetwork.blob($0)) }
        _ = seeking.seek([wanted[0]], now: .zero)
        _ = seeking.seek(withRecord: [wanted[1]], ofKnown: true, now: .zero)
        _ = seeking.seek(withRecord: [wanted[2]], now: .zero)
        for (device, blob) in [(mate, wanted[3].blob), (stranger, wanted[4].blob)] {
            _ = seeking.answer(
                [(SoughtBlob(hash: blob.hash, bytesCount: 1000), .missing(blob))], hops: 7,
                in: SeekingNetwork.space, to: device, after: 0, now: .zero)
        }
        #expect(
            wanted.map(seeking.priority(of:)) == [.own, .known, .other, .known, .other])
        // A thumbnail whose author this person met meanwhile, and one that a mate asks for.
        _ = seeking.seek(withRecord: [wanted[2]], ofKnown: true, now: .zero)
        let last = wanted[4].blob
        _ = seeking.answer(
            [(SoughtBlob(hash: last.hash, bytesCount: 1000), .missing(last))], hops: 7,
            in: SeekingNetwork.space, to: mate, after: 0, now: .zero)
        #expect(wanted.allSatisfy { seeking.priority(of: $0) > .other })
    }

    @Test func `mates' thumbnails and opened photos do not wait behind strangers' thumbnails`() {
        var seeking = ContentSeeking()
        let peer = SeekingNetwork.device(1)
        _ = seeking.linkBegan(peer, in: SeekingNetwork.space, now: .zero)
        _ = seeking.seek(withRecord: blobs(0..<2000).map(SeekingNetwork.wanted), now: .zero)
        let (opened, mates) = (SeekingNetwork.blob(5000), SeekingNetwork.blob(5001))
        // It waits with the others until somebody opens it.
        let behind = SeekingNetwork.blob(1999)
        _ = seeking.seek(withRecord: [SeekingNetwork.wanted(mates)], ofKnown: true, now: .zero)
        _ = seeking.seek([opened, behind].map(SeekingNetwork.wanted), now: .zero)
        let next = asked(seeking.advance(now: .seconds(1)), of: peer)
        #expect(next.count >= 3 && next.count < 20)
        #expect(Set(next).isSuperset(of: [opened, mates, behind].map(\.hash)))
        // It waits in both queues, and is asked for at its turn in one of them. Within these 300 s
        // it is asked for twice again, about one and three minutes after the first question.
        let rest = (2...300).flatMap { asked(seeking.advance(now: .seconds($0)), of: peer) }
        #expect(rest.count { $0 == behind.hash } == 2)
    }

    @Test func `at 2048 blobs mates' thumbnails displace strangers' and no others`() {
        var network = SeekingNetwork(row: 2)
        network.seek(blobs(0..<SeekingLimits.ownMax), at: 0, withRecord: true)
        #expect(network.members[0].seeking.soughtCount == SeekingLimits.ownMax)
        network.seek([photo], at: 0, withRecord: true)
        #expect(!network.members[0].seeking.isSought(SeekingNetwork.wanted(photo)))
        let mates = blobs(5000..<5000 + SeekingLimits.ownMax).map(SeekingNetwork.wanted)
        let now = network.now
        _ = network.members[0].seeking.seek(withRecord: mates, ofKnown: true, now: now)
        #expect(mates.allSatisfy { network.members[0].seeking.isSought($0) })
        #expect(network.members[0].seeking.soughtCount == SeekingLimits.ownMax)
        let wanted = SeekingNetwork.wanted(photo)
        _ = network.members[0].seeking.seek(withRecord: [wanted], ofKnown: true, now: now)
        #expect(!network.members[0].seeking.isSought(wanted))
        _ = network.members[0].seeking.seek([wanted], now: now)
        #expect(network.members[0].seeking.isSought(wanted))
        #expect(network.members[0].seeking.isBounded)
    }

    @Test func `what waits for a link stays bounded while other content is looked for`() {
        var seeking = ContentSeeking()
        let peer = SeekingNetwork.device(1)
        _ = seeking.linkBegan(peer, in: SeekingNetwork.space, now: .zero)
        for round in 0..<5 {
            let some = blobs(round * 2000..<(round + 1) * 2000).map(SeekingNetwork.wanted)
            _ = seeking.seek(withRecord: some, now: .zero)
            for wanted in some { seeking.remove(wanted) }
            #expect(seeking.isBounded)
        }
    }

    @Test func `known people's questions are passed on when strangers' have their part`() {
        var network = SeekingNetwork(6, linked: (1..<6).map { (0, $0) })
        network.members[0].seeking.recordKnown([SeekingNetwork.device(5)])
        for number in 0..<500 { network.name(SeekingNetwork.blob(number)) }
        for peer in 1...5 {
            let some = blobs(peer * 50..<peer * 50 + 30).map {
                SoughtBlob(hash: $0.hash, bytesCount: $0.bytesCount)
            }
            network.send(Seek(channel: 0, hops: 3, blobs: some), from: peer, to: 0)
            let most = min(peer, 3) * SeekingLimits.passedOnPerLinkMax
            #expect(
                network.members[0].seeking.soughtCount
                    == (peer == 5 ? SeekingLimits.passedOnMax : most))
        }
    }

    @Test func `strangers' questions leave room in what is remembered`() {
        var seeking = ContentSeeking()
        let (mate, stranger) = (SeekingNetwork.device(1), SeekingNetwork.device(2))
        seeking.recordKnown([mate])
        for device in [mate, stranger] {
            _ = seeking.linkBegan(device, in: SeekingNetwork.space, now: .zero)
        }
        for (device, numbers) in [(stranger, 0..<3000), (mate, 3000..<6000)] {
            let found = blobs(numbers).map {
                (SoughtBlob(hash: $0.hash, bytesCount: $0.bytesCount), SoughtContent.missing($0))
            }
            _ = seeking.answer(
                found.map { (blob: $0.0, content: $0.1) }, hops: 0, in: SeekingNetwork.space,
                to: device, after: 0, now: .zero)
            let part = SeekingLimits.askersMax / 4
            #expect(seeking.askersCount == (device == mate ? 4 * part : 3 * part))
        }
    }

    @Test func `a mate who has the content is asked before strangers`() {
        var seeking = ContentSeeking()
        let devices = (1...3).map(SeekingNetwork.device)
        let wanted = SeekingNetwork.wanted(photo)
        for device in devices {
            _ = seeking.linkBegan(device, in: SeekingNetwork.space, now: .zero)
        }
        _ = seeking.seek([wanted], now: .zero)
        for device in devices {
            _ = seeking.receive(
                Found(channel: 0, hashes: [photo.hash]), in: SeekingNetwork.space, from: device,
                now: .zero)
        }
        #expect(seeking.finders(of: wanted, now: .zero) == devices)
        seeking.recordKnown([devices[2]])
        #expect(seeking.finders(of: wanted, now: .zero) == [devices[2], devices[0], devices[1]])
    }

    @Test func `a mate who was silent too often is asked last, and a stranger is not asked`() {
        var seeking = ContentSeeking()
        let (mate, other, stranger) = (
            SeekingNetwork.device(1), SeekingNetwork.device(2), SeekingNetwork.device(3)
        )
        seeking.recordKnown([mate])
        for device in [mate, other, stranger] {
            _ = seeking.linkBegan(device, in: SeekingNetwork.space, now: .zero)
        }
        let wanted = SeekingNetwork.wanted(photo)
        _ = seeking.seek([wanted], now: .zero)
        for device in [mate, other, stranger] {
            _ = seeking.receive(
                Found(channel: 0, hashes: [photo.hash]), in: SeekingNetwork.space, from: device,
                now: .zero)
        }
        let strangers = [other, stranger].sorted()
        #expect(seeking.finders(of: wanted, now: .zero) == [mate] + strangers)
        for _ in 0..<SeekingLimits.silencesMax {
            for device in [mate, stranger] { seeking.recordSilence(of: device, now: .zero) }
        }
        #expect(seeking.finders(of: wanted, now: .zero) == [other, mate])
        let later = seeking.finders(of: wanted, now: SeekingLimits.mutedTime)
        #expect(later.first == mate && later.count == 3)
    }
    @Test func `content that arrives ends the row of silences`() {
        let (stranger, wanted) = (SeekingNetwork.device(1), SeekingNetwork.wanted(photo))
        for hasContent in [true, false] {
            var seeking = ContentSeeking()
            _ = seeking.linkBegan(stranger, in: SeekingNetwork.space, now: .zero)
            _ = seeking.seek([wanted], now: .zero)
            _ = seeking.receive(
                Found(channel: 0, hashes: [photo.hash]), in: SeekingNetwork.space, from: stranger,
                now: .zero)
            for number in 1...SeekingLimits.silencesMax {
                seeking.recordSilence(of: stranger, now: .zero)
                if hasContent, number == 2 { seeking.recordContent(from: stranger) }
            }
            #expect(seeking.finders(of: wanted, now: .zero) == (hasContent ? [stranger] : []))
        }
    }
}
