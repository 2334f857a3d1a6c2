import Records
import Testing

@testable import Sync

/// Tests which link is asked for what, and when.
@Suite struct OpenAskingTests {
    private let ben = OpenFixture.device(1001)
    private let cho = OpenFixture.device(1002)
    private let log = OpenFixture.log(1)

    @Test func `a log that two links offer is asked for over one of them`() throws {
        var side = OpenSide()
        for device in [ben, cho] {
            side.link(device)
            #expect(side.questions(to: device) == [.page(after: nil)])
            try side.page([OpenFixture.offer(log, 1...3)], from: device)
        }
        let ask = LogAsk(log: log, position: .after(0, prefix: 0), bytesMax: 65_536)
        #expect(side.questions(to: ben) == [.piece(ask, isRecordWanted: true)])
        #expect(side.questions(to: cho).isEmpty)
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        side.store()
        side.wait(.seconds(60))
        #expect(side.asked(of: ben).isEmpty && side.asked(of: cho).isEmpty)
        #expect(side.refusedCount == 0)
    }

    @Test func `a log is read on after what is here, without its author's record`() throws {
        var side = OpenSide([log: 1...4])
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page([OpenFixture.offer(log, 1...9)], from: ben)
        func ask(_ number: UInt64) -> [OpenQuestion.Subject] {
            let prefix = OpenFixture.hash(log, number).prefix
            let ask = LogAsk(
                log: log, position: .after(number, prefix: prefix), bytesMax: 65_536)
            return [.piece(ask, isRecordWanted: false)]
        }
        #expect(side.questions(to: ben) == ask(4))
        try side.pass(OpenFixture.piece(log, 5...6), from: ben)
        side.store()
        #expect(side.questions(to: ben) == ask(6))
        try side.pass(OpenFixture.piece(log, 7...9), from: ben)
        side.store()
        side.wait(.seconds(60))
        #expect(side.asked(of: ben).isEmpty)
    }

    @Test func `after five seconds another link is asked, and the late answer is accepted`() throws
    {
        var side = OpenSide()
        for device in [ben, cho] {
            side.link(device)
            try side.page([OpenFixture.offer(log, 1...3)], from: device)
        }
        #expect(side.asked(of: ben) == [log])
        side.wait(.milliseconds(4999))
        #expect(side.asked(of: cho).isEmpty)
        side.wait(.milliseconds(1))
        #expect(side.asked(of: cho) == [log])
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        #expect(side.refusedCount == 0 && side.stores.count == 1)
        side.store()
        #expect(side.logs == [log: 1...3])
    }

