import Links
import Records
import Testing

@testable import Daemon

/// The port on which a node listens after it has begun anew.
@Suite struct RestartPortTests {
    /// Ports that other programs use; the system gives out 40001.
    private struct Ports: Transport {
        var taken: Set<UInt16> = []

        func dial(
            _ address: LinkAddress, expecting: DeviceID?
        ) async throws(LinkFault) -> any DeviceLink {
            throw .cannotConnect("nobody is there")
        }

        func listen(port: UInt16) async throws(ListenFault) -> any LinkArrivals {
            if taken.contains(port) { throw .portTaken(port: port) }
            return Arrivals(port: port == 0 ? 40001 : port)
        }
    }

    private struct Arrivals: LinkArrivals {
        let port: UInt16
        func nextLink() async -> (any DeviceLink)? { nil }
        func close() async {}
    }

    @Test func `a node that begins anew listens on the port it had`() async throws {
        let listener = try await Ports().listen(preferring: 40000, otherwise: 0)
        #expect(listener.port == 40000)
    }

    @Test func `another port is used if the system chose the earlier one and it is taken now`()
        async throws
    {
        let listener = try await Ports(taken: [40000]).listen(preferring: 40000, otherwise: 0)
        #expect(listener.port == 40001)
    }

    @Test func `a port that the user chose is not replaced`() async {
        await #expect(throws: ListenFault.portTaken(port: 7)) {
            try await Ports(taken: [7]).listen(preferring: 7, otherwise: 7)
        }
    }
}
