import Links
import NIOCore
import Testing

@testable import PeerLink

@Suite struct AcceptGateTests {
    private let start = NIODeadline.uptimeNanoseconds(1)

    private func limits(
        strangers: Int = 100, perAddress: Int = 100, perNetwork: Int = 100, perSecond: Int = 1000
    ) -> LinkLimits {
        var limits = LinkLimits()
        limits.strangersMax = strangers
        limits.strangersPerAddressMax = perAddress
        limits.strangersPerNetworkMax = perNetwork
        limits.acceptsPerSecondMax = perSecond
        limits.acceptsPerSecondPerNetworkMax = 10 * perSecond
        return limits
    }

    /// Admits connections at one moment and returns the numbers of those that each evicted, counted
    /// from 1.
    private func evictions(_ gate: inout AcceptGate, _ addresses: [String]) -> [Int?] {
        addresses.map { gate.admit(from: Origin($0), now: start)?.evicted }
    }

    @Test func `a newcomer over the limit takes the place of the oldest silent stranger`() {
        var gate = AcceptGate(limits: limits(strangers: 3))
        #expect(evictions(&gate, ["a", "b", "c", "d", "e"]) == [nil, nil, nil, 1, 2])
    }

    @Test func `a free place is taken before a stranger is evicted`() {
        var gate = AcceptGate(limits: limits(strangers: 2))
        #expect(evictions(&gate, ["a", "b"]) == [nil, nil])
        gate.settle(1)
        #expect(evictions(&gate, ["c", "d"]) == [nil, 2])
    }

    @Test func `active strangers are evicted after silent ones, and those with a proven key last`()
    {
        var gate = AcceptGate(limits: limits(strangers: 3))
        #expect(evictions(&gate, ["a", "b", "c"]) == [nil, nil, nil])
        gate.advance(1, to: .proven)
        gate.advance(2, to: .speaking)
        // The newcomers 4 to 6 stay silent, so they are evicted first; then one speaks.
        #expect(evictions(&gate, ["d", "e", "f"]) == [3, 4, 5])
        gate.advance(6, to: .speaking)
        #expect(evictions(&gate, ["g"]) == [2])
    }

    @Test func `a stranger of the most crowded address is evicted, even if it was active`() {
        var gate = AcceptGate(limits: limits(strangers: 4))
        #expect(evictions(&gate, ["a", "b", "b", "c"]) == [nil, nil, nil, nil])
        gate.advance(2, to: .proven)
        gate.advance(3, to: .proven)
        #expect(evictions(&gate, ["d"]) == [2])
    }

    @Test func `an address over its limit evicts its own strangers`() {
        var gate = AcceptGate(limits: limits(perAddress: 2))
        #expect(evictions(&gate, ["b", "a", "a", "a", "b", "b"]) == [nil, nil, nil, 2, nil, 1])
    }

