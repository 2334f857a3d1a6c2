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

    /// Makes a group with a member who has written a batch.
    /// - Returns: the group, and the member's device.
    private func groupWithMember(of node: Node) async throws -> (SpaceDescriptor, DeviceID) {
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
        return (group, key.id)
    }

    @Test func `an author's record comes again with a repeat, since the peer may have no room`()
        async throws
    {
        try await withNode { node in
            let (group, member) = try await groupWithMember(of: node)
            let sent = Sent()
            let active = try ActiveLink.silent(id: 1, on: node.device) { sent.add($0) }
            var sender = await LogSender(active, node: node)
            var frames: [[FrameType?]] = []
            for device in [node.device, node.device, member, member] {
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

    @Test func `a removal is told before later batches, also if their log was queued before it`()
        async throws
    {
        try await withNode { node in
            let (replica, time) = await (node.replica, node.clock.wallTime)
            let (group, phone) = (SpaceDescriptor.group(owner: node.me, nonce: .zero), DeviceKey())
            let key = await node.identity.key
            let both = try #require(await replica.personRecord(node.me)).adding(
                DeviceEntry.adding(DeviceConsent(of: phone, to: node.me), by: key))
            try await replica.learn(both)
            try await replica.open(group)
            /// Writes a batch, and returns what names the one before it.
            func write() async throws -> UInt64 {
                let last = await replica.heads(in: group.id).first?.head.hash ?? .none
                let person = try ActiveLink.silent(id: 2).peer.person
                try await replica.control([.grant(person, .writer)], in: group.id, wallTime: time)
                return last.prefix
            }

            let sent = Sent()
            let active = try ActiveLink.silent(id: 1, on: node.device) { sent.add($0) }
            var sender = await LogSender(active, node: node)
            func send(after number: UInt64, _ prefix: UInt64) async throws -> [FrameType?] {
                try await sender.send(
                    LogName(device: node.device), of: group.id, after: number, prefix: prefix,
                    channel: 0)
                return sent.next()
            }
            #expect(try await send(after: 0, write()) == [.push])
            try await replica.learn(both.removing(phone.id, by: key))
            #expect(try await send(after: 1, write()) == [.identity, .push])
            #expect(try await send(after: 2, write()) == [.push])
        }
    }

    @Test(arguments: [false, true])
    func `no batch follows an author's record if the queue was discarded meanwhile`(
        isDiscarded: Bool
    ) async throws {
        try await withNode { node in
            let (group, member) = try await groupWithMember(of: node)
            let sent = Sent()
            let discarded = Mutex<Outbox?>(nil)
            let active = try ActiveLink.silent(id: 1, on: node.device) { frame in
                sent.add(frame)
                discarded.withLock { $0?.discard() }
            }
            if isDiscarded { discarded.withLock { $0 = active.outbox } }
            var sender = await LogSender(active, node: node)
            try await sender.send(
                LogName(device: member), of: group.id, after: 0, prefix: BatchHash.none.prefix,
                channel: 0)
            #expect(sent.next() == (isDiscarded ? [.identity] : [.identity, .push]))
        }
    }
}
