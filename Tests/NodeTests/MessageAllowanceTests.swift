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
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// A node accepts twenty messages a second from each link, of those that are never stored.
@Suite struct MessageAllowanceTests {
    private static let most = MessageAllowance.perSecondMax

    /// Runs a test with a node whose clock stands still and a plugin that listens.
    private func withNode(
        _ body: (Node, VirtualClock) async throws -> Void
    ) async throws {
        var logger = Logger(label: "node")
        logger.logLevel = .critical
        let home = try RunningNode.founded()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        let identity = try NodeIdentity.load(from: home)
        let settings = try NodeSettings(home: home, usesAvahi: false)
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let clock = VirtualClock()
        let real = try Surroundings.real(of: identity.key, settings, logger)
        let node = try Node(
            settings: settings, identity: identity, plugins: [ListeningPlugin.self],
            surroundings: Surroundings(
                transport: real.transport, discovery: nil, clock: clock, random: SystemRandom(),
                receiver: real.receiver, photos: DrawnPhotos(), logger: logger),
            stopRequest: stopRequest)
        try await node.prepare(port: 0)
        let hearing = Task { await node.host.run() }
        defer { hearing.cancel() }
        try await body(node, clock)
        hearing.cancel()
        await hearing.value
        try await node.replica.close()
    }

    @Test(arguments: [most - 1, most, most + 1, most + 20])
    func `at most one second's worth of messages is accepted from a link`(
        count: Int
    ) async throws {
        try await withNode { node, clock in
            let device = try await node.addLink()
            for number in 0..<count { await node.hear(UInt8(number), from: device) }
            clock.advance(by: .seconds(1))
            await node.hear(ListeningPlugin.last, from: device)
            let taken = min(count, Self.most)
            #expect(try await node.heard() == Array(0..<taken))
        }
    }

    @Test func `each link has its own allowance, which is renewed each second`() async throws {
        try await withNode { node, clock in
            let devices = [try await node.addLink(), try await node.addLink()]
            var expected: [Int] = []
            for second in 0..<3 {
                for (index, device) in devices.enumerated() {
                    let mark = UInt8(second * 10 + index)
                    for _ in 0..<Self.most + 5 { await node.hear(mark, from: device) }
                    expected += [Int](repeating: Int(mark), count: Self.most)
                }
                clock.advance(by: .seconds(1))
            }
            await node.hear(ListeningPlugin.last, from: devices[0])
            #expect(try await node.heard() == expected)
        }
    }

    @Test func `an expired message is neither accepted nor counted`() async throws {
        try await withNode { node, clock in
            let device = try await node.addLink()
            for _ in 0..<Self.most { await node.hear(1, from: device, expiry: .zero) }
            for _ in 0..<Self.most { await node.hear(2, from: device) }
            clock.advance(by: .seconds(1))
            await node.hear(ListeningPlugin.last, from: device)
            #expect(try await node.heard() == [Int](repeating: 2, count: Self.most))
        }
    }
}

extension Node {
    /// Registers a link with a new peer, over which nothing is sent.
    fileprivate func addLink() throws -> DeviceID {
        let active = try ActiveLink.silent(id: links.newID(), on: device)
        links[active.peer.device] = active
        return active.peer.device
    }

    /// Receives a message from a link, as its session delivers it.
    fileprivate func hear(
        _ mark: UInt8, from device: DeviceID, expiry: Duration = .seconds(1)
    ) async {
        guard let link = links[device]?.id else { return }
        let message = Ephemeral(
            channel: 0, topic: ListeningPlugin.topic, counter: 1,
            expiry: expiry, body: [mark])
        await settle([.ephemeral(SpaceDescriptor.own(me).id, message)], on: device, id: link)
    }

    /// Returns the messages that the plugin received.
    fileprivate func heard() async throws -> [Int] {
        let answer = try await host.perform(
            ListeningPlugin.heard.declaration, Arguments(NoParameters()))
        return try #require(answer).decoded(as: ListeningPlugin.Heard.self).marks
    }
}

/// A plugin that keeps the messages it receives, in order.
private struct ListeningPlugin: Plugin {
    static let topic = "listening"
    /// The message that ends the wait.
    static let last: UInt8 = 255
    static let manifest = Manifest(
        id: "listening", version: 1, collections: [], ephemeralTopics: [topic])

    static let heard = Command<NoParameters, Heard>(
        .query, "listening", "heard", help: "What was heard up to the last message.")

    struct Heard: Codable, Sendable { var marks: [Int] }

    static let commands: [CommandHandler] = [
        handle(heard) { plugin, _ in
            var marks: [Int] = []
            for await mark in plugin.marks {
                if mark == last { break }
                marks.append(Int(mark))
            }
            return Heard(marks: marks)
        }
    ]

    private let marks: AsyncStream<UInt8>
    private let heard: AsyncStream<UInt8>.Continuation

    init(context: PluginContext) {
        (marks, heard) = AsyncStream.makeStream()
    }

    func received(_ message: TopicMessage) async throws {
        if let mark = message.body.first { heard.yield(mark) }
    }
}
