public import Crypto
public import Links
public import Logging
public import NIOCore
import NIOPosix
import NIOSSL
public import Records

/// Where a device's links begin: it dials other devices and listens for them, always as the same
/// device and under the same times and limits.
public final class LinkEndpoint: Sendable {
    /// This device.
    public let device: DeviceID
    /// The times its links keep.
    public let times: LinkTimes
    /// What it and its links may hold.
    public let limits: LinkLimits

    let group: any EventLoopGroup
    let logger: Logger
    private let dialling: NIOSSLContext
    private let serving: NIOSSLContext

    /// An endpoint of the device that owns `key`.
    ///
    /// `group` is any group of NIOPosix; the process-wide one where none is given.
    /// - Throws: where the system's TLS library refuses the key or the settings.
    public init(
        key: Curve25519.Signing.PrivateKey, times: LinkTimes = LinkTimes(),
        limits: LinkLimits = LinkLimits(), group: (any EventLoopGroup)? = nil, logger: Logger
    ) throws {
        let certificate = try DeviceCertificate(key: key)
        guard let device = DeviceID(bytes: key.publicKey.rawRepresentation) else {
            preconditionFailure("an Ed25519 public key has 32 bytes")
        }
        self.device = device
        self.times = times
        self.limits = limits
        self.group = group ?? .singletonMultiThreadedEventLoopGroup
        self.logger = logger
        dialling = try NIOSSLContext(
            configuration: .link(certificate, goodbye: times.goodbye, serves: false))
        serving = try NIOSSLContext(
            configuration: .link(certificate, goodbye: times.goodbye, serves: true))
    }

    /// Builds a link's pipeline on its channel, on the channel's event loop.
    func prepare(
        _ channel: any Channel, _ role: LinkRole, settled: (() -> Void)? = nil
    ) throws -> EventLoopFuture<Link> {
        let handler = LinkHandler(
            role: role, times: times, limits: limits, eventLoop: channel.eventLoop,
            settled: settled)
        do {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(WriteStallHandler(limit: times.write))
            try pipeline.addHandler(tls(for: handler))
            try pipeline.addHandler(handler)
        } catch {
            handler.finish()
            throw error
        }
        return handler.established.futureResult
    }

    private func tls(for handler: LinkHandler) throws -> NIOSSLHandler {
        let verify: NIOSSLCustomVerificationCallback = { chain, verdict in
            verdict.succeed(handler.judge(chain))
        }
        guard handler.role.isDialler else {
            return NIOSSLServerHandler(context: serving, customVerificationCallback: verify)
        }
        return try NIOSSLClientHandler(
            context: dialling, serverHostname: nil, customVerificationCallback: verify)
    }

    /// Bytes that may wait in a socket's queue, as NIO counts them.
    var writeMark: ChannelOptions.Types.WriteBufferWaterMark {
        .init(low: limits.queuedBytesMax / 2, high: limits.queuedBytesMax)
    }
}
