import Crypto
import Links
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Records
import Testing

@testable import PeerLink

/// A device with its own key, for one test.
struct TestDevice {
    let key = Curve25519.Signing.PrivateKey()

    func endpoint(
        times: LinkTimes = LinkTimes(), limits: LinkLimits = LinkLimits()
    ) throws -> LinkEndpoint {
        try LinkEndpoint(key: key, times: times, limits: limits, logger: .silent)
    }

    func certificate() throws -> DeviceCertificate {
        try DeviceCertificate(key: key)
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension LinkListener {
    var address: LinkAddress { LinkAddress(host: "127.0.0.1", port: port) }

    /// Returns the next link that another device dialled.
    func next() async throws -> Link {
        var iterator = links.makeAsyncIterator()
        return try #require(await iterator.next())
    }
}

extension Link {
    /// Accepts a HELLO that the peer never sends, and returns when this has taken effect.
    ///
    /// In the product the peer's HELLO comes first, and no later byte is read until it is accepted.
    /// These tests skip it, so that a long first frame could be checked against HELLO's limit if
    /// the event loop read the socket before it accepted.
    func openWithoutHello() async throws {
        helloAccepted(isKnown: false)
        try await eventLoop.submit {}.get()
    }
}

/// Two linked devices over real TLS on the loopback interface, after HELLO was accepted.
struct LinkedPair {
    let listener: LinkListener
    let dialled: Link
    let accepted: Link

    init(
        dialler: LinkEndpoint, acceptor: LinkEndpoint, acceptsHello: Bool = true
    ) async throws {
        listener = try await acceptor.listen(host: "127.0.0.1", port: 0)
        dialled = try await dialler.dial(listener.address, expecting: acceptor.device)
        accepted = try await listener.next()
        if acceptsHello {
            try await dialled.openWithoutHello()
            try await accepted.openWithoutHello()
        }
    }

    func close() async {
        dialled.close(because: .closed)
        accepted.close(because: .closed)
        _ = await (dialled.closed, accepted.closed)
        await listener.close()
    }
}

/// A peer that follows TLS but not the frame protocol.
enum RawPeer {
    /// Dials with these TLS settings and returns the channel when TCP is open.
    static func dial(_ port: UInt16, _ configuration: TLSConfiguration) async throws -> any Channel
    {
        let context = try NIOSSLContext(configuration: configuration)
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try NIOSSLClientHandler(
                        context: context, serverHostname: nil,
                        customVerificationCallback: { _, verdict in
                            verdict.succeed(.certificateVerified)
                        })
                    try channel.pipeline.syncOperations.addHandler(tls)
                }
            }
            .connect(host: "127.0.0.1", port: Int(port)).get()
    }

    /// Dials as a device with the protocol's TLS settings.
    static func dial(_ port: UInt16, as device: TestDevice) async throws -> any Channel {
        let certificate = try device.certificate()
        return try await dial(
            port, .link(certificate, goodbye: .milliseconds(100), serves: false))
    }

    /// Opens a port and runs `greet` on every connection.
    static func serve(
        _ greet: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try greet(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Sends one byte after the other and then zeros, each after a pause, until the connection
    /// ends.
    static func drip(_ bytes: [UInt8], into channel: any Channel, every pause: TimeAmount) {
        let rest = NIOLoopBoundBox.makeBoxSendingValue(
            bytes.makeIterator(), eventLoop: channel.eventLoop)
        let dripping = channel.eventLoop.scheduleRepeatedTask(
            initialDelay: pause, delay: pause
        ) { _ in
            let byte = rest.value.next() ?? 0
            channel.writeAndFlush(ByteBuffer(bytes: [byte]), promise: nil)
        }
        channel.closeFuture.whenComplete { _ in dripping.cancel() }
    }
}

extension Channel {
    /// The address of this listening channel.
    var linkAddress: LinkAddress {
        LinkAddress(host: "127.0.0.1", port: UInt16(localAddress?.port ?? 0))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }
}
