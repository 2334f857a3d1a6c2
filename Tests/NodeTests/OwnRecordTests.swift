import Identity
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Tells this person's record to linked peers.
@Suite struct OwnRecordTests {
    /// Returns this person's record with another device, which the node does not know yet.
    private func grown(_ node: Node) async throws -> ClaimedPersonRecord {
        let record = try #require(await node.replica.personRecord(node.me))
        let consent = try DeviceConsent(of: DeviceKey(), to: node.me)
        let entry = try DeviceEntry.adding(consent, by: await node.identity.key)
        return ClaimedPersonRecord(try record.adding(entry))
    }

    /// Ends a link's queue, and returns the number of records in it.
    private func recordsCount(_ active: ActiveLink) async -> Int {
        active.outbox.finish()
        var count = 0
        while let item = await active.outbox.next() {
            if case .message(.identity) = item { count += 1 }
        }
        return count
    }

    @Test func `a change of the own devices that a peer brought is told to everyone linked`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let group = try await clocked.group(of: [])
            let peer = try await clocked.link(sharing: [group])
            let claim = try await grown(clocked.node)
            try await clocked.node.learn([claim])
            // The same again is no change.
            try await clocked.node.learn([claim])
            #expect(await recordsCount(peer) == 1)
        }
    }

    @Test func `a record that a peer may have dropped is told again when the peer names a space`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let node = clocked.node
            let group = try await clocked.group(of: [])
            let peer = try await clocked.link(sharing: [group])
            let device = peer.peer.device
            // With nothing in common, the node shares nothing, and the peer drops what it is told.
            await node.shareSpaces(with: device)
            #expect(await node.owesRecord(to: device))
            try await node.learn([try await grown(node)])
            #expect(await node.owesRecord(to: device))

            let here = try #require(await node.shared(group))
            await node.resume(here, with: device)
            await node.tellRecord(to: device, isCertain: false)
            #expect(await node.owesRecord(to: device))
            let entry = Have.Entry(token: peer.token(group), digest: .zero)
            let have = Message.have(Have(round: .announcement, entries: [entry]))
            try await clocked.receive([have, have], over: peer)
            #expect(await !node.owesRecord(to: device))
            #expect(await recordsCount(peer) == 2)
        }
    }
}

extension Node {
    fileprivate func owesRecord(to device: DeviceID) -> Bool { links[device]?.owesRecord ?? false }

    fileprivate func resume(_ space: SharedSpace, with device: DeviceID) {
        _ = links[device]?.session.share([space])
    }
}
