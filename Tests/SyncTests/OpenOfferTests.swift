import Records
import Testing

@testable import Sync

/// Tests what is told to peers, and what is remembered of their offers.
@Suite struct OpenOfferTests {
    private let ben = OpenFixture.device(1001)
    private let cho = OpenFixture.device(1002)
    private let log = OpenFixture.log(1)

    private func logs(_ numbers: Range<Int>, _ high: UInt64 = 1) -> [OfferedLog] {
        numbers.map { OpenFixture.offer(OpenFixture.log($0), 1...high) }
            .sorted { $0.log < $1.log }
    }

    @Test func `what changes is told to each peer once, except to one that has it`() throws {
        var side = OpenSide()
        for device in [ben, cho] {
            side.link(device)
            try side.page(from: device)
        }
        try side.offer([OpenFixture.offer(log, 1...3)], from: ben)
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        _ = (side.questions(to: ben), side.questions(to: cho))
        side.store()
        side.wait(.milliseconds(200))
        #expect(side.offers(to: cho).map(\.logs) == [[OpenFixture.offer(log, 1...3)]])
        #expect(side.offers(to: ben).isEmpty)
        // The peer that has it learns the new digest, so that the next link begins with it.
        side.wait(.seconds(5))
        let told = side.offers(to: ben)
        #expect(told.map(\.logs) == [[]] && told.map(\.digest) == [side.exchange.digest])
        side.wait(.seconds(3600))
        #expect(side.offers(to: ben).isEmpty && side.offers(to: cho).isEmpty)
    }

    @Test func `changes within 200 ms are told together`() throws {
        var side = OpenSide()
        side.link(ben)
        try side.page(from: ben)
        _ = side.questions(to: ben)
        for number in 1...50 {
            side.write(OpenFixture.log(number), 1...1)
            side.wait(.milliseconds(3))
        }
        side.wait(.milliseconds(200))
        #expect(side.offers(to: ben).map(\.logs.count) == [50])
    }

    @Test func `a peer that has not named the space is told when it does`() throws {
        var side = OpenSide()
        side.exchange.linkBegan(ben, channel: 7)
        side.write(log, 1...1)
        side.wait(.seconds(10))
        #expect(side.sent[ben] == nil)
        side.perform(side.exchange.named(ben, digest: side.exchange.digest, now: side.now))
        side.wait(.zero)
        let offers = side.offers(to: ben)
        #expect(offers.map(\.logs) == [[OpenFixture.offer(log, 1...1)]])
        #expect(offers.map(\.channel) == [7])
    }

    @Test func `no page is asked for if the digests are equal`() {
        var side = OpenSide([log: 1...1])
        side.link(ben, digest: side.exchange.digest)
        #expect(side.questions(to: ben).isEmpty)
    }

    @Test func `a pair of offers that was exchanged is not asked again on the next link`() throws {
        var side = OpenSide([log: 1...1])
        let digest = Bytes16(prefixOf: Digest.logs.hash([1]))
        func page() throws {
            try side.receive(
                .offer(Offer(channel: 0, digest: digest, part: .lastPage, logs: [])), from: ben)
        }
        side.link(ben, digest: digest)
        #expect(side.questions(to: ben) == [.page(after: nil)])
        // The link ends before the answer.
        side.perform(side.exchange.linkEnded(ben, now: side.now))
        side.link(ben, digest: digest)
        #expect(side.questions(to: ben) == [.page(after: nil)])
        try page()
        side.perform(side.exchange.linkEnded(ben, now: side.now))
        side.link(ben, digest: digest)
        #expect(side.questions(to: ben).isEmpty)
        side.perform(side.exchange.linkEnded(ben, now: side.now))
        // Another offer there, or here, is a new pair.
        side.link(ben, digest: Bytes16(prefixOf: Digest.logs.hash([2])))
        #expect(side.questions(to: ben) == [.page(after: nil)])
        try page()
        side.perform(side.exchange.linkEnded(ben, now: side.now))
        side.write(OpenFixture.log(2), 1...1)
        side.link(ben, digest: digest)
        #expect(side.questions(to: ben) == [.page(after: nil)])
    }

    @Test func `a pair with a log over its allowance is asked again when the allowance refills`()
        throws
    {
        var side = OpenSide()
        let digest = Bytes16(prefixOf: .zero)
        side.link(ben)
        try side.page([OpenFixture.offer(log, 1...3)], from: ben)
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        side.store(.overAllowance(until: .seconds(100)))
        side.perform(side.exchange.linkEnded(ben, now: side.now))
        _ = side.questions(to: ben)
        side.link(ben, digest: digest)
        #expect(side.questions(to: ben).isEmpty)
        side.perform(side.exchange.linkEnded(ben, now: side.now))
        side.wait(.seconds(101))
        side.link(ben, digest: digest)
        #expect(side.questions(to: ben) == [.page(after: nil)])
    }