    @Test func `an IPv6 network over its limit evicts its own strangers, from any address`() {
        var gate = AcceptGate(limits: limits(perNetwork: 2))
        let addresses = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "2001:db8::3"]
        #expect(evictions(&gate, ["10.0.0.1"] + addresses) == [nil, nil, nil, nil, 2])
    }

    @Test func `64 silent strangers from four addresses do not keep out a fifth`() {
        var gate = AcceptGate(limits: LinkLimits())
        let crowd = (0..<64).map { "10.0.0.\($0 % 4)" }
        #expect(evictions(&gate, crowd) == [Int?](repeating: nil, count: 64))
        let mate = gate.admit(from: Origin("10.0.0.9"), now: start)
        #expect(mate?.evicted == 1)
        // Ten thousand more never evict the mate.
        for second in 1...200 {
            for number in 0..<64 {
                let flood = gate.admit(
                    from: Origin("10.0.0.\(number % 4)"), now: start + .seconds(Int64(second)))
                #expect(flood?.evicted != mate?.ticket)
            }
        }
    }

    /// Returns how many newcomers come before a mate loses their place, if 250 addresses send the
    /// start of a handshake 16 times a second each, for a second.
    private func newcomers(beforeLossOfMateAt address: String, isKnown: Bool) -> Int? {
        var gate = AcceptGate(limits: LinkLimits())
        if isKnown, let before = gate.admit(from: Origin(address), now: start) {
            gate.recognize(before.ticket)
            gate.settle(before.ticket)
        }
        var mate: AcceptGate.Ticket?
        for number in 0..<250 * 16 {
            let origin = Origin("10.1.0.\(number % 250)")
            if let newcomer = gate.admit(from: origin, now: start) {
                if newcomer.evicted == mate, mate != nil { return number - 250 }
                gate.advance(newcomer.ticket, to: .speaking)
            }
            guard number == 250 else { continue }
            mate = gate.admit(from: Origin(address), now: start)?.ticket
            if let mate { gate.advance(mate, to: .speaking) }
        }
        return nil
    }

    @Test func `a mate keeps their place in a flood from 250 addresses, if theirs is known`() {
        #expect(newcomers(beforeLossOfMateAt: "10.0.0.9", isKnown: true) == nil)
        // 64 of 4000 newcomers a second come within 16 ms.
        #expect(newcomers(beforeLossOfMateAt: "10.0.0.9", isKnown: false) == 64)
    }

    @Test func `a known address keeps two places, and beyond them none`() {
        var gate = AcceptGate(limits: limits(strangers: 6))
        gate.settle(recognized("a", by: &gate))
        #expect(evictions(&gate, ["a", "a", "b", "c", "d", "e"]).allSatisfy { $0 == nil })
        #expect(evictions(&gate, ["f", "g"]) == [4, 5])
        #expect(evictions(&gate, ["a"]) == [6])
        // Three from one address are the most crowded, known or not.
        #expect(evictions(&gate, ["h"]) == [2])
    }

    @Test func `known addresses leave half of the places to others`() {
        var gate = AcceptGate(limits: limits(strangers: 4))
        for address in ["a", "b", "c"] { gate.settle(recognized(address, by: &gate)) }
        #expect(evictions(&gate, ["a", "b", "c", "d"]).allSatisfy { $0 == nil })
        // Three of four places would be kept, so none is.
        #expect(evictions(&gate, ["e"]) == [4])
    }

    @Test func `the latest known addresses are remembered`() {
        var limits = limits(strangers: 2)
        limits.knownAddressesMax = 1
        var gate = AcceptGate(limits: limits)
        for address in ["a", "b"] { gate.settle(recognized(address, by: &gate)) }
        #expect(evictions(&gate, ["a", "b"]).allSatisfy { $0 == nil })
        #expect(evictions(&gate, ["c", "d"]) == [3, 5])
    }

    private func recognized(_ address: String, by gate: inout AcceptGate) -> AcceptGate.Ticket {
        let ticket = gate.admit(from: Origin(address), now: start)?.ticket ?? 0
        gate.recognize(ticket)
        return ticket
    }

    @Test func `an address has its share of each second`() {
        var gate = AcceptGate(limits: limits(perSecond: 2))
        let visits = [("a", 0), ("a", 500), ("a", 999), ("b", 999), ("a", 1000)]
        let admitted = visits.map { host, milliseconds in
            gate.admit(from: Origin(host), now: start + .milliseconds(Int64(milliseconds))) != nil
        }
        #expect(admitted == [true, true, false, true, true])
    }

    @Test func `an IPv6 network has its share of each second`() {
        var limits = limits()
        limits.acceptsPerSecondPerNetworkMax = 2
        var gate = AcceptGate(limits: limits)
        let hosts = ["fe80::1%eth0", "fe80::2%eth0", "fe80::3%eth0", "fe80::3%wlan0"]
        let admitted = hosts.map { gate.admit(from: Origin($0), now: start) != nil }
        #expect(admitted == [true, true, false, true])
    }

    @Test func `the network of an IPv6 address is its first 64 bits, of an IPv4 address itself`() {
        let networks = [
            "192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
            "2001:db8::6": "2001:db8:0:0::/64", "::1": "0:0:0:0::/64",
            "2001:db8:0:0:9::": "2001:db8:0:0::/64", "fe80::a%eth0": "fe80:0:0:0::/64%eth0",
            "unknown": "unknown",
        ]
        for (address, network) in networks { #expect(Origin.network(of: address) == network) }
    }
}

extension Origin {
    init(_ address: String) {
        self.init(address: address, network: Origin.network(of: address))
    }
}
