import Records
import Testing

@testable import Sync

/// Tests for what an exchange waits, and that nothing it wants waits for ever.
@Suite struct OpenWaitingTests {
    private let ben = OpenFixture.device(1001)
    private let cho = OpenFixture.device(1002)
    private let dan = OpenFixture.device(1003)
    private let log = OpenFixture.log(1)

    // MARK: - Waits

    @Test func `logs dated centuries ahead take a part of the waits, and cause no question`() throws
    {
        var side = OpenSide()
        let centuries = Duration.seconds(300 * 365 * 86_400)
        side.link(ben)
        _ = side.questions(to: ben)
        let offered = (2...600).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }
        try side.page(offered, from: ben)
        var count = 0
        var asked = side.asked(of: ben)
        while !asked.isEmpty {
            for log in asked {
                count += 1
                try side.pass(OpenFixture.piece(log, 1...1), from: ben)
                side.store(.overAllowance(until: centuries))
            }
            asked = side.asked(of: ben)
        }
        #expect(count == 599)
        #expect(side.exchange.waits.count == 512)
        #expect(side.exchange.overAllowance.values.allSatisfy { $0 <= .seconds(31 * 86_400) })
        // The rest waits on the link alone, also if more is offered.
        try side.offer(
            (2...600).map { OpenFixture.offer(OpenFixture.log($0), 1...2) }, from: ben)
        side.wait(.seconds(3599))
        #expect(side.asked(of: ben).isEmpty)
        // An honest log gets its wait.
        side.link(cho)
        try side.page([OpenFixture.offer(log, 1...1)], from: cho)
        #expect(side.asked(of: cho) == [log])
        try side.pass(OpenFixture.piece(log, 1...1), from: cho)
        side.store(.overAllowance(until: side.now + .seconds(100)))
        #expect(side.exchange.overAllowance[log] == side.now + .seconds(100))
        #expect(side.asked(of: cho).isEmpty)
    }

    @Test func `waits have room for 8192 logs, 512 of each device, and give it back`() {
        var waits = WaitingLogs()
        let wait = WaitingLogs.Wait(until: .seconds(10), isAllowance: true, high: 1)
        for number in 0..<20 * 600 {
            let isRemembered = waits.record(
                wait, for: OpenFixture.log(number),
                broughtBy: OpenFixture.device(number / 600))
            #expect(isRemembered == (number % 600 < 512 && number < 16 * 600))
        }
        #expect(waits.count == OpenLimits.waitingLogsMax)
        waits.removeDue(now: .seconds(9))
        #expect(waits.count == OpenLimits.waitingLogsMax)
        waits.removeDue(now: .seconds(10))
        #expect(waits.count == 0)
        let isRemembered = waits.record(wait, for: log, broughtBy: OpenFixture.device(0))
        #expect(isRemembered)
    }

    // MARK: - Earlier batches

    @Test func `an expired batch with an invented end of its log hides nothing of other links`()
        throws
    {
        var side = OpenSide()
        side.link(ben)
        try side.page([OpenFixture.offer(log, 1...Limits.batchNumberMax)], from: ben)
        #expect(side.asked(of: ben) == [log])
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        side.store(.expired(through: 3))
        side.link(cho)
        try side.page([OpenFixture.offer(log, 1...6)], from: cho)
        #expect(side.asked(of: cho) == [log])
        try side.pass(OpenFixture.piece(log, 4...6), from: cho)
        side.store()
        #expect(side.logs == [log: 4...6])
    }

    @Test func `a link that answers with expired batches again and again delays no other`() throws {
        var side = OpenSide()
        for device in [ben, cho] { side.link(device) }
        try side.page([OpenFixture.offer(log, 1...1000)], from: ben)
        #expect(side.asked(of: ben) == [log])
        try side.page(from: cho)
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        side.store(.expired(through: 3))
        // Both offer more, and Ben is heard first.
        try side.offer([OpenFixture.offer(log, 1...1001)], from: ben)
        #expect(side.asked(of: ben) == [log])
        try side.offer([OpenFixture.offer(log, 1...6)], from: cho)
        try side.pass(OpenFixture.piece(log, 1...3), from: ben)
        side.store(.expired(through: 3))
        #expect(side.asked(of: cho) == [log])
    }

    @Test func `earlier batches beyond one link's share are asked for over another`() throws {
        var side = OpenSide([log: 20...30])
        for device in [ben, cho] {
            side.link(device)
            try side.page([OpenFixture.offer(log, 5...30)], from: device)
        }
        #expect(side.asked(of: ben) == [log])
        try side.pass(OpenFixture.piece(log, 12...20), from: ben)
        side.store(.noShare)
        #expect(side.asked(of: ben).isEmpty)
        #expect(side.asked(of: cho) == [log])
        try side.pass(OpenFixture.piece(log, 5...20), from: cho)
        side.store()
        #expect(side.logs == [log: 5...30])
    }

    @Test func `earlier batches without room are asked for again after an hour`() throws {
        var side = OpenSide([log: 20...30])
        side.link(ben)
        try side.page([OpenFixture.offer(log, 5...30)], from: ben)
        #expect(side.asked(of: ben) == [log])
        try side.pass(OpenFixture.piece(log, 12...20), from: ben)
        side.store(.noRoom)
        side.wait(.seconds(3599))
        #expect(side.asked(of: ben).isEmpty)
        side.wait(.seconds(1))
        #expect(side.asked(of: ben) == [log])
    }

    @Test func `batches that made room are asked for once their author is known`() throws {
        var side = OpenSide([log: 1...30])
        side.link(ben)
        _ = side.questions(to: ben)
        side.write(log, 20...30)
        try side.page([OpenFixture.offer(log, 5...30)], from: ben)
        #expect(side.asked(of: ben).isEmpty)
        side.perform(side.exchange.retain([log.device], now: side.now))
        #expect(side.questions(to: ben) == [.page(after: nil)])
        try side.page([OpenFixture.offer(log, 5...30)], from: ben)
        #expect(side.asked(of: ben) == [log])
    }

    // MARK: - Gaps

    @Test func `a piece after a gap is asked for again when the log here has moved`() throws {
        var side = OpenSide([log: 1...10])
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page([OpenFixture.offer(log, 20...30)], from: ben)
        #expect(side.asked(of: ben) == [log])
        try side.pass(OpenFixture.piece(log, 20...30), from: ben)
        side.store(.gap)
        side.wait(.seconds(1800))
        #expect(side.asked(of: ben).isEmpty)
        // What is between came over another link.
        side.write(log, 1...19)
        let ask = LogAsk(
            log: log, position: .after(19, prefix: OpenFixture.hash(log, 19).prefix),
            bytesMax: 65_536)
        #expect(side.questions(to: ben) == [.piece(ask, isRecordWanted: false)])
        try side.pass(OpenFixture.piece(log, 20...30), from: ben)
        side.store()
        side.wait(.seconds(7200))
        #expect(side.asked(of: ben).isEmpty && side.logs[log] == 1...30)
    }

    @Test func `a piece after a gap is asked for again after an hour`() throws {
        var side = OpenSide([log: 1...10])
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page([OpenFixture.offer(log, 20...30)], from: ben)
        #expect(side.asked(of: ben) == [log])
        try side.pass(OpenFixture.piece(log, 20...30), from: ben)
        side.store(.gap)
        side.wait(.seconds(3599))
        #expect(side.asked(of: ben).isEmpty)
        side.wait(.seconds(1))
        #expect(side.asked(of: ben) == [log])
    }

    // MARK: - Logs that are left to another link

    private let wanted = (20...23).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }

    /// Four logs come to be wanted of two links at once. Cho did not answer as hoped before, so she
    /// leaves them to Ben, who can be asked for one of them only.
    private func leaving(inOrder devices: [DeviceID]) throws -> OpenSide {
        var side = OpenSide()
        for device in devices {
            side.link(device)
            try side.page(from: device)
        }
        try side.offer([OpenFixture.offer(OpenFixture.log(9), 1...1)], from: cho)
        try side.receive(
            .notPassed(NotPassed(channel: 0, log: OpenFixture.log(9))), from: cho)
        for device in [dan, cho, ben] { try side.offer(wanted, from: device) }
        #expect(side.asked(of: dan) == wanted.map(\.log))
        let others = (10...12).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }
        try side.offer(others, from: ben)
        #expect(side.asked(of: ben) == others.map(\.log))
        _ = side.questions(to: cho)
        side.perform(side.exchange.linkEnded(dan, now: side.now))
        return side
    }

    private var orders: [[DeviceID]] { [[ben, cho, dan], [cho, ben, dan], [dan, cho, ben]] }

    @Test func `a log that was left to a link that falls silent is asked for elsewhere`() throws {
        for order in orders {
            var side = try leaving(inOrder: order)
            side.wait(.seconds(6))
            let asked = side.asked(of: ben) + side.asked(of: cho)
            #expect(Set(wanted.map(\.log)).isSubset(of: asked))
        }
    }

    @Test func `a log that was left to a link that brought its share is asked elsewhere`() throws {
        for order in orders {
            var side = try leaving(inOrder: order)
            var asked = side.asked(of: ben) + side.asked(of: cho)
            try side.pass(OpenFixture.piece(OpenFixture.log(10), 1...1), from: ben)
            side.store(.noShare)
            asked += side.asked(of: ben) + side.asked(of: cho)
            #expect(Set(wanted.map(\.log)).isSubset(of: asked))
            #expect(side.exchange.links[ben]?.isTruncated ?? false)
        }
    }
}
