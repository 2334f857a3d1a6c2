import Identity
import Records
import Testing

@testable import Sync

/// Tests the answers to peers, and what hostile peers can cause.
@Suite struct OpenServingTests {
    private let ben = OpenFixture.device(1001)
    private let cho = OpenFixture.device(1002)
    private let log = OpenFixture.log(1)

    private func ask(_ log: LogName, isRecordWanted: Bool = false) -> Message {
        let ask = LogAsk(log: log, position: .after(0, prefix: 0), bytesMax: 65_536)
        return .ask(
            OpenQuestion(channel: 0, subject: .piece(ask, isRecordWanted: isRecordWanted)))
    }

    private func side(_ count: Int) -> OpenSide {
        var side = OpenSide(
            Dictionary(uniqueKeysWithValues: (0..<count).map { (OpenFixture.log($0), 1...2) }))
        side.link(ben, digest: side.exchange.digest)
        return side
    }

    @Test func `questions are read one at a time and answered in their order`() throws {
        var side = side(3)
        try side.receive(ask(OpenFixture.log(0)), from: ben)
        try side.receive(ask(OpenFixture.log(77)), from: ben)
        try side.receive(.ask(OpenQuestion(channel: 0, subject: .page(after: nil))), from: ben)
        #expect(side.reads.count == 1 && side.sent[ben] == nil)
        let read = side.reads[0].ask
        side.perform(
            side.exchange.answer(
                read, to: ben, with: OpenFixture.piece(read.log, 1...2), of: nil, now: side.now))
        #expect(side.sent[ben]?.map(\.type) == [31, 32, 29])
        #expect(side.reads.count == 1)
    }

    @Test func `a log that is not here costs no look at the disk`() throws {
        var side = side(1)
        for number in 100..<104 { try side.receive(ask(OpenFixture.log(number)), from: ben) }
        #expect(side.reads.isEmpty)
        #expect(side.sent[ben]?.map(\.type) == [32, 32, 32, 32])
    }

