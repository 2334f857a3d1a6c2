import Records
import Testing

@testable import Sync

/// Known people's logs are asked for before those of strangers, however many these are.
@Suite struct OpenPreferenceTests {
    private let ben = OpenFixture.device(5001)

    private func offers(_ numbers: Range<Int>) -> [OfferedLog] {
        numbers.map { OpenFixture.offer(OpenFixture.log($0), 1...1) }
    }

    /// Answers questions for pieces until nothing more is asked, and returns their order.
    private func passAll(_ side: inout OpenSide) throws -> [LogName] {
        var order: [LogName] = []
        while true {
            let logs = side.asked(of: ben)
            if logs.isEmpty { return order }
            for log in logs {
                order.append(log)
                try side.pass(OpenFixture.piece(log, 1...1), from: ben)
                side.store()
            }
        }
    }

    @Test func `two known people among 1000 strangers are asked for first`() throws {
        var side = OpenSide()
        let known = [OpenFixture.log(700), OpenFixture.log(1000)]
        side.perform(side.exchange.retain(Set(known.map(\.device)), now: side.now))
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page(offers(1..<1003), from: ben)
        let order = try passAll(&side)
        #expect(Array(order.prefix(2)) == known)
        #expect(order.count == OpenLimits.piecesPerMinute + 1, "the others wait")
        #expect(side.exchange.isBounded)
    }

    @Test func `a person who is met while strangers' logs wait is asked for next`() throws {
        var side = OpenSide()
        side.link(ben)
        _ = side.questions(to: ben)
        try side.page(offers(1..<1003), from: ben)
        let met = OpenFixture.log(900)
        let asked = side.asked(of: ben)
        #expect(!asked.isEmpty && !asked.contains(met))
        side.perform(side.exchange.retain([met.device], now: side.now))
        for log in asked {
            try side.pass(OpenFixture.piece(log, 1...1), from: ben)
            side.store()
        }
        #expect(try passAll(&side).first == met)
    }

    @Test func `a person who is forgotten is asked for in their turn`() throws {
        var side = OpenSide()
        let former = OpenFixture.log(900)
        side.perform(side.exchange.retain([former.device], now: side.now))
        side.link(ben)
        _ = side.questions(to: ben)
        // All questions are under way before the log is offered.
        try side.page(offers(1..<11), from: ben)
        try side.offer(offers(500..<510) + [OpenFixture.offer(former, 1...1)], from: ben)
        side.perform(side.exchange.retain([], now: side.now))
        let asked = side.asked(of: ben)
        for log in asked {
            try side.pass(OpenFixture.piece(log, 1...1), from: ben)
            side.store()
        }
        #expect(try passAll(&side).last == former)
    }

    @Test func `a known person's log is remembered although strangers' logs fill the room`()
        throws
    {
        var side = OpenSide()
        let known = OpenFixture.log(4000)
        side.perform(side.exchange.retain([known.device], now: side.now))
        side.link(ben)
        _ = side.questions(to: ben)
        // All of them are offered as changes, after an empty page.
        try side.page(from: ben)
        for start in stride(from: 0, to: OpenLimits.missingLogsMax + 100, by: 100) {
            try side.offer(offers(start..<start + 100), from: ben)
        }
        #expect(side.exchange.links[ben]?.missing.roomCount == 0)
        try side.offer([OpenFixture.offer(known, 1...1)], from: ben)
        #expect(side.exchange.links[ben]?.missing[known] != nil)
        #expect(side.exchange.isBounded)
        let asked = side.asked(of: ben)
        for log in asked {
            try side.pass(OpenFixture.piece(log, 1...1), from: ben)
            side.store()
        }
        #expect(try passAll(&side).first == known)
    }

    @Test func `room is made only at the cost of a stranger's log that waits for its turn`() {
        var missing = MissingLogs()
        let logs = (1...4).map(OpenFixture.log)
        var inserted: [Bool] = []
        for (number, log) in logs.enumerated() {
            inserted.append(
                missing.insert(OpenFixture.offer(log, 1...1), ofKnown: number < 2))
        }
        #expect(inserted == [true, true, true, true])
        let forgotten = [missing.forgetLast(), missing.forgetLast(), missing.forgetLast()]
        #expect(forgotten == [logs[3], logs[2], nil])
        #expect(missing.logs.sorted() == logs.prefix(2).sorted())
        // One that was asked for waits for its answer, and is kept too.
        let isInserted = missing.insert(OpenFixture.offer(logs[2], 1...1), ofKnown: false)
        #expect(isInserted)
        let asked = (0..<3).compactMap { _ in missing.next()?.log }
        #expect(asked == Array(logs.prefix(3)))
        let last = missing.forgetLast()
        #expect(last == nil && missing.count == 3)
    }
}
