import Links
import NIOCore
import Testing

@testable import PeerLink

@Suite struct AcceptGateTests {
    private let start = NIODeadline.uptimeNanoseconds(1)

    private func limits(strangers: Int, perSecond: Int) -> LinkLimits {
        var limits = LinkLimits()
        limits.strangersMax = strangers
        limits.acceptsPerSecondMax = perSecond
        return limits
    }

    @Test func `the last stranger under the limit is admitted and the next is not`() {
        var gate = AcceptGate(limits: limits(strangers: 3, perSecond: 100))
        let admitted = ["a", "b", "c", "d"].map { gate.admit(from: $0, now: start) }
        #expect(admitted == [true, true, true, false])
        gate.settle(from: "a")
        let admittedLater = gate.admit(from: "d", now: start)
        #expect(admittedLater)
    }

    @Test func `an address has its share of each second`() {
        var gate = AcceptGate(limits: limits(strangers: 100, perSecond: 2))
        let visits = [("a", 0), ("a", 500), ("a", 999), ("b", 999), ("a", 1000)]
        let admitted = visits.map { host, milliseconds in
            gate.admit(from: host, now: start + .milliseconds(Int64(milliseconds)))
        }
        #expect(admitted == [true, true, false, true, true])
    }

    @Test func `the last stranger of one address under its limit is admitted, the next is not`() {
        var limits = limits(strangers: 100, perSecond: 100)
        limits.strangersPerAddressMax = 2
        var gate = AcceptGate(limits: limits)
        let admitted = ["a", "a", "a", "b"].map { gate.admit(from: $0, now: start) }
        #expect(admitted == [true, true, false, true])
        gate.settle(from: "b")
        let beforeItsOwn = gate.admit(from: "a", now: start)
        #expect(!beforeItsOwn)
        gate.settle(from: "a")
        let afterItsOwn = gate.admit(from: "a", now: start)
        #expect(afterItsOwn)
    }

    @Test func `one address gets at most a quarter of the limit, however long it waits`() {
        let usual = LinkLimits()
        #expect(usual.strangersPerAddressMax * 4 == usual.strangersMax)
        var gate = AcceptGate(limits: usual)
        let admitted = (0..<usual.strangersMax).count { second in
            gate.admit(from: "a", now: start + .seconds(Int64(second)))
        }
        #expect(admitted == usual.strangersPerAddressMax)
    }
}
