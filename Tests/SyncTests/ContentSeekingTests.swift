import Records
import Testing

@testable import Sync

/// Looking for content of open spaces: how far, how often, and what a peer can make others do.
struct ContentSeekingTests {
    private let photo = SeekingNetwork.blob(1)

    private func has(_ network: SeekingNetwork, _ node: Int) -> Bool {
        network.members[node].here.contains(photo.hash)
    }

    @Test func `a photo comes over eight links, and not over nine`() {
        for (distance, isFound) in [(1, true), (4, true), (8, true), (9, false)] {
            var network = SeekingNetwork(row: distance + 1)
            network.name(photo)
            network.give(photo, to: distance)
            network.seek([photo], at: 0)
            #expect(has(network, 0) == isFound, "\(distance) links")
            // Those between have it too.
            if isFound { #expect((0...distance).allSatisfy { has(network, $0) }) }
        }
    }

    @Test func `who keeps no record passes nothing on and says nothing`() {
        var network = SeekingNetwork(row: 3)
        network.name(photo)
        network.members[1].named = []
        network.give(photo, to: 2)
        network.seek([photo], at: 0)
        #expect(!has(network, 0) && !has(network, 1))
        #expect(network.questions == [[0, 1]: 1])
        // A question for a hash that nobody knows looks the same.
        network.seek([SeekingNetwork.blob(2)], at: 0)
        #expect(network.questions == [[0, 1]: 2])
    }

    @Test func `in a loop each link is asked once in each direction at most`() {
        var network = SeekingNetwork(4, linked: [(0, 1), (1, 2), (2, 3), (3, 0)])
        network.name(photo)
        network.seek([photo], at: 0)
        #expect(network.questions.values.allSatisfy { $0 == 1 })
        let passedOn = network.questions.filter { $0.key[0] != 0 }
        // One passes it on to the last node, which passes it on to the other.
        #expect(passedOn.count <= 4)
        #expect(network.questions[[1, 0]] == nil && network.questions[[3, 0]] == nil)
        network.pass(.seconds(40))
        #expect(network.questions.values.allSatisfy { $0 == 1 })
    }

    @Test func `in a full mesh each node asks each other one once`() {
        var network = SeekingNetwork(
            8, linked: (0..<8).flatMap { one in (one + 1..<8).map { (one, $0) } })
        network.name(photo)
        network.seek([photo], at: 0)
        #expect(network.questions.values.allSatisfy { $0 == 1 })
        #expect(network.questions.count <= 7 * 7)
        network.give(photo, to: 5)
        #expect((0..<8).allSatisfy { has(network, $0) })
    }

    @Test func `a thumbnail follows its record from link to link, and no question goes further`() {
        var network = SeekingNetwork(row: 5)
        network.name(photo)
        // The last ones ask before the first ones look for it themselves.
        for node in 0..<5 { network.seek([photo], at: node, withRecord: true) }
        #expect(network.questions.values.allSatisfy { $0 == 1 })
        network.give(photo, to: 4)
        #expect((0..<5).allSatisfy { has(network, $0) })
        var far = SeekingNetwork(row: 3)
        far.name(photo)
        far.give(photo, to: 2)
        far.seek([photo], at: 0, withRecord: true)
        #expect(far.questions == [[0, 1]: 1])
    }

    @Test func `content that is to come with its record is asked for afar when somebody opens it`()
    {
        var network = SeekingNetwork(row: 4)
        network.name(photo)
        for node in 0..<2 { network.seek([photo], at: node, withRecord: true) }
        network.give(photo, to: 3)
        #expect(!has(network, 0))
        network.seek([photo], at: 0)
        #expect(has(network, 0))
        network.seek([photo], at: 0)
        #expect(network.questions[[0, 1]] == 3)
    }

    @Test func `the links are asked again after a minute, then later, and new links at once`() {
        var network = SeekingNetwork(3, linked: [(0, 1)])
        network.name(photo)
        network.seek([photo], at: 0)
        network.pass(.seconds(59))
        #expect(network.questions[[0, 1]] == 1)
        network.pass(.seconds(1))
        #expect(network.questions[[0, 1]] == 2)
        network.pass(.seconds(119))
        #expect(network.questions[[0, 1]] == 2)
        network.pass(.seconds(1))
        #expect(network.questions[[0, 1]] == 3)
        network.members[2].here = [photo.hash]
        network.link(0, 2)
        network.seek([], at: 0)
        #expect(has(network, 0))
    }

    @Test func `who asks a neighbour that does not look for it yet is told when it arrives`() {
        var network = SeekingNetwork(row: 2)
        network.name(photo)
        network.seek([photo], at: 0, withRecord: true)
        #expect(network.members[1].seeking.soughtCount == 0)
        network.give(photo, to: 1)
        #expect(has(network, 0))
        // Not for ever, and not for what no record names.
        let (late, unnamed) = (SeekingNetwork.blob(2), SeekingNetwork.blob(3))
        network.name(late)
        network.seek([late, unnamed], at: 0, withRecord: true)
        network.give(unnamed, to: 1)
        #expect(!network.members[0].here.contains(unnamed.hash))
        network.pass(SeekingLimits.askerMemory)
        network.unlink(0, 1)
        network.give(late, to: 1)
        #expect(!network.members[0].here.contains(late.hash))
    }

    @Test func `strangers that asked are remembered for 1536 blobs`() {
        var network = SeekingNetwork(4, linked: [(0, 1), (0, 2), (0, 3)])
        let blobs = (0..<3000).map { SeekingNetwork.blob($0) }
        for blob in blobs { network.members[0].named.insert(blob) }
        for peer in 1...3 {
            for start in stride(from: (peer - 1) * 1000, to: peer * 1000, by: 50) {
                network.send(
                    asking(start..<start + 50, hops: 0)[0], from: peer, to: 0)
            }
        }
        #expect(network.members[0].seeking.askersCount == SeekingLimits.askersMax / 4 * 3)
    }

    @Test func `content is given up half an hour after the first question`() {
        var network = SeekingNetwork(2, linked: [])
        network.name(photo)
        network.seek([photo], at: 0, withRecord: true)
        network.pass(.seconds(3600))
        #expect(network.givenUp.isEmpty)
        network.link(0, 1)
        network.pass(SeekingLimits.ownTime - .seconds(1))
        #expect(network.givenUp.isEmpty)
        network.pass(.seconds(1))
        #expect(network.givenUp[0] == [SeekingNetwork.wanted(photo)])
        #expect(network.settled[0] == [SeekingNetwork.wanted(photo)])
        #expect(network.members[0].seeking.soughtCount == 0)
    }

    @Test func `only content whose time with its record is over is not looked for again`() {
        var network = SeekingNetwork(row: 3)
        network.name(photo)
        // The first one opens it, the second one asks for the first one, and both give up.
        network.seek([photo], at: 0)
        network.pass(SeekingLimits.ownTime)
        #expect(network.givenUp[0] == [SeekingNetwork.wanted(photo)])
        #expect(network.givenUp[1]?.contains(SeekingNetwork.wanted(photo)) ?? false)
        #expect(network.settled.isEmpty)
    }

    @Test func `a node stops looking on behalf of others after 45 s, and forgets who asked`() {
        var network = SeekingNetwork(row: 3)
        network.name(photo)
        network.seek([photo], at: 0)
        network.pass(.seconds(44))
        #expect(network.members[1].seeking.soughtCount == 1)
        network.pass(.seconds(1))
        #expect(network.members[1].seeking.soughtCount == 0)
        #expect(network.givenUp[1] == [SeekingNetwork.wanted(photo)])
    }

    // MARK: - Limits

    private func asking(_ blobs: Range<Int>, hops: Int) -> [Seek] {
        stride(from: blobs.lowerBound, to: blobs.upperBound, by: 64).map { start in
            let some = start..<min(start + 64, blobs.upperBound)
            return Seek(
                channel: 0, hops: hops,
                blobs: some.map {
                    SoughtBlob(hash: SeekingNetwork.blob($0).hash, bytesCount: 1000)
                })
        }
    }

    @Test func `of 10 000 hashes that a peer asks for, 1200 are looked up a minute`() {
        var seeking = ContentSeeking()
        let peer = SeekingNetwork.device(1)
        _ = seeking.linkBegan(peer, in: SeekingNetwork.space, now: .zero)
        func lookedUp(_ seeking: inout ContentSeeking, at now: Duration) -> Int {
            asking(0..<10_000, hops: 7).reduce(0) { count, seek in
                let effects = seeking.receive(
                    seek, in: SeekingNetwork.space, from: peer, now: now)
                guard case .lookUp(_, _, _, let blobs)? = effects.first else { return count }
                return count + blobs.count
            }
        }
        let first = lookedUp(&seeking, at: .zero)
        #expect((1137...1200).contains(first))
        // A new link changes nothing.
        seeking.linkEnded(peer)
        _ = seeking.linkBegan(peer, in: SeekingNetwork.space, now: .zero)
        #expect(lookedUp(&seeking, at: .zero) <= 1200 - first)
        #expect((1137...1200).contains(lookedUp(&seeking, at: .seconds(60))))
    }

    @Test func `of what a peer asks for, 16 are looked for elsewhere at a time and 30 a minute`() {
        var network = SeekingNetwork(row: 3)
        for number in 0..<500 { network.name(SeekingNetwork.blob(number)) }
        for seek in asking(0..<500, hops: 7) { network.send(seek, from: 0, to: 1) }
        #expect(network.questions[[1, 2]] == 16)
        network.pass(.seconds(46))
        for seek in asking(0..<500, hops: 7) { network.send(seek, from: 0, to: 1) }
        // The first ones were passed on a while ago, others use up the minute's rest.
        #expect((17...53).contains(network.questions[[1, 2]] ?? 0))
        #expect(network.members[1].seeking.soughtCount <= 16)
    }

    @Test func `large content uses up the bytes that are passed on per minute`() {
        var network = SeekingNetwork(row: 3)
        let large = (0..<4).map { SeekingNetwork.blob($0, bytes: 6 << 20) }
        for blob in large { network.name(blob) }
        let blobs = large.map { SoughtBlob(hash: $0.hash, bytesCount: $0.bytesCount) }
        network.send(Seek(channel: 0, hops: 7, blobs: blobs), from: 0, to: 1)
        // A burst of a minute, and one blob beyond it.
        #expect((3...4).contains(network.questions[[1, 2]] ?? 0))
        network.send(
            asking(10..<11, hops: 7)[0], from: 0, to: 1)
        let before = network.questions[[1, 2]]
        network.name(SeekingNetwork.blob(10))
        network.send(asking(10..<11, hops: 7)[0], from: 0, to: 1)
        #expect(network.questions[[1, 2]] == before)
    }

    @Test func `at most 48 blobs are looked for on behalf of strangers, of all links`() {
        var network = SeekingNetwork(8, linked: (1..<8).map { (0, $0) })
        for number in 0..<500 { network.name(SeekingNetwork.blob(number)) }
        for peer in 1..<8 {
            network.send(
                asking(peer * 50..<peer * 50 + 30, hops: 3)[0], from: peer, to: 0)
        }
        #expect(
            network.members[0].seeking.soughtCount == SeekingLimits.passedOnForStrangersMax)
        // What this side wants has room of its own.
        network.seek([photo], at: 0)
        #expect(network.members[0].seeking.isSought(SeekingNetwork.wanted(photo)))
    }

