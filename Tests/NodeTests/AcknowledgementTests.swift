import NodeTestSupport
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Counts the transactions for a peer's acknowledgements: each is a sync of the disk.
@Suite struct AcknowledgementTests {
    private static let people = (1...60).map { PersonID(raw: Digest.person.hash([$0])) }

    /// Returns an acknowledgement of each batch of a log, one message for each.
    private func ladder(
        _ log: LogName, in space: SpaceID, of replica: Replica
    ) async throws -> [Message] {
        let head = try #require(await replica.heads(in: space).first { $0.log == log })
        var messages: [Message] = []
        for number in head.low...head.high {
            let hash = try #require(try await replica.hash(of: log, number: number, in: space))
            messages.append(
                .acknowledge(
                    Vector(
                        channel: 0,
                        logs: [.init(log: log, low: 1, high: number, prefix: hash.prefix)])))
        }
        return messages
    }

    @Test func `a ladder of acknowledgements costs two transactions, and the same again none`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let node = clocked.node
            let group = try await clocked.group(of: Self.people)
            let peer = try await clocked.link(sharing: [group])
            let log = LogName(device: node.device)
            let steps = try await ladder(log, in: group, of: node.replica)
            #expect(steps.count >= Self.people.count)
            let before = clocked.commits.value
            try await clocked.receive(steps, over: peer)
            #expect(clocked.commits.value - before == 1)
            #expect(try await clocked.acknowledged(by: peer.peer.device) == [1])
            // A task stores the rest. It must sleep before the clock is moved, or it sleeps on.
            #expect(await eventually { clocked.clock.sleepingCount == 1 })
            clocked.clock.advance(by: PendingAcknowledgements.pause)
            let last = Int64(steps.count)
            #expect(
                await eventually {
                    (try? await clocked.acknowledged(by: peer.peer.device)) == [last]
                })
            #expect(clocked.commits.value - before == 2)

            clocked.clock.advance(by: PendingAcknowledgements.pause)
            try await clocked.receive(steps, over: peer)
            try await node.replica.control(
                [.cut(Self.people[0])], in: group, wallTime: clocked.clock.wallTime)
            await node.advance(group)
            let more = try await ladder(log, in: group, of: node.replica)
            try await clocked.receive(more, over: peer)
            #expect(await eventually { clocked.clock.sleepingCount == 1 })
            clocked.clock.advance(by: PendingAcknowledgements.pause)
            #expect(
                await eventually {
                    (try? await clocked.acknowledged(by: peer.peer.device)) == [last + 1]
                })
            // One of them is the cut.
            #expect(clocked.commits.value - before == 4)
        }
    }

    /// The ACK was lost with an earlier link, and the peer's digest stays another one: it has no
    /// room for what a third member wrote.
    @Test func `a vector tells what a peer holds whose acknowledgement was lost`() async throws {
        try await ClockedNode.with { clocked in
            let node = clocked.node
            let group = try await clocked.group(of: Array(Self.people.prefix(3)))
            let peer = try await clocked.link(sharing: [group])
            let log = LogName(device: node.device)
            let head = try #require(
                await node.replica.heads(in: group).first { $0.log == log })
            try await clocked.receive([.vector(Vector(channel: 0, reaches: [head]))], over: peer)
            #expect(
                try await clocked.acknowledged(by: peer.peer.device) == [Int64(head.high)])
        }
    }

    @Test func `acknowledgements that wait are stored when the link ends`() async throws {
        try await ClockedNode.with { clocked in
            let node = clocked.node
            let group = try await clocked.group(of: Array(Self.people.prefix(3)))
            let peer = try await clocked.link(sharing: [group])
            let steps = try await ladder(
                LogName(device: node.device), in: group, of: node.replica)
            try await clocked.receive(steps, over: peer)
            await node.storeAcknowledgements(by: peer.peer.device, id: peer.id + 1)
            #expect(try await clocked.acknowledged(by: peer.peer.device) == [1])
            await node.storeAcknowledgements(by: peer.peer.device, id: peer.id)
            #expect(
                try await clocked.acknowledged(by: peer.peer.device) == [Int64(steps.count)])
            clocked.clock.advance(by: PendingAcknowledgements.pause)
        }
    }

    @Test func `what a device acknowledges of its own log is not stored`() async throws {
        try await ClockedNode.with { clocked in
            let node = clocked.node
            let group = try await clocked.group(of: Array(Self.people.prefix(3)))
            let peer = try await clocked.link(sharing: [group])
            let own = try await ladder(
                LogName(device: node.device), in: group, of: node.replica)
            let before = clocked.commits.value
            let theirs = LogReach(
                log: LogName(device: peer.peer.device), number: 1, prefix: 1)
            await node.settle(
                [.acknowledged(group, [theirs])], on: peer.peer.device, id: peer.id)
            #expect(clocked.commits.value == before)
            // Nothing was planned, so the next one need not wait.
            try await clocked.receive(Array(own.prefix(1)), over: peer)
            #expect(clocked.commits.value == before + 1)
        }
    }

    @Test func `right and wrong digests in turn cost one transaction`() async throws {
        try await ClockedNode.with { clocked in
            let node = clocked.node
            let group = try await clocked.group(of: Array(Self.people.prefix(3)))
            let peer = try await clocked.link(sharing: [group])
            let digest = try #require(await node.replica.digest(of: group))
            let before = clocked.commits.value
            let entries = (0..<Limits.linkSpacesMax).map { number in
                Have.Entry(token: peer.token(group), digest: number % 2 == 0 ? .zero : digest)
            }
            let have = Message.have(Have(round: .announcement, entries: entries))
            for _ in 0..<2 {
                try await clocked.receive([have], over: peer)
                clocked.clock.advance(by: PendingAcknowledgements.pause)
            }
            #expect(clocked.commits.value == before + 1)
        }
    }
}
