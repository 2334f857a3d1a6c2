import Links
import NIOCore
import NIOPosix
import Records
import Testing

@testable import PeerLink

@Suite(.timeLimit(.minutes(1))) struct DialTests {
    private let ann = TestDevice()
    private let bob = TestDevice()

    @Test func `dialling a closed port is a fault with its cause`() async throws {
        let listener = try await bob.endpoint().listen(host: "127.0.0.1", port: 0)
        await listener.close()
        let fault = await #expect(throws: LinkFault.self) {
            try await ann.endpoint().dial(listener.address, expecting: nil)
        }
        guard case .cannotConnect = fault else {
            Issue.record("another fault: \(String(describing: fault))")
            return
        }
    }

    @Test func `an interface that does not exist is a fault`() async throws {
        let address = LinkAddress(host: "fe80::1%nowhere0", port: 4242)
        await #expect(
            throws: LinkFault.cannotConnect(
                "no such address or interface: [fe80::1%nowhere0]:4242")
        ) { try await ann.endpoint().dial(address, expecting: nil) }
    }

    @Test func `a name is dialled as well as an address`() async throws {
        let listener = try await bob.endpoint().listen(port: 0)
        let link = try await ann.endpoint().dial(
            LinkAddress(host: "localhost", port: listener.port), expecting: nil)
        let accepted = try await listener.next()
        #expect(accepted.remoteDevice == link.ownDevice)
        link.close(because: .closed)
        _ = await (link.closed, accepted.closed)
        await listener.close()
    }

    @Test func `a server that drips its handshake is not waited for`() async throws {
        let server = try await RawPeer.serve { channel in
            // A TLS record of 16 KiB that contains the start of a ServerHello.
            RawPeer.drip([22, 3, 3, 0x40, 0, 2, 0, 0x3F], into: channel, every: .milliseconds(20))
        }
        var times = LinkTimes()
        times.handshake = .milliseconds(200)
        await #expect(throws: LinkFault.handshakeTooSlow) {
            try await ann.endpoint(times: times).dial(server.linkAddress, expecting: nil)
        }
        try await server.close()
    }

    @Test func `a server with another protocol is refused`() async throws {
        let server = try await RawPeer.serve { channel in
            let greeting = ByteBuffer(string: "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n")
            channel.eventLoop.execute { channel.writeAndFlush(greeting, promise: nil) }
        }
        let fault = await #expect(throws: LinkFault.self) {
            try await ann.endpoint().dial(server.linkAddress, expecting: nil)
        }
        guard case .handshakeFailed = fault else {
            Issue.record("another fault: \(String(describing: fault))")
            return
        }
        try await server.close()
    }

    @Test func `a cancelled dial ends at once and leaves no connection`() async throws {
        let (connections, arrivals) = AsyncStream.makeStream(of: (any Channel).self)
        let server = try await RawPeer.serve { arrivals.yield($0) }
        let endpoint = try ann.endpoint()
        let dial = Task {
            try await endpoint.dial(server.linkAddress, expecting: nil)
        }
        var iterator = connections.makeAsyncIterator()
        let connection = try #require(await iterator.next())
        dial.cancel()
        await #expect(throws: LinkFault.cancelled) { try await dial.value }
        try await connection.closeFuture.get()
        try await server.close()
    }

    @Test func `a cancelled task does not dial`() async throws {
        let listener = try await bob.endpoint().listen(host: "127.0.0.1", port: 0)
        let endpoint = try ann.endpoint()
        let address = listener.address
        let dial = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await endpoint.dial(address, expecting: nil)
        }
        dial.cancel()
        await #expect(throws: LinkFault.cancelled) { try await dial.value }
        await listener.close()
    }
}
