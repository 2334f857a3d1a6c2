import ControlAPI
import Daemon
import Foundation
import Identity
import Links
import Logging
import NodeTestSupport
import PluginHost
import PluginKit
import Records
import Replica
import Synchronization
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// The records that a node sends before the batches of a log.
@Suite struct LogSenderTests {
    /// The types of the frames that were sent, in order.
    private final class Sent: Sendable {
        private let types = Mutex<[FrameType?]>([])

        func add(_ frame: Frame) { types.withLock { $0.append(FrameType(rawValue: frame.type)) } }

        /// Returns the types, and forgets them.
        func next() -> [FrameType?] {
            types.withLock { types in
                defer { types = [] }
                return types
            }
        }
    }

    private func withNode(_ body: (Node) async throws -> Void) async throws {
        var logger = Logger(label: "node")
        logger.logLevel = .critical
        let home = try RunningNode.founded()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        let identity = try NodeIdentity.load(from: home)
        let settings = try NodeSettings(home: home, usesAvahi: false)
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let real = try Surroundings.real(of: identity.key, settings, logger)
        let node = try Node(
            settings: settings, identity: identity, plugins: [],
            surroundings: Surroundings(
                transport: real.transport, discovery: nil, clock: VirtualClock(),
                random: SystemRandom(), receiver: real.receiver, photos: DrawnPhotos(),
                logger: logger),
            stopRequest: stopRequest)
        try await node.prepare(port: 0)
        try await body(node)
        try await node.replica.close()
    }

    @Test func `an author's record comes again with a repeat, since the peer may have no room`()
        async throws
    {
        try await withNode { node in
            let (replica, time) = await (node.replica, node.clock.wallTime)
            let group = SpaceDescriptor.group(owner: node.me, nonce: .zero)
            let key = DeviceKey()
            var generator = SystemRandomNumberGenerator()
            let recovery = RecoveryWords(using: &generator).key
            let member = try PersonRecord(
                founding: FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey),
                firstDevice: key)
            try await replica.open(group)
            try await replica.control(
                [.grant(member.person, .writer)], in: group.id, wallTime: time)
            try await replica.learn(member)
            let run = try Run.first([.accept], by: key, in: group.id, at: time)
            let outcome = try await replica.merge([(group.id, run)], wallTime: time)
            #expect(outcome.faults.isEmpty)

            let sent = Sent()
            let active = try ActiveLink.silent(id: 1, on: node.device) { sent.add($0) }
            var sender = LogSender(active, node: node)
            var frames: [[FrameType?]] = []
            for device in [node.device, node.device, key.id, key.id] {
                try await sender.send(
                    LogName(device: device), of: group.id, after: 0,
                    prefix: BatchHash.none.prefix, channel: 0)
                frames.append(sent.next())
            }
            // This side's own record was in HELLO.
            #expect(
                frames == [
                    [.push], [.identity, .push], [.identity, .push], [.identity, .push],
                ])
        }
    }
}
