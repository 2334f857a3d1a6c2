import ControlAPI
import Identity
import Links
import NodeTestSupport
import PeerLink
import PluginKit
import Records
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Tests a mate whose messages wait long for their allowances while they take the memory that all
/// links share.
@Suite(.serialized, .timeLimit(.minutes(3))) struct HeldRoomTests {
    @Test func `a mate's thousands of unknown records are given up, and their memory is free`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let eve = try await HonestMate.of(mate.victim)
        try await mate.victim.stop()
        let victim = try await OpenVictim.start(mate.victim.home)
        let peer = try await mate.links(1, with: victim.port)[0]
        // Each of these takes more than four seconds of the mate's allowance.
        let message = Message.identity(
            try (0..<Limits.identityPersonsMax).map { _ in
                ClaimedPersonRecord(try HostilePeer.stranger().1)
            })
        let frame = Frame(
            type: message.type, payload: message.payload(sender: peer.key.id))
        let sending = Task {
            for _ in 0..<200 where (try? await peer.link.send(frame)) == nil { break }
        }
        // The link ends, and with it the stream of messages.
        #expect(await peer.messages { _ in false }.last == .bye(.fault))
        _ = await sending.value
        let person = mate.identity.person.person
        #expect(await eventually { victim.node.inboxRoom.bytes(of: person) == 0 })
        try await eve.node.remove()
        try await victim.end()
        mate.removeHomes()
    }
}
