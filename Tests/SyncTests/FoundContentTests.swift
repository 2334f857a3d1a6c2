import Records
import Testing

@testable import Sync

/// Content of open spaces between the question for it and its arrival.
struct FoundContentTests {
    private let photo = SeekingNetwork.blob(1)

    @Test func `wrong lengths of a hash do not keep the right one from being looked for`() {
        var seeking = ContentSeeking()
        let (space, peer) = (SeekingNetwork.space, SeekingNetwork.device(1))
        _ = seeking.linkBegan(peer, in: space, now: .zero)
        let wrong = [998, 999].map { SeekingNetwork.wanted(SeekingNetwork.blob(1, bytes: $0)) }
        let right = SeekingNetwork.wanted(photo)
        let effects = seeking.seek(withRecord: wrong + [right], now: .zero)
        let questions = effects.compactMap { effect -> [SoughtBlob]? in
            if case .ask(_, _, _, let blobs) = effect { blobs } else { nil }
        }
        // A message names one length of a hash.
        #expect(questions.allSatisfy { $0.count == 1 })
        #expect(Set(questions.joined().map(\.bytesCount)) == [998, 999, 1000])
        let found = Found(channel: 0, hashes: [photo.hash])
        #expect(
            Set(seeking.receive(found, in: space, from: peer, now: .zero))
                == Set((wrong + [right]).map { .fetch($0) }))
        var late = seeking
        #expect(
            Set(seeking.arrived(right, now: .zero)) == Set(wrong.map { .giveUp($0) }))
        #expect(seeking.soughtCount == 0)
        // What is given up is each length for itself.
        let end = late.advance(now: SeekingLimits.ownTime)
        #expect(Set(end).isSuperset(of: (wrong + [right]).map { .settle($0) }))
    }

    @Test func `content that arrives between a look and its answer is looked up again`() {
        var seeking = ContentSeeking()
        let (space, peer) = (SeekingNetwork.space, SeekingNetwork.device(1))
        _ = seeking.linkBegan(peer, in: space, now: .zero)
        let sought = SoughtBlob(hash: photo.hash, bytesCount: photo.bytesCount)
        let seek = Seek(channel: 0, hops: 7, blobs: [sought])
        let lookUp: ContentSeeking.Effect = .lookUp(peer, space, hops: 7, seek.blobs)
        #expect(seeking.receive(seek, in: space, from: peer, now: .zero) == [lookUp])
        let before = seeking.arrivalsCount
        _ = seeking.arrived(SeekingNetwork.wanted(photo), now: .zero)
        #expect(
            seeking.answer(
                [(sought, .missing(photo))], hops: 7, in: space, to: peer, after: before,
                now: .zero) == [lookUp])
        #expect(seeking.soughtCount == 0)
        #expect(
            seeking.answer(
                [(sought, .isHere)], hops: 7, in: space, to: peer, after: before,
                now: .zero) == [.tell(peer, space, [photo.hash])])
    }

    @Test func `content whose fetch was dropped is fetched when a peer says again that it has it`()
    {
        var seeking = ContentSeeking()
        let (space, peer) = (SeekingNetwork.space, SeekingNetwork.device(1))
        _ = seeking.linkBegan(peer, in: space, now: .zero)
        let wanted = SeekingNetwork.wanted(photo)
        _ = seeking.seek([wanted], now: .zero)
        #expect(seeking.priority(of: wanted) == .own)
        let found = Found(channel: 0, hashes: [photo.hash])
        #expect(seeking.receive(found, in: space, from: peer, now: .zero) == [.fetch(wanted)])
        #expect(seeking.receive(found, in: space, from: peer, now: .zero).isEmpty)
        seeking.forgetFinders(of: wanted)
        // The peer is asked again too.
        let again = seeking.advance(now: SeekingLimits.repeatPauseMin)
        #expect(
            again.contains { if case .ask(peer, _, _, _) = $0 { true } else { false } })
        #expect(seeking.receive(found, in: space, from: peer, now: .zero) == [.fetch(wanted)])
    }
}
