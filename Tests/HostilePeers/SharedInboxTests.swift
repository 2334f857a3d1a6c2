import Identity
import Node
import NodeTestSupport
import PeerLink
import Records
import Testing

@testable import Sync

/// Tests the memory for received messages that one person fills from several devices at once.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SharedInboxTests {
    @Test func `eight devices of a mate fill no more memory than the room for one person`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let (person, keys) = try mate.devices(8)
        let victim = try await mate.victimAsProcess()
        let before = await victim.settledMiB()
        var peers: [HostilePeer] = []
        for key in keys {
            let peer = try await HostilePeer.dial(victim.port, as: key, person)
            try await peer.announce([mate.pair.id])
            peers.append(peer)
        }
        let highest = try await withThrowingTaskGroup(of: Void.self) { group in
            for (peer, key) in zip(peers, keys) {
                let push = try PushFloodTests.push(of: key.id, channel: 0)
                group.addTask {
                    // Signatures that do not verify end the link after a while.
                    for _ in 0..<48 where (try? await peer.link.send(push)) == nil { break }
                }
            }
            var highest = before
            for _ in 0..<40 {
                highest = max(highest, victim.residentMiB)
                try await Task.sleep(for: .milliseconds(100))
            }
            // A peer whose socket is not read any more waits with its frame.
            for peer in peers { peer.close() }
            try await group.waitForAll()
            return highest
        }
        // One person's links get at most half of the 64 MiB for all links.
        #expect(highest - before < 192, "from \(before) to \(highest) MiB")
        #expect(await victim.shrinks(to: before + 64))
        try await victim.remove()
        mate.removeHome()
    }
}
