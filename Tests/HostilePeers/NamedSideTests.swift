import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A mate whose log has two sides and who pushes a run from number 1 under the name of one of them.
@Suite(.serialized) struct NamedSideTests {
    @Test func `a run that names a side is refused by itself, and damages nothing`() async throws {
        let mate = try await HostileMate.capture()
        let shared = try await mate.log(in: mate.pair.id)
        var (left, right) = (shared, shared)
        try left.write([HostileMate.harmless])
        try right.write([HostileMate.harmless], at: HostilePeer.now() + .seconds(3))
        let peer = try await mate.link()
        _ = try await peer.answers(to: [try left.push(), try right.push()])
        let before = try await mate.pairCounts()
        let status = try await mate.victim.call(NodeCommands.status)
        let forked = status.spaces.flatMap(\.forkedDevices)
        #expect(forked == [Key(mate.me)])

        var forged: [Message] = []
        for side in [left, right] {
            let name = try #require(side.batches.last).hash
            var run = WrittenLog(mate.identity.key, in: mate.pair.id)
            try run.write([HostileMate.harmless], branch: BranchName(raw: name.raw))
            forged.append(try run.push())
        }
        try left.write([HostileMate.harmless])
        _ = try await peer.answers(to: forged + [try left.push(1..<2)])
        #expect(try await mate.pairCounts().batches == before.batches + 1)
        #expect(try await !mate.victim.noticeKinds().contains(.damaged))
        let links = try await mate.victim.call(NodeCommands.status).links
        #expect(links.count == 1)
        // The file is whole: a restarted node has the same batches.
        peer.close()
        try await mate.victim.stop()
        let again = try await RunningNode.start(mate.victim.home)
        let spaces = try await again.call(NodeCommands.status).spaces
        let pair = spaces.first { $0.id == Key(mate.pair.id) }
        #expect(pair?.batches == before.batches + 1)
        try await again.remove()
        mate.removeHome()
    }
}
