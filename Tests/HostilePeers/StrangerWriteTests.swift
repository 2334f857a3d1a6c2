import FeaturesAPI
import Identity
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// Tests that a device which shares no space with this person causes no write before they act.
@Suite(.serialized) struct StrangerWriteTests {
    @Test func `a stranger's older boot beside a newer one causes no write and no notice`()
        async throws
    {
        let node = try await RunningNode.start()
        let before = try await node.storedAtRest()
        for _ in 0..<4 {
            let (key, person) = try HostilePeer.stranger()
            let newer = try await HostilePeer.dial(node.port, as: key, person, startCount: 5)
            _ = try await newer.answers(to: [])
            // The node may have ended this link before its HELLO was read.
            let older = try? await HostilePeer.dial(node.port, as: key, person, startCount: 1)
            _ = await older?.messages { _ in false }
            _ = try await newer.answers(to: [])
            newer.close()
            try await node.wait(for: NodeCommands.status) { $0.links.isEmpty }
        }
        #expect(try await node.noticeKinds().isEmpty)
        #expect(try await node.inboxItems().isEmpty)
        try await expectNothing(storedSince: before, by: node)
        try await node.remove()
    }

    @Test func `a stranger's claim that a link was replaced causes no notice`() async throws {
        let node = try await RunningNode.start()
        let before = try await node.storedAtRest()
        for _ in 0..<4 {
            let (key, person) = try HostilePeer.stranger()
            let peer = try await HostilePeer.dial(node.port, as: key, person)
            try await peer.send(.bye(.replaced))
            _ = await peer.messages { _ in false }
        }
        // The node waits for 3 s before it believes such a message.
        try await Task.sleep(for: .seconds(6))
        #expect(try await node.noticeKinds().isEmpty)
        try await expectNothing(storedSince: before, by: node)
        try await node.remove()
    }

    @Test func `a mate's claim that a link was replaced is still believed`() async throws {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        _ = try await peer.answers(to: [])
        try await peer.send(.bye(.replaced))
        #expect(await eventually { (try? await mate.victim.noticeKinds()) == [.clone] })
        try await mate.end()
    }

    @Test func `a stranger's offers and ends of drops show in the inbox and write nothing`()
        async throws
    {
        let node = try await RunningNode.start()
        let before = try await node.storedAtRest()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(node.port, as: key, person)
        for _ in 0..<6 {
            for _ in 0..<10 {
                let press = Digest.header.hash(DeviceKey().id.bytes)
                try await peer.send(Drop.offer(press))
                try await peer.send(Drop.end(press))
            }
            _ = try await peer.answers(to: [])
            try await Task.sleep(for: .seconds(1))
        }
        let press = Digest.header.hash([1])
        _ = try await repeated(of: peer, Drop.offer(press)) {
            try await node.inboxItems().first?.kind == "drop"
        }
        // An offer is forgotten three seconds after it was repeated last.
        let repeating = Task {
            while !Task.isCancelled {
                try await peer.send(Drop.offer(press))
                try await Task.sleep(for: .milliseconds(500))
            }
        }
        try await expectNothing(storedSince: before, by: node)
        let item = try #require(try await node.inboxItems().first)
        #expect(item.actions == ["accept", "decline"])
        try await node.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
        repeating.cancel()
        try await expectNothing(storedSince: before, by: node)
        try await node.remove()
    }

    private func expectNothing(
        storedSince before: RunningNode.Stored, by node: RunningNode
    ) async throws {
        let after = try await node.stored()
        #expect(after == before)
    }

    /// Repeats a message every 500 ms, as an honest node does, until the node shows its effect.
    private func repeated(
        of peer: HostilePeer, _ message: Message, until isDone: () async throws -> Bool
    ) async throws -> Bool {
        for _ in 0..<60 {
            try await peer.send(message)
            if try await isDone() { return true }
            try await Task.sleep(for: .milliseconds(500))
        }
        Issue.record("the message had no effect")
        return false
    }
}

/// The two messages of a drop that a stranger can repeat, in their bytes.
private enum Drop {
    static func offer(_ commitment: Bytes32) -> Message { direct([1, 1] + commitment.bytes) }
    static func end(_ commitment: Bytes32) -> Message { direct([1, 5] + commitment.bytes + [1]) }

    private static func direct(_ body: [UInt8]) -> Message {
        .direct(Direct(topic: "drop", counter: 1, body: body))
    }
}
