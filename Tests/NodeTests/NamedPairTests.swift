import PluginKit
import Records
import Testing

@testable import Node
@testable import Sync

/// A pair that a mate names to a person who came back is shared until its records have arrived.
@Suite struct NamedPairTests {
    /// Lets a new peer name its pair; returns the link and the pair.
    private func named(at clocked: ClockedNode) async throws -> (ActiveLink, SpaceDescriptor) {
        let active = try await clocked.link(sharing: [])
        let pair = SpaceDescriptor.between(clocked.node.me, active.peer.person)
        await clocked.node.expectPage(from: active.peer.device)
        let page = SpacePage(of: [pair], after: SpaceID(raw: .zero))
        try await clocked.receive([.spaces(page)], over: active)
        return (active, pair)
    }

    /// Lets the peer say that its batches of a pair are those that are here.
    private func agree(
        on pair: SpaceID, over active: ActiveLink, at clocked: ClockedNode
    ) async throws {
        let here = try #require(await clocked.node.shared(pair))
        let entry = Have.Entry(token: active.token(pair), digest: here.digest)
        let have = Have(round: .announcement, entries: [entry])
        try await clocked.receive([.have(have)], over: active)
    }

    @Test func `a pair that has arrived is no longer shared if its records do not say so`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let (active, pair) = try await named(at: clocked)
            #expect(await clocked.node.relations.isRelated(active.peer.person))
            await clocked.node.recordProof(of: pair.id)
            try await agree(on: pair.id, over: active, at: clocked)
            #expect(await !clocked.node.relations.isRelated(active.peer.person))
        }
    }

    @Test func `a pair of which nothing of this person has come stays shared`() async throws {
        try await ClockedNode.with { clocked in
            let (active, pair) = try await named(at: clocked)
            try await agree(on: pair.id, over: active, at: clocked)
            #expect(await clocked.node.relations.isRelated(active.peer.person))
        }
    }
}

extension Node {
    fileprivate func expectPage(from device: DeviceID) {
        links[device]?.recovery.awaitedPagesCount = 1
    }
}
