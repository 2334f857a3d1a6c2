import NodeTestSupport
import PluginKit
import Records
import Testing

@testable import Sync

/// A mate who writes walk requests by hand, with times of their choice.
@Suite(.serialized) struct ForgedWalkTests {
    private static let forgedCount = 300
    private static let listedPerPersonMax = 50

    @Test func `a mate's forged requests leave another mate's request in the list and the inbox`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let eve = try await HonestMate.of(mate.victim)
        let victim = JSONValue.string(mate.victimPerson.description)
        try await eve.node.perform(
            "walk", "ask",
            ["to": victim, "latitude": 1.0, "longitude": 1.0, "message": "A walk?"])
        _ = try await mate.victim.wait(for: "walk", "list") {
            $0["requests"]?.array?.count == 1
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
        _ = try await peer.answers(to: [try log.push()])
        let listed = try await mate.victim.wait(for: "walk", "list") { answer in
            answer["requests"]?.array?.contains { $0["message"] == "Me first" } == true
        }
        let messages = listed["requests"]?.array?.compactMap { $0["message"]?.string } ?? []
        #expect(messages.contains("A walk?"))
        #expect(messages.count { $0 == "Me first" } <= Self.listedPerPersonMax)
        let inbox = try await mate.victim.inboxItems()
        #expect(inbox.contains { $0["title"] == "Eve asks for a walk" }, "\(inbox.count) items")
        try await eve.message("And yours?")
        peer.close()
        try await eve.node.remove()
        try await mate.end()
    }
}
