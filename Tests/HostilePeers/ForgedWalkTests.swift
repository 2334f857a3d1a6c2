import FeaturesAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A mate who writes walk requests by hand, with times of their choice.
@Suite(.serialized) struct ForgedWalkTests {
    private static let forgedCount = 300
    private static let listedPerPersonMax = 50
    /// The own batches that one mate may cause at once: inbox items, and missed requests.
    private static let ownBatchesMax = 2 * 32

    @Test func `a mate's forged requests leave another mate's request in the list and the inbox`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let eve = try await HonestMate.of(mate.victim)
        try await eve.node.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(mate.victimPerson), latitude: Latitude(1.0),
                longitude: Longitude(1.0),
                message: Text("A walk?")))
        try await mate.victim.wait(for: WalkCommands.list) {
            $0.requests.count == 1
        }
        var log = try await mate.log(in: mate.pair.id)
        let receiver = Value.bytes(mate.victimPerson.bytes)
        for number in 0..<Self.forgedCount {
            let times: [Int64] = [4_102_444_800_000, 0, HostilePeer.now().milliseconds]
            try log.write(
                log.record(
                    "neighbours.walk/1",
                    [
                        (1, receiver), (2, .real(1)), (3, .real(2)), (5, .text("Me first")),
                        (6, .integer(times[number % 3] + Int64(number))),
                    ]))
        }
        let peer = try await mate.link()
        let before = try await mate.victim.stored().batchesCount
        // One by one, so that the victim follows each of them.
        for number in 0..<Self.forgedCount {
            _ = try await peer.answers(to: [try log.push(number..<number + 1)])
        }
        let listed = try await mate.victim.wait(for: WalkCommands.list) { answer in
            answer.requests.contains { $0.message == "Me first" }
        }
        let messages = listed.requests.map(\.message)
        #expect(messages.contains("A walk?"))
        #expect(messages.count { $0 == "Me first" } <= Self.listedPerPersonMax)
        let written = try await mate.victim.stored().batchesCount - before - Self.forgedCount
        #expect((0...Self.ownBatchesMax).contains(written), "\(written) own batches")
        let inbox = try await mate.victim.inboxItems()
        #expect(inbox.contains { $0.title == "Eve asks for a walk" }, "\(inbox.count) items")
        try await eve.message("And yours?")
        peer.close()
        try await eve.node.remove()
        try await mate.end()
    }
}
