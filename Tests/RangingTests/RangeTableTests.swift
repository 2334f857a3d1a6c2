import Ranging
import Testing

@Suite struct RangeTableTests {
    private func device(_ number: Int) -> DeviceID {
        DeviceID(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
            ?? DeviceID(raw: .zero)
    }

    private func report(_ number: Int, _ metres: Double, age: Double = 0) -> RangeReport {
        RangeReport(device: device(number), distanceMetres: metres, ageSeconds: age)
    }

    @Test func `each of 100 devices at 10 Hz has its own newest measurement`() throws {
        var table = RangeTable()
        for number in 0..<100 { table.link(device(number)) }
        for round in 0..<50 {
            for number in 0..<100 {
                try table.receive(
                    report(number, Double(number) + Double(round) / 100),
                    now: .milliseconds(round * 100 + number))
            }
        }
        let known = table.measurements(now: .seconds(5))
        #expect(known.count == 100)
        for number in 0..<100 {
            #expect(known[device(number)]?.distanceMetres == Double(number) + 0.49)
        }
    }

    @Test func `a device that is not linked is not measured, and a lost link ends only its own`()
        throws
    {
        var table = RangeTable()
        #expect(throws: RangeFault.notLinked) { try table.receive(report(1, 1), now: .zero) }
        table.link(device(1))
        table.link(device(2))
        try table.receive(report(1, 1), now: .zero)
        try table.receive(report(2, 2), now: .zero)
        table.unlink(device(1))
        #expect(Set(table.measurements(now: .zero).keys) == [device(2)])
        #expect(throws: RangeFault.notLinked) { try table.receive(report(1, 1), now: .zero) }
    }

    @Test func `an older report does not replace a newer one`() throws {
        var table = RangeTable()
        table.link(device(1))
        try table.receive(report(1, 1, age: 1), now: .seconds(10))
        #expect(throws: RangeFault.outdated) {
            try table.receive(report(1, 2, age: 2), now: .seconds(10))
        }
        #expect(table.measurements(now: .seconds(10))[device(1)]?.distanceMetres == 1)
        try table.receive(report(1, 3, age: 1), now: .seconds(10))
        #expect(table.measurements(now: .seconds(10))[device(1)]?.distanceMetres == 3)
    }

    @Test func `a measurement is known for 10 s and no longer`() throws {
        var table = RangeTable()
        table.link(device(1))
        try table.receive(report(1, 1), now: .zero)
        #expect(table.measurements(now: .seconds(10)).count == 1)
        #expect(table.measurements(now: .seconds(10) + .milliseconds(1)).isEmpty)
    }

    @Test func `1024 devices are known, and a further one replaces the oldest`() throws {
        var table = RangeTable()
        for number in 0...RangingLimits.devicesMax {
            table.link(device(number))
            try table.receive(report(number, 1), now: .milliseconds(number))
            let count = table.measurements(now: .seconds(2)).count
            #expect(count == min(number + 1, RangingLimits.devicesMax))
        }
        #expect(table.measurements(now: .seconds(2))[device(0)] == nil)
    }

    @Test func `a new token replaces that device's, and a lost link forgets only its own`() {
        var table = RangeTable()
        for number in 1...2 { table.link(device(number)) }
        let recorded = [
            table.record(token: [1], from: device(1)), table.record(token: [2], from: device(2)),
            table.record(token: [3], from: device(1)),
        ]
        #expect(recorded == [true, true, true])
        let (one, two) = (device(1), device(2))
        let expected: [RangingChange] = [
            .linked(one), .token([3], from: one), .linked(two), .token([2], from: two),
        ]
        #expect(table.changes == expected)
        table.unlink(one)
        table.link(one)
        let remaining: [RangingChange] = [.linked(one), .linked(two), .token([2], from: two)]
        #expect(table.changes == remaining)
    }

    @Test(arguments: [(0, false), (1, true), (512, true), (513, false)])
    func `a token has 1 to 512 bytes and comes from a linked device`(bytes: Int, isRecorded: Bool) {
        var table = RangeTable()
        let token = Array(repeating: UInt8(7), count: bytes)
        let isEarly = table.record(token: token, from: device(1))
        table.link(device(1))
        let isLate = table.record(token: token, from: device(1))
        #expect(!isEarly && isLate == isRecorded)
        #expect(table.admits(token, of: device(1)) == isRecorded)
    }

    @Test func `a provider measures while one of the plugins asks`() {
        var questions = RangingQuestions()
        #expect(!questions.isAnybodyAsking(now: .zero))
        questions.ask("drop", for: .seconds(2), now: .zero)
        questions.ask("interests", for: .seconds(600), now: .zero)
        #expect(questions.asking(now: .seconds(1)) == ["drop", "interests"])
        #expect(questions.asking(now: .seconds(2)) == ["interests"])
        #expect(!questions.isAnybodyAsking(now: RangingLimits.askedMax))
        questions.ask("drop", for: .seconds(2), now: .seconds(60))
        questions.ask("drop", for: .zero, now: .seconds(60))
        #expect(!questions.isAnybodyAsking(now: .seconds(60)))
    }
}
