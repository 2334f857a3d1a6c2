import ControlAPI
import Identity
import Links
import Location
import Logging
import NodeTestSupport
import PeerLink
import PluginKit
import Replica
import TestSupport

@testable import Node

/// A victim's node in this process whose values a test can read. It links over real TLS and is not
/// announced.
final class OpenVictim: Sendable {
    /// The node itself.
    let node: Node
    /// The port on which it accepts links.
    let port: UInt16
    private let running: Task<Void, Never>

    /// Starts a node on a home.
    static func start(_ home: Home) async throws -> OpenVictim {
        let identity = try NodeIdentity.load(from: home)
        let settings = try NodeSettings(home: home, listenPort: 0, usesAvahi: false)
        let transport = TLSTransport(
            try LinkEndpoint(key: identity.key.privateKey, logger: .quiet))
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let node = try Node(
            settings: settings, identity: identity, plugins: PluginCatalogue.all,
            surroundings: Surroundings(
                transport: transport, discovery: nil, clock: SystemClock(), random: SystemRandom(),
                receiver: { _, _ in NoReceiver() }, photos: DrawnPhotos(), logger: .quiet),
            stopRequest: stopRequest)
        let listener = try await transport.listen(port: 0)
        try await node.prepare(port: listener.port)
        return OpenVictim(
            node, port: listener.port, running: Task { await node.run(listener: listener) })
    }

    private init(_ node: Node, port: UInt16, running: Task<Void, Never>) {
        (self.node, self.port, self.running) = (node, port, running)
    }

    deinit { running.cancel() }

    /// Ends the node; its home stays.
    func end() async throws {
        running.cancel()
        await running.value
        try await node.replica.close()
    }
}

/// No receiver of locations.
struct NoReceiver: LocationSource {
    func run(_ report: @Sendable (LocationReport) async -> Void) async throws {}
}