    @Test func `a link is asked for 600 blobs a minute, the rest later`() {
        var network = SeekingNetwork(row: 2)
        network.seek((0..<2000).map { SeekingNetwork.blob($0) }, at: 0, withRecord: true)
        #expect((600...601).contains(network.questions[[0, 1]] ?? 0))
        network.pass(.seconds(30))
        #expect((890...910).contains(network.questions[[0, 1]] ?? 0))
    }

    @Test func `at most 2048 blobs are looked for, and what somebody opens comes first`() {
        var network = SeekingNetwork(row: 2)
        network.seek((0..<3000).map { SeekingNetwork.blob($0) }, at: 0, withRecord: true)
        #expect(network.members[0].seeking.soughtCount == SeekingLimits.ownMax)
        let opened = SeekingNetwork.blob(5000)
        network.seek([opened], at: 0)
        #expect(network.members[0].seeking.isSought(SeekingNetwork.wanted(opened)))
        #expect(network.members[0].seeking.soughtCount == SeekingLimits.ownMax)
        #expect(network.givenUp[0]?.count == 1)
    }

    // MARK: - Lies

    @Test func `a peer that says it has content and sends none is not asked after three times`() {
        var network = SeekingNetwork(3, linked: [(0, 1), (0, 2)])
        network.members[1].isSilent = true
        for number in 0..<3 { network.seek([SeekingNetwork.blob(number)], at: 0) }
        let next = SeekingNetwork.blob(3)
        network.seek([next], at: 0)
        let wanted = SeekingNetwork.wanted(next)
        #expect(network.members[0].seeking.finders(of: wanted, now: network.now).isEmpty)
        network.give(next, to: 2)
        network.pass(.seconds(60))
        #expect(network.members[0].here.contains(next.hash))
        // A new link changes nothing.
        network.unlink(0, 1)
        network.link(0, 1)
        let again = SeekingNetwork.blob(4)
        network.seek([again], at: 0)
        #expect(
            network.members[0].seeking.finders(
                of: SeekingNetwork.wanted(again), now: network.now
            ).isEmpty)
        let later = network.now + SeekingLimits.mutedTime
        let first = SeekingNetwork.wanted(SeekingNetwork.blob(0))
        #expect(
            network.members[0].seeking.finders(of: first, now: later)
                == [SeekingNetwork.device(1)])
    }

    @Test func `an answer to no question has no effect`() {
        var seeking = ContentSeeking()
        let (one, two) = (SeekingNetwork.device(1), SeekingNetwork.device(2))
        _ = seeking.linkBegan(one, in: SeekingNetwork.space, now: .zero)
        let found = Found(channel: 0, hashes: [photo.hash])
        #expect(
            seeking.receive(found, in: SeekingNetwork.space, from: one, now: .zero).isEmpty)
        _ = seeking.seek([SeekingNetwork.wanted(photo)], now: .zero)
        // The second device was never asked.
        #expect(
            seeking.receive(found, in: SeekingNetwork.space, from: two, now: .zero).isEmpty)
        let other = SpaceDescriptor.open(name: "other").id
        #expect(seeking.receive(found, in: other, from: one, now: .zero).isEmpty)
        #expect(
            seeking.receive(found, in: SeekingNetwork.space, from: one, now: .zero)
                == [.fetch(SeekingNetwork.wanted(photo))])
    }

    @Test func `a peer that has not named the space is neither asked nor answered`() {
        var seeking = ContentSeeking()
        let peer = SeekingNetwork.device(1)
        let other = SpaceDescriptor.open(name: "other").id
        _ = seeking.linkBegan(peer, in: other, now: .zero)
        #expect(seeking.seek([SeekingNetwork.wanted(photo)], now: .zero).isEmpty)
        #expect(
            seeking.receive(
                asking(1..<2, hops: 7)[0], in: SeekingNetwork.space, from: peer, now: .zero
            ).isEmpty)
    }

    @Test func `leaving a space ends everything that was looked for there`() {
        var network = SeekingNetwork(row: 3)
        network.name(photo)
        network.seek([photo], at: 0)
        for node in 0..<2 {
            #expect(
                network.members[node].seeking.left(SeekingNetwork.space)
                    == [.giveUp(SeekingNetwork.wanted(photo))])
            #expect(network.members[node].seeking.soughtCount == 0)
        }
    }
}