    @Test func `pages are asked for one after the other`() throws {
        var side = OpenSide()
        side.link(ben)
        _ = side.questions(to: ben)
        let all = logs(0..<1500)
        try side.receive(
            .offer(
                Offer(channel: 0, digest: .zero, part: .page, logs: Array(all.prefix(1024)))),
            from: ben)
        #expect(side.questions(to: ben).contains(.page(after: all[1023].log)))
    }

    @Test func `of one link 2048 logs are remembered, and the rest is found later`() throws {
        var side = OpenSide()
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page(from: ben)
        for start in stride(from: 0, to: 5000, by: 1000) {
            try side.offer(logs(start..<start + 1000), from: ben)
            #expect(side.exchange.links[ben]?.missing.count ?? 0 <= 2048)
        }
        #expect(side.exchange.links[ben]?.missing.count == 2048)
        // While logs are read, there is room for pages again; a minute later they are asked for.
        var pages = 0
        for _ in 0..<4000 {
            for question in side.questions(to: ben) {
                switch question {
                case .page(let last):
                    pages += 1
                    let rest = logs(0..<5000).filter { offered in
                        last.map { $0 < offered.log } ?? true
                    }
                    let part: Offer.Part = rest.count > 1024 ? .page : .lastPage
                    try side.receive(
                        .offer(
                            Offer(
                                channel: 0, digest: .zero, part: part,
                                logs: Array(rest.prefix(1024)))), from: ben)
                case .piece(let ask, _):
                    try side.pass(OpenFixture.piece(ask.log, 1...1), from: ben)
                    side.store()
                }
            }
            side.wait(.milliseconds(500))
        }
        #expect(side.logs.count == 5000)
        #expect((5...60).contains(pages), "\(pages)")
    }

    @Test func `changes beyond 16 384 logs a minute are not read, and found again later`() throws {
        var side = OpenSide()
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page(from: ben)
        // An empty offer counts as 16.
        for _ in 0..<1023 { try side.offer([], from: ben) }
        try side.offer(logs(0..<1), from: ben)
        #expect(side.asked(of: ben).isEmpty)
        side.wait(.seconds(1))
        try side.offer(logs(1..<2), from: ben)
        #expect(side.asked(of: ben) == [OpenFixture.log(1)])
        side.wait(.seconds(60))
        #expect(side.questions(to: ben).contains(.page(after: nil)))
    }

    @Test func `logs that wait for an allowance make way for others`() throws {
        var side = OpenSide()
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page(logs(0..<1000), from: ben)
        var waiting = 0
        while case .piece(let ask, _)? = side.exchange.links[ben]?.asked.first?.subject {
            try side.pass(OpenFixture.piece(ask.log, 1...1), from: ben)
            side.store(.overAllowance(until: .seconds(86_400)))
            waiting += 1
            if waiting.isMultiple(of: 500) { side.wait(.seconds(60)) }
        }
        #expect(waiting == 1000)
        try side.offer(logs(1000..<2000), from: ben)
        try side.offer(logs(2000..<2100), from: ben)
        #expect(side.exchange.links[ben]?.missing[OpenFixture.log(2050)] != nil)
        #expect(side.exchange.links[ben]?.missing.count ?? 0 <= 2048)
    }

    @Test func `a page that goes back, or pages without end, end the link`() throws {
        var side = OpenSide()
        side.link(ben)
        let sorted = logs(0..<2000)
        func page(_ logs: some Sequence<OfferedLog>) -> Message {
            .offer(Offer(channel: 0, digest: .zero, part: .page, logs: Array(logs)))
        }
        try side.receive(page(sorted[500..<600]), from: ben)
        #expect(throws: SyncFault.self) { try side.receive(page(sorted[599..<700]), from: ben) }

        var other = OpenSide(
            Dictionary(uniqueKeysWithValues: (0..<70_000).map { (OpenFixture.log($0), 1...1) }))
        other.link(ben)
        let all = logs(0..<70_000)
        #expect(throws: SyncFault.self) {
            for start in stride(from: 0, to: 69_000, by: 1024) {
                other.wait(.seconds(10))
                guard other.questions(to: ben).count == 1 else { continue }
                try other.receive(page(all[start..<start + 1024]), from: ben)
            }
        }
    }

    @Test func `a peer that names the space again is asked again`() throws {
        var side = OpenSide()
        side.link(ben)
        try side.page([OpenFixture.offer(log, 1...1)], from: ben)
        _ = side.questions(to: ben)
        side.perform(side.exchange.unnamed(ben, now: side.now))
        side.wait(.seconds(60))
        #expect(side.questions(to: ben).isEmpty)
        side.perform(side.exchange.named(ben, digest: .zero, now: side.now))
        #expect(side.questions(to: ben) == [.page(after: nil)])
    }
}
