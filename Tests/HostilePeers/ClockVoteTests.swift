import Identity
import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// Tests that peers with wrong clocks move the node's clock by a limited amount at most.
@Suite(.serialized) struct ClockVoteTests {
    private func clockAhead(of node: RunningNode) async throws -> Duration {
        try await node.call(NodeCommands.status).nowMs - HostilePeer.now()
    }

    @Test func `two devices of one mate that are six hours ahead move a clock by five minutes`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let second = DeviceKey()
        let consent = try DeviceConsent(of: second, to: mate.identity.person.person)
        let person = try mate.identity.person.adding(
            try DeviceEntry.adding(consent, by: mate.identity.key))
        var peers: [HostilePeer] = []
        for key in [mate.identity.key, second] {
            let peer = try await HostilePeer.dial(
                mate.victim.port, as: key, person, ahead: .seconds(6 * 60 * 60))
            _ = try await peer.answers(to: [])
            peers.append(peer)
        }
        let ahead = try await clockAhead(of: mate.victim)
        // The vote counts: half of its ten minutes, within the test's own time.
        #expect((.seconds(200)...(.seconds(360))).contains(ahead), "\(ahead)")
        for peer in peers { peer.close() }
        try await mate.end()
    }

    @Test func `the doctor names the whole difference to one mate's clock, and the correction`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let peer = try await HostilePeer.dial(
            mate.victim.port, as: mate.identity.key, mate.identity.person, ahead: .seconds(120))
        _ = try await peer.answers(to: [])
        let checks = try await mate.victim.call(NodeCommands.diagnose).checks
        let clock = checks.first { $0.id == .clock }
        let seconds = try #require(clock?.finding.string)
            .split { !$0.isNumber }.compactMap { Int($0) }
        // Both numbers shrink by the time that the HELLO took.
        #expect(seconds.count == 2)
        #expect((100...120).contains(seconds.first ?? 0), "\(seconds)")
        #expect((50...60).contains(seconds.last ?? 0), "\(seconds)")
        peer.close()
        try await mate.end()
    }

    @Test func `a stranger's clock moves no other clock`() async throws {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(
            node.port, as: key, person, ahead: .seconds(6 * 60 * 60))
        _ = try await peer.answers(to: [])
        let ahead = try await clockAhead(of: node)
        #expect((.seconds(-60)...(.seconds(60))).contains(ahead), "\(ahead)")
        peer.close()
        try await node.remove()
    }
}
