import FeaturesAPI
import Identity
import Links
import Logging
import NodeAPI
import NodeTestSupport
import PeerLink
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// Tests that a blocked person's device gets no HELLO, no matter which side dials.
@Suite(.serialized) struct BlockedTests {
    /// Sends a HELLO to a node.
    /// - Returns: the node's first frame, or nil if it ended the link without one.
    private func answer(
        of node: RunningNode, to person: PersonRecord, as key: DeviceKey
    ) async throws -> Frame? {
        let link = try await HostilePeer.raw(node.port, as: key)
        defer { link.close(because: .closed) }
        try? await link.send(
            Frame(
                type: 1,
                payload: Message.hello(HostilePeer.hello(person)).payload(sender: key.id)))
        var frames = link.frames.makeAsyncIterator()
        return await frames.next()
    }

    /// Links a stranger with a node, whose person then blocks them.
    private func block(_ key: DeviceKey, _ person: PersonRecord, at node: RunningNode) async throws
    {
        let peer = try await HostilePeer.dial(node.port, as: key, person)
        _ = try await peer.answers(to: [])
        try await node.call(
            MateCommands.block, .init(person: NameOrKey(person.person), reason: .unpleasant))
        _ = await peer.messages { _ in false }
    }

    @Test func `a blocked person's device gets no HELLO, nor does another of their devices`()
        async throws
    {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        try await block(key, person, at: node)
        #expect(try await answer(of: node, to: person, as: key) == nil)
        let second = DeviceKey()
        let consent = try DeviceConsent(of: second, to: person.person, name: "new")
        let both = try person.adding(try DeviceEntry.adding(consent, by: key))
        #expect(try await answer(of: node, to: both, as: second) == nil)
        // The node answers other people.
        let (other, stranger) = try HostilePeer.stranger()
        #expect(try await answer(of: node, to: stranger, as: other)?.type == 1)
        try await node.remove()
    }

    @Test func `a node that dials a blocked person's device sends no HELLO`() async throws {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        try await block(key, person, at: node)
        for (key, isBlocked) in [(key, true), (DeviceKey(), false)] {
            var logger = Logger(label: "hostile")
            logger.logLevel = .critical
            let listener = try await LinkEndpoint(key: key.privateKey, logger: logger)
                .listen(port: 0)
            try await node.call(
                NodeCommands.addPeer, .init(address: Text("127.0.0.1:\(listener.port)")))
            let link = try #require(await listener.links.first { _ in true })
            var frames = link.frames.makeAsyncIterator()
            #expect((await frames.next() == nil) == isBlocked)
            link.close(because: .closed)
            await listener.close()
        }
        try await node.remove()
    }
}
