import Links
import PluginKit
import Records
import Synchronization
import Testing

@testable import Daemon

/// The port on which a node listens after it has begun anew.
@Suite struct RestartPortTests {
    /// Ports that other programs use for a time, or for ever; the system gives out 40001.
    private struct Ports: Transport {
        var taken: Set<UInt16> = []
        var lingering: [UInt16: Duration] = [:]
        let clock = HastyClock()

        /// Listens as a node does that has just begun.
        func begin(at preferred: UInt16, otherwise port: UInt16) async throws -> UInt16 {
            try await listen(preferring: preferred, otherwise: port, clock: clock).port
        }

        func dial(
            _ address: LinkAddress, expecting: DeviceID?
        ) async throws(LinkFault) -> any DeviceLink {
            throw .cannotConnect("nobody is there")
        }

        func listen(port: UInt16) async throws(ListenFault) -> any LinkArrivals {
            let isLingering = lingering[port].map { clock.uptime < $0 } ?? false
            if taken.contains(port) || isLingering { throw .portTaken(port: port) }
            return Arrivals(port: port == 0 ? 40001 : port)
        }
    }

    /// A clock on which every sleep is over at once.
    private final class HastyClock: NodeClock {
        private let slept = Mutex(Duration.zero)
        var wallTime: Timestamp { Timestamp(milliseconds: 0) }
        var uptime: Duration { slept.withLock { $0 } }
        func sleep(for duration: Duration) async throws {
            try Task.checkCancellation()
            slept.withLock { $0 += duration }
        }
    }

    private struct Arrivals: LinkArrivals {
        let port: UInt16
        func nextLink() async -> (any DeviceLink)? { nil }
        func close() async {}
    }

    @Test func `a node that begins anew listens on the port it had`() async throws {
        #expect(try await Ports().begin(at: 40000, otherwise: 0) == 40000)
    }

    @Test(arguments: [0, 40000] as [UInt16])
    func `a port that lingers after its node's end is waited for`(configured: UInt16) async throws {
        let ports = Ports(lingering: [40000: .seconds(2)])
        #expect(try await ports.begin(at: 40000, otherwise: configured) == 40000)
    }

    @Test func `another port is used if the system chose the earlier one and it stays taken`()
        async throws
    {
        let ports = Ports(taken: [40000])
        #expect(try await ports.begin(at: 40000, otherwise: 0) == 40001)
        #expect(ports.clock.uptime == .seconds(3))
    }

    @Test func `a port that the user chose is not replaced`() async {
        let ports = Ports(taken: [7])
        await #expect(throws: ListenFault.portTaken(port: 7)) {
            try await ports.begin(at: 7, otherwise: 7)
        }
        #expect(ports.clock.uptime == .seconds(3))
    }

    @Test func `a node that is told to end does not wait for its port`() async {
        let ports = Ports(taken: [7])
        let start = Task { try await ports.begin(at: 7, otherwise: 7) }
        start.cancel()
        await #expect(throws: ListenFault.portTaken(port: 7)) { try await start.value }
    }
}
