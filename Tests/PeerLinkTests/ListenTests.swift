import Links
import NIOCore
import Testing

@testable import PeerLink

@Suite(.timeLimit(.minutes(1))) struct ListenTests {
    private let ann = TestDevice()
    private let bob = TestDevice()

    @Test func `a fault names the port that is in use`() async throws {
        let first = try await ann.endpoint().listen(host: "127.0.0.1", port: 0)
        await #expect(throws: ListenFault.portTaken(port: first.port)) {
            try await bob.endpoint().listen(host: "127.0.0.1", port: first.port)
        }
        await first.close()
    }

    @Test func `a closed listener frees its port and ends its links`() async throws {
        let first = try await ann.endpoint().listen(host: "127.0.0.1", port: 0)
        await first.close()
        for await _ in first.links { Issue.record("no device dialled") }
        let second = try await bob.endpoint().listen(host: "127.0.0.1", port: first.port)
        #expect(second.port == first.port)
        await second.close()
    }

    @Test func `listening on another machine's address fails`() async throws {
        let fault = await #expect(throws: ListenFault.self) {
            try await ann.endpoint().listen(host: "192.0.2.1", port: 0)
        }
        guard case .cannotListen = fault else {
            Issue.record("another fault: \(String(describing: fault))")
            return
        }
    }

    /// Returns addresses of this machine on which a listener on every address can be reached.
    private static func ownAddresses() throws -> [String] {
        let linkLocal = try System.enumerateDevices().compactMap { device in
            device.address?.ipAddress.flatMap {
                $0.hasPrefix("fe80:") ? "\($0)%\(device.name)" : nil
            }
        }
        let loopback = try System.enumerateDevices().compactMap(\.address?.ipAddress)
            .filter { $0 == "127.0.0.1" || $0 == "::1" }
        return loopback + linkLocal
    }

    @Test(arguments: try ownAddresses())
    func `one listener accepts IPv4, IPv6 and link-local IPv6`(host: String) async throws {
        let listener = try await ann.endpoint().listen(port: 0)
        let link = try await bob.endpoint().dial(
            LinkAddress(host: host, port: listener.port), expecting: nil)
        let accepted = try await listener.next()
        #expect(accepted.remoteAddress?.host == host)
        #expect(link.remoteAddress == LinkAddress(host: host, port: listener.port))
        link.close(because: .closed)
        _ = await (link.closed, accepted.closed)
        await listener.close()
    }

    @Test func `a link that is not read ends at the deadline of its HELLO`() async throws {
        var times = LinkTimes()
        times.hello = .milliseconds(100)
        let listener = try await ann.endpoint(times: times).listen(host: "127.0.0.1", port: 0)
        let link = try await bob.endpoint().dial(listener.address, expecting: nil)
        guard case .connectionLost = await link.closed else {
            Issue.record("ended for another reason")
            return
        }
        await listener.close()
    }
}
