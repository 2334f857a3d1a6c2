public import Crypto
public import Links
public import Logging
public import NIOCore
import NIOPosix
import NIOSSL
public import Records

/// The origin of a device's links: it dials other devices and accepts their links, always as the
/// same device and with the same times and limits.
public final class LinkEndpoint: Sendable {
    /// This device.
    public let device: DeviceID
    /// The time limits of its links.
    public let times: LinkTimes
    /// The other limits of the endpoint and its links.
    public let limits: LinkLimits

    let group: any EventLoopGroup
    let logger: Logger
    private let dialling: NIOSSLContext
    private let serving: NIOSSLContext

    /// Creates an endpoint of the device that owns `key`.
    /// - Parameter group: any group of NIOPosix; by default the process-wide one.
    /// - Throws: an error if the TLS library refuses the key or the settings.
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

    /// Builds a link's pipeline on its channel; must be called on the channel's event loop.
    /// - Parameter visit: the peer's place among the strangers, if it dialled.
    func prepare(
        _ channel: any Channel, _ role: LinkRole, visit: Visit? = nil
    ) throws -> EventLoopFuture<Link> {
        let established = channel.eventLoop.makePromise(of: Link.self)
        let handler = LinkHandler(
            role: role, times: times, limits: limits, established: established, visit: visit)
        do {
            let pipeline = channel.pipeline.syncOperations
            if let visit { try pipeline.addHandler(FirstBytesHandler(visit)) }
            try pipeline.addHandler(WriteStallHandler(limit: times.write))
            try pipeline.addHandler(tls(for: handler))
            try pipeline.addHandler(handler)
        } catch {
            handler.finish()
            throw error
        }
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        visit?.whenCrowdedOut { channel.eventLoop.execute { bound.value.end(.crowdedOut) } }
        return established.futureResult
    }

    private func tls(for handler: LinkHandler) throws -> NIOSSLHandler {
        let verify: NIOSSLCustomVerificationCallback = { chain, verdict in
            verdict.succeed(handler.verify(chain))
        }
        guard handler.role.isDialler else {
            return NIOSSLServerHandler(context: serving, customVerificationCallback: verify)
        }
        return try NIOSSLClientHandler(
            context: dialling, serverHostname: nil, customVerificationCallback: verify)
    }
}
