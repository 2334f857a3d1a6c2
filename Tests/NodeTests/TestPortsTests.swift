import Testing

@testable import NodeTestSupport

/// The ports that nodes of tests listen on.
@Suite struct TestPortsTests {
    @Test func `no two claims have a port in common, and an ended one is free again`()
        async throws
    {
        // Below the ports of all other tests.
        let range: ClosedRange<UInt16> = 11_900...11_999
        var first = PortBlock.claim(in: range)
        let second = PortBlock.claim(in: range)
        var ports = Set<UInt16>()
        for block in [first, second] {
            while let port = block?.next() { ports.insert(port) }
        }
        #expect(ports == Set(range))
        #expect(PortBlock.claim(in: range) == nil)
        first = nil
        // A process that another test was starting has the socket until its program begins.
        #expect(await eventually { PortBlock.claim(in: range)?.next() != nil })
        withExtendedLifetime(second) {}
    }

    @Test func `each port is given once`() {
        let count = 2 * Int(PortBlock.portsCount)
        #expect(Set((0..<count).map { _ in TestPorts.next() }).count == count)
    }
}