    @Test func `a fifth question at a time ends the link`() throws {
        var side = side(1)
        for _ in 0..<4 { try side.receive(ask(OpenFixture.log(0)), from: ben) }
        #expect(throws: SyncFault.tooManyRequests) {
            try side.receive(ask(OpenFixture.log(0)), from: ben)
        }
    }

    @Test func `a link is answered 128 questions at once, and then 32 a second`() throws {
        var side = side(1)
        var answers = 0
        func ask(_ count: Int) throws {
            for _ in 0..<count where side.exchange.links[ben]?.questions.count ?? 4 < 4 {
                try side.receive(self.ask(OpenFixture.log(77)), from: ben)
            }
            answers += side.sent.removeValue(forKey: ben)?.count ?? 0
        }
        try ask(1000)
        #expect(answers == 129)
        for _ in 0..<100 {
            side.wait(.milliseconds(10))
            try ask(10)
        }
        #expect((160...163).contains(answers), "\(answers)")
    }

    @Test func `a link is told an author's record once, and again if it changed or is wanted`()
        throws
    {
        var side = side(2)
        let keys = [DeviceKey(), DeviceKey()]
        func record(_ index: Int) throws -> ClaimedPersonRecord {
            var generator = SystemRandomNumberGenerator()
            let founding = FoundingRecord(
                firstDevice: keys[index].id,
                recoveryKey: RecoveryWords(using: &generator).key.publicKey)
            return ClaimedPersonRecord(
                try PersonRecord(founding: founding, firstDevice: keys[index]))
        }
        let (one, other) = (try record(0), try record(1))
        func isTold(_ record: ClaimedPersonRecord, isWanted: Bool = false) throws -> Bool {
            try side.receive(ask(log, isRecordWanted: isWanted), from: ben)
            let piece = OpenFixture.piece(log, 1...2)
            let read = side.reads.removeFirst()
            side.perform(
                side.exchange.answer(
                    read.ask, to: ben,
                    with: PassedRun(
                        record: record.encoded, previous: piece.previous, run: piece.run),
                    of: one.person, now: side.now))
            guard case .passed(let passed)? = side.sent.removeValue(forKey: ben)?.first else {
                return false
            }
            return passed.record == record
        }
        #expect(try isTold(one))
        #expect(try !isTold(one))
        #expect(try isTold(one, isWanted: true))
        #expect(try isTold(other))
        #expect(try !isTold(other))
        #expect(try isTold(one))
    }

    @Test func `the pages of 2500 logs name each of them once, in order`() throws {
        var side = side(2500)
        var last: LogName?
        var named: [LogName] = []
        for _ in 0..<3 {
            try side.receive(
                .ask(OpenQuestion(channel: 0, subject: .page(after: last))), from: ben)
            let offer = try #require(side.offers(to: ben).first)
            named += offer.logs.map(\.log)
            last = named.last
            #expect((offer.part == .lastPage) == (named.count == 2500))
            // A change between pages does not disturb them.
            side.write(OpenFixture.log(5), 1...9)
        }
        #expect(named == (0..<2500).map(OpenFixture.log).sorted())
    }

    // MARK: - Hostile peers

    @Test func `what nobody asked for is refused and not stored`() throws {
        var side = OpenSide()
        side.link(ben, digest: side.exchange.digest)
        try side.pass(OpenFixture.piece(log, 1...1), from: ben)
        try side.receive(.notPassed(NotPassed(channel: 0, log: log)), from: ben)
        try side.page(from: ben)
        #expect(side.refusedCount == 3 && side.stores.isEmpty)
    }

    @Test func `a repeated answer, or one about another log, is refused`() throws {
        var side = OpenSide()
        side.link(ben)
        try side.page([OpenFixture.offer(log, 1...1)], from: ben)
        try side.pass(OpenFixture.piece(OpenFixture.log(2), 1...1), from: ben)
        try side.receive(
            .notPassed(NotPassed(channel: 0, log: OpenFixture.log(2))), from: ben)
        #expect(side.refusedCount == 2 && side.stores.isEmpty)
        try side.pass(OpenFixture.piece(log, 1...1), from: ben)
        try side.pass(OpenFixture.piece(log, 1...1), from: ben)
        #expect(side.refusedCount == 3 && side.stores.count == 1)
    }

    @Test func `batches that do not continue what is here are refused`() throws {
        for piece in [6...9, 8...9] as [ClosedRange<UInt64>] {
            var side = OpenSide([log: 1...4])
            side.link(ben)
            try side.page([OpenFixture.offer(log, 1...9)], from: ben)
            try side.pass(OpenFixture.piece(log, piece), from: ben)
            #expect(side.refusedCount == 1 && side.stores.isEmpty)
        }
        for piece in [5...8, 10...12, 11...12] as [ClosedRange<UInt64>] {
            var side = OpenSide([log: 10...14])
            side.link(ben)
            try side.page([OpenFixture.offer(log, 1...14)], from: ben)
            try side.pass(OpenFixture.piece(log, piece), from: ben)
            #expect(side.refusedCount == 1 && side.stores.isEmpty, "\(piece)")
        }
    }

    @Test func `offers that change at each message cause at most 600 questions a minute`() throws {
        var side = OpenSide()
        side.link(ben)
        try side.page(from: ben)
        _ = side.questions(to: ben)
        var asked = 0
        for number in 0..<6000 {
            let high = Limits.batchNumberMax - UInt64(number)
            try side.offer(
                [
                    OfferedLog(
                        log: OpenFixture.log(number % 7), low: 1 + UInt64(number), high: high,
                        prefix: UInt64(number))
                ], from: ben)
            for log in side.asked(of: ben) {
                asked += 1
                try side.receive(.notPassed(NotPassed(channel: 0, log: log)), from: ben)
            }
            side.wait(.milliseconds(10))
        }
        #expect(asked <= 601 + 600 && asked > 100, "\(asked)")
        #expect(side.exchange.links[ben]?.missing.count ?? 0 <= 7)
    }

    @Test func `an offer of 2 to the 40 batches does not keep an honest log from arriving`() throws
    {
        var side = OpenSide()
        for device in [ben, cho] { side.link(device) }
        try side.page(
            [OpenFixture.offer(log, 1...Limits.batchNumberMax)], from: ben)
        #expect(side.asked(of: ben) == [log])
        try side.page([OpenFixture.offer(log, 1...3)], from: cho)
        side.wait(.seconds(5))
        #expect(side.asked(of: cho) == [log])
        try side.pass(OpenFixture.piece(log, 1...3), from: cho)
        side.store()
        #expect(side.logs[log] == 1...3)
        // The next change is asked of the link that answers.
        try side.offer([OpenFixture.offer(log, 1...4)], from: cho)
        #expect(side.asked(of: cho) == [log])
    }

    @Test func `a new link of the same device has the allowance of the last one`() throws {
        var side = OpenSide()
        side.link(ben)
        _ = side.questions(to: ben)
        var asked = 0
        for round in 0..<20 {
            let logs = (0..<100).map { OpenFixture.offer(OpenFixture.log(100 * round + $0), 1...1) }
            try side.page(logs, from: ben)
            while true {
                let wanted = side.asked(of: ben)
                if wanted.isEmpty { break }
                asked += wanted.count
                for log in wanted {
                    try side.receive(.notPassed(NotPassed(channel: 0, log: log)), from: ben)
                }
            }
            side.perform(side.exchange.linkEnded(ben, now: side.now))
            side.link(ben, digest: Bytes16(prefixOf: Digest.logs.hash([UInt8(round)])))
            guard side.questions(to: ben) == [.page(after: nil)] else { break }
        }
        #expect(asked == 601)
    }

    @Test func `a message for an exchange without the link has no effect`() throws {
        var side = OpenSide([log: 1...1])
        try side.receive(ask(log), from: cho)
        try side.offer([OpenFixture.offer(OpenFixture.log(2), 1...1)], from: cho)
        try side.pass(OpenFixture.piece(log, 1...1), from: cho)
        #expect(side.sent.isEmpty && side.reads.isEmpty && side.stores.isEmpty)
    }
}
