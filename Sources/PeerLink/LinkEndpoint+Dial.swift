public import Links
import NIOCore
import NIOPosix
public import Records

extension LinkEndpoint {
    /// Connects to an address and makes a link with the device there. If `expecting` is given, only
    /// that device is accepted. Cancelling the task ends the attempt at once.
    ///
    /// In TLS the dialling side finishes first, so if the peer refuses this device, the link ends
    /// immediately.
    /// - Throws: ``LinkFault/cannotConnect(_:)``, a fault of the handshake,
    ///   ``LinkFault/notEd25519``, ``LinkFault/ownDevice``,
    ///   ``LinkFault/wrongDevice(expected:found:)`` or ``LinkFault/cancelled``.
    public func dial(
        _ address: LinkAddress, expecting: DeviceID?
    ) async throws(LinkFault) -> Link {
        let attempt = DialAttempt()
        let result = await withTaskCancellationHandler {
            await link(to: address, expecting, attempt)
        } onCancel: {
            attempt.cancel()
        }
        guard !attempt.isCancelled else { throw .cancelled }
        return try result.get()
    }

    private func link(
        to address: LinkAddress, _ expecting: DeviceID?, _ attempt: DialAttempt
    ) async -> Result<Link, LinkFault> {
        guard !attempt.isCancelled else { return .failure(.cancelled) }
        do {
            let channel = try await connect(to: address, expecting, attempt).get()
            guard let link = attempt.link(over: channel) else {
                preconditionFailure("an attempt records each connection before it is opened")
            }
            return .success(try await link.get())
        } catch let fault as LinkFault {
            return .failure(fault)
        } catch {
            return .failure(.cannotConnect(String(describing: error)))
        }
    }

    private func connect(
        to address: LinkAddress, _ expecting: DeviceID?, _ attempt: DialAttempt
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = dialBootstrap(expecting, attempt)
        do {
            let socket = try SocketAddress(ipAddress: address.host, port: Int(address.port))
            return bootstrap.connect(to: socket)
        } catch {
            guard !address.host.contains(":") else {
                let fault = LinkFault.cannotConnect("no such address or interface: \(address)")
                return group.any().makeFailedFuture(fault)
            }
            return bootstrap.connect(host: address.host, port: Int(address.port))
        }
    }

    private func dialBootstrap(
        _ expecting: DeviceID?, _ attempt: DialAttempt
    ) -> ClientBootstrap {
        ClientBootstrap(group: group)
            .connectTimeout(TimeAmount(times.connect))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let check = PeerCheck(own: device, expected: expecting)
                    let role = LinkRole(isDialler: true, check: check)
                    attempt.add(channel, try prepare(channel, role))
                }
            }
    }
}