    @Test func `a link that answers nothing is asked four questions and no more`() throws {
        var side = OpenSide()
        side.link(ben)
        #expect(side.questions(to: ben).count == 1)
        try side.page((0..<100).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }, from: ben)
        #expect(side.asked(of: ben).count == 4)
        side.wait(.seconds(3600))
        #expect(side.asked(of: ben).isEmpty)
    }

    @Test func `another link is asked if one has no such batches`() throws {
        var side = OpenSide()
        for device in [ben, cho] {
            side.link(device)
            try side.page([OpenFixture.offer(log, 1...3)], from: device)
        }
        #expect(side.asked(of: ben) == [log])
        try side.receive(.notPassed(NotPassed(channel: 0, log: log)), from: ben)
        #expect(side.asked(of: cho) == [log])
        try side.pass(OpenFixture.piece(log, 1...3), from: cho)
        side.store(.refused)
        side.wait(.seconds(3600))
        #expect(side.asked(of: ben).isEmpty && side.asked(of: cho).isEmpty)
    }

    @Test func `another link is asked if one ends`() throws {
        var side = OpenSide()
        for device in [ben, cho] {
            side.link(device)
            try side.page([OpenFixture.offer(log, 1...3)], from: device)
        }
        #expect(side.asked(of: ben) == [log])
        side.perform(side.exchange.linkEnded(ben, now: side.now))
        #expect(side.asked(of: cho) == [log])
    }

    @Test func `a log over its allowance is asked for when the allowance refills, not before`()
        throws
    {
        var side = OpenSide()
        for device in [ben, cho] {
            side.link(device)
            try side.page([OpenFixture.offer(log, 1...3)], from: device)
        }
        #expect(side.asked(of: ben) == [log])
        try side.pass(OpenFixture.piece(log, 1...2), from: ben)
        side.store(.overAllowance(until: .seconds(1000)))
        #expect(side.exchange.overAllowance == [log: .seconds(1000)])
        // A higher end is no reason to ask earlier.
        try side.offer([OpenFixture.offer(log, 1...5)], from: cho)
        side.wait(.milliseconds(999_999))
        #expect(side.asked(of: ben).isEmpty && side.asked(of: cho).isEmpty)
        side.wait(.milliseconds(1))
        #expect((side.asked(of: ben) + side.asked(of: cho)) == [log])
        #expect(side.exchange.overAllowance.isEmpty)
    }

    @Test func `what has expired is asked for again only if more is offered`() throws {
        var side = OpenSide()
        side.link(ben)
        try side.page([OpenFixture.offer(log, 1...3)], from: ben)
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        side.store(.expired(through: 3))
        _ = side.questions(to: ben)
        try side.offer([OpenFixture.offer(log, 1...3)], from: ben)
        #expect(side.asked(of: ben).isEmpty)
        try side.offer([OpenFixture.offer(log, 1...4)], from: ben)
        #expect(side.asked(of: ben) == [log])
    }

    @Test func `a link that brought its share is asked for retained and known logs only`() throws {
        var side = OpenSide([OpenFixture.log(2): 1...1])
        side.perform(side.exchange.retain([OpenFixture.device(3)], now: side.now))
        side.link(ben)
        try side.page([OpenFixture.offer(log, 1...3)], from: ben)
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        side.store(.noShare)
        _ = side.questions(to: ben)
        let offered = (2..<50).map { OpenFixture.offer(OpenFixture.log($0), 1...2) }
        try side.offer(offered, from: ben)
        #expect(Set(side.asked(of: ben)) == [OpenFixture.log(2), OpenFixture.log(3)])
        for number in [2, 3] as [Int] {
            let log = OpenFixture.log(number)
            let isFirst = side.exchange.links[ben]?.asked.first?.subject
            guard case .piece(let ask, _)? = isFirst else { continue }
            try side.pass(OpenFixture.piece(ask.log, 1...2), from: ben)
            side.store()
            #expect(side.logs[ask.log] != nil, "\(log)")
        }
        side.wait(.seconds(7200))
        #expect(side.questions(to: ben).isEmpty)
        // The pages are read again once there is room.
        side.perform(side.exchange.madeRoom(now: side.now))
        #expect(side.questions(to: ben) == [.page(after: nil)])
        try side.page([OpenFixture.offer(log, 1...3)] + offered, from: ben)
        #expect(side.asked(of: ben).count == 4)
    }

    @Test func `a person who is met is asked for although their link brought its share`() throws {
        var side = OpenSide()
        side.link(ben)
        try side.page([OpenFixture.offer(log, 1...3)], from: ben)
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        side.store(.noShare)
        _ = side.questions(to: ben)
        side.perform(side.exchange.retain([log.device], now: side.now))
        #expect(side.questions(to: ben) == [.page(after: nil)])
        try side.page([OpenFixture.offer(log, 1...3)], from: ben)
        #expect(side.asked(of: ben) == [log])
    }

    @Test func `a link is asked for 600 pieces in a minute, and for ten in each second after it`()
        throws
    {
        var side = OpenSide()
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page((0..<1000).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }, from: ben)
        var count = 0
        func passAll() throws {
            while true {
                let logs = side.asked(of: ben)
                if logs.isEmpty { return }
                for log in logs {
                    count += 1
                    try side.pass(OpenFixture.piece(log, 1...1), from: ben)
                    side.store()
                }
            }
        }
        try passAll()
        // The last one goes beyond the allowance.
        #expect(count == 601)
        for _ in 0..<10 {
            side.wait(.milliseconds(100))
            try passAll()
        }
        #expect((610...612).contains(count), "\(count)")
    }

    @Test func `a link is asked for 4 MiB in a minute`() throws {
        var side = OpenSide()
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page((0..<600).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }, from: ben)
        var bytes = 0
        while true {
            let logs = side.asked(of: ben)
            if logs.isEmpty { break }
            for log in logs {
                let piece = OpenFixture.piece(log, 1...1, bytes: 30_000)
                bytes += piece.run.batches[0].content.encoded.count
                try side.pass(piece, from: ben)
                side.store()
            }
        }
        let budget = 4 * 1024 * 1024
        #expect(bytes > budget - 5 * 65_536 && bytes < budget + 5 * 65_536, "\(bytes)")
    }

    @Test func `an honest link is asked in turn with one that offers a thousand keys`() throws {
        var side = OpenSide()
        side.link(ben)
        try side.page(
            (10..<1010).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }, from: ben)
        side.link(cho)
        try side.page((1...8).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }, from: cho)
        var counts: [DeviceID: Int] = [:]
        for _ in 0..<8 {
            for device in [ben, cho] {
                guard case .piece(let ask, _)? = side.exchange.links[device]?.asked.first?.subject
                else { continue }
                counts[device, default: 0] += 1
                try side.pass(OpenFixture.piece(ask.log, 1...1), from: device)
                side.store()
            }
        }
        #expect(counts[cho] == 8)
        #expect(counts[ben] == 8)
    }

    @Test func `of two links that offer a log, the one that answered is asked first`() throws {
        var side = OpenSide()
        side.link(ben)
        try side.page([OpenFixture.offer(OpenFixture.log(9), 1...1)], from: ben)
        side.wait(.seconds(6))
        side.link(cho)
        try side.page([], from: cho)
        _ = (side.questions(to: ben), side.questions(to: cho))
        let offered = (20..<23).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }
        try side.offer(offered, from: cho)
        #expect(side.asked(of: cho).count == 3)
        // Both offer more: the silent one gets what the other has no turn for.
        try side.offer(offered, from: ben)
        #expect(side.asked(of: ben).isEmpty)
    }

    @Test func `earlier batches are asked for before those that are here`() throws {
        var side = OpenSide([log: 20...30])
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page([OpenFixture.offer(log, 5...30)], from: ben)
        let ask = LogAsk(log: log, position: .before(20), bytesMax: 65_536)
        #expect(side.questions(to: ben) == [.piece(ask, isRecordWanted: false)])
        try side.pass(OpenFixture.piece(log, 12...21), from: ben)
        side.store()
        #expect(side.logs[log] == 12...30)
        #expect(side.asked(of: ben) == [log])
        try side.pass(OpenFixture.piece(log, 5...11), from: ben)
        side.store()
        side.wait(.seconds(60))
        #expect(side.asked(of: ben).isEmpty)
    }

    @Test func `batches that expired here are not asked for again`() throws {
        var side = OpenSide([log: 1...30])
        side.link(ben)
        _ = side.questions(to: ben)
        side.write(log, 20...30)
        try side.page([OpenFixture.offer(log, 5...30)], from: ben)
        #expect(side.asked(of: ben).isEmpty)
        // Those before that one peer passed were not stored: no other peer is asked either.
        var other = OpenSide([log: 20...30])
        for device in [ben, cho] {
            other.link(device)
            try other.page([OpenFixture.offer(log, 5...30)], from: device)
        }
        #expect(other.asked(of: ben) == [log])
        try other.pass(OpenFixture.piece(log, 12...20), from: ben)
        other.store(.expired(through: 20))
        other.wait(.seconds(7200))
        #expect(other.asked(of: ben).isEmpty && other.asked(of: cho).isEmpty)
    }

    @Test func `one link that lacks earlier batches does not keep another from being asked`()
        throws
    {
        var side = OpenSide([log: 20...30])
        for device in [ben, cho] {
            side.link(device)
            try side.page([OpenFixture.offer(log, 1...30)], from: device)
        }
        #expect(side.asked(of: ben) == [log])
        try side.receive(.notPassed(NotPassed(channel: 0, log: log)), from: ben)
        #expect(side.asked(of: cho) == [log])
    }

    @Test func `a log whose next batches nobody has is read like a new one`() throws {
        var side = OpenSide([log: 1...10])
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page([OpenFixture.offer(log, 20...30)], from: ben)
        let ask = LogAsk(log: log, position: .after(0, prefix: 0), bytesMax: 65_536)
        #expect(side.questions(to: ben) == [.piece(ask, isRecordWanted: false)])
    }

    @Test func `another end with the same number is asked for`() throws {
        var side = OpenSide([log: 1...10])
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page([OfferedLog(log: log, low: 1, high: 10, prefix: 1)], from: ben)
        #expect(side.asked(of: ben) == [log])
    }

    @Test func `a piece that brings nothing is not asked for again`() throws {
        var side = OpenSide([log: 1...10])
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page([OpenFixture.offer(log, 1...12)], from: ben)
        #expect(side.asked(of: ben) == [log])
        try side.pass(OpenFixture.piece(log, 1...10), from: ben)
        side.store()
        side.wait(.seconds(3600))
        #expect(side.asked(of: ben).isEmpty)
    }
}
