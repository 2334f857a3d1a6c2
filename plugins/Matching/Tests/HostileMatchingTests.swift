import Features
import FeaturesAPI
import MatchingAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Matching

/// Messages that an honest program does not send.
@Suite struct HostileMatchingTests {
    private let messages: [MatchMessage] = {
        let id = MatchID(raw: Bytes16([UInt8](repeating: 7, count: 16)) ?? .zero)
        return [
            .card(MatchCard(wishes: ["a", "b"], age: 20, gender: .other, reviewCount: 3)), .quiet,
            .request(id, name: "Eve"), .request(id, name: nil), .accept(request: id, match: id),
            .confirm(id), .over(id, .lapsed), .askReviews(from: 2),
            .shownReview(1, count: 2, proof: [1, 2]), .review([3]), .hasReview(id),
        ]
    }()

    @Test func `each message is read as it was written, and no shorter or longer one is`() throws {
        for message in messages {
            let bytes = message.encoded
            #expect(try MatchMessage(decoding: bytes) == message)
            for count in 0..<bytes.count where !message.endsOpenly {
                #expect(throws: RecordFault.self) {
                    try MatchMessage(decoding: Array(bytes.prefix(count)))
                }
            }
            if !message.endsOpenly {
                #expect(throws: RecordFault.self) { try MatchMessage(decoding: bytes + [0]) }
            }
        }
        #expect(throws: RecordFault.self) { try MatchMessage(decoding: [2, 2]) }
        #expect(throws: RecordFault.self) { try MatchMessage(decoding: [1, 99]) }
    }

    @Test func `a card with more than 8 wishes is refused, and wrong wishes and ages are left out`()
        throws
    {
        func card(_ wishes: [String], age: UInt8) throws -> MatchCard? {
            var bytes = MatchMessage.card(MatchCard(wishes: wishes, age: Int(age))).encoded
            bytes[bytes.count - 2] = age
            guard case .card(let card) = try MatchMessage(decoding: bytes) else { return nil }
            return card
        }
        #expect(throws: RecordFault.self) {
            try card((0..<9).map { "\($0)" }, age: 20)
        }
        let shown = try card(["fine", "ninechars", "two words", "", "\u{202e}", "fine"], age: 16)
        #expect(shown?.wishes == ["fine"] && shown?.age == nil)
        #expect(try card([], age: 17)?.age == 17)
        #expect(try card([], age: 99)?.age == 99)
        #expect(try card([], age: 100)?.age == nil)
        #expect(throws: RecordFault.self) {
            try card([String(repeating: "x", count: 513)], age: 20)
        }
    }

    @Test func `random messages neither trap nor write, and cause few notices`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            let plugin = try #require(study.hosts[0].plugin(Matching.self))
            let eve = study.hosts[1].me
            _ = study.hosts[0].drainNotices()
            let before = try await study.hosts[0].rows("SELECT COUNT(*) AS count FROM waggle_batch")
            var generator = SeededGenerator(seed: 5)
            for _ in 0..<3000 {
                var bytes = messages[generator.number(0...(messages.count - 1))].encoded
                for _ in 0..<generator.number(0...3) where !bytes.isEmpty {
                    bytes[generator.number(0...(bytes.count - 1))] ^= UInt8(
                        1 << generator.number(0...7))
                }
                try await plugin.received(
                    TopicMessage(topic: "matching", from: eve, space: nil, body: bytes))
                if generator.chance(2) { try await network.pass(seconds: 1) }
            }
            try await network.settle()
            let after = try await study.hosts[0].rows("SELECT COUNT(*) AS count FROM waggle_batch")
            #expect(before == after)
            #expect(study.hosts[0].drainNotices().count <= 4)
        }
    }

    @Test func `a thousand strangers who ask cause four notices and sixteen shown requests`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a"])
            let plugin = try #require(study.hosts[0].plugin(Matching.self))
            for number in 0..<1000 {
                var bytes = [UInt8](repeating: 9, count: 32)
                (bytes[0], bytes[1]) = (UInt8(number / 256), UInt8(number % 256))
                let raw = Bytes32(bytes) ?? .zero
                let id = MatchID(madeBy: DeviceID(raw: raw), nonce: .zero)
                try await plugin.received(
                    TopicMessage(
                        topic: "matching",
                        from: Peer(device: DeviceID(raw: raw), person: PersonID(raw: raw)),
                        space: nil, body: MatchMessage.request(id, name: "Eve").encoded))
            }
            try await network.settle()
            #expect(study.hosts[0].drainNotices().count == 4)
            #expect(try await study.status(0).requestCount.value == MatchLimits.askedMax)
        }
    }

    @Test func `a request beyond the notices is shown later, if it is still there`() async throws {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a"])
            let plugin = try #require(study.hosts[0].plugin(Matching.self))
            for number: UInt8 in 0..<5 {
                let raw = Bytes32([UInt8](repeating: number + 1, count: 32)) ?? .zero
                let id = MatchID(madeBy: DeviceID(raw: raw), nonce: .zero)
                try await plugin.received(
                    TopicMessage(
                        topic: "matching",
                        from: Peer(device: DeviceID(raw: raw), person: PersonID(raw: raw)),
                        space: nil, body: MatchMessage.request(id, name: "Eve").encoded))
            }
            try await network.settle()
            #expect(try await study.hosts[0].call(InboxCommands.list, .init()).items.count == 4)
            try await network.pass(seconds: 16)
            #expect(try await study.hosts[0].call(InboxCommands.list, .init()).items.count == 5)
            #expect(study.hosts[0].drainNotices().count == 5)
        }
    }

    @Test func `one who asks for shown reviews again and again is answered twice in 10 s`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["a", "a"])
            let plugin = try #require(study.hosts[0].plugin(Matching.self))
            let before = await network.sentCount("matching", to: study.hosts[1])
            for _ in 0..<20 {
                try await plugin.received(
                    TopicMessage(
                        topic: "matching", from: study.hosts[1].me, space: nil,
                        body: MatchMessage.askReviews(from: 0).encoded))
            }
            #expect(await network.sentCount("matching", to: study.hosts[1]) == before + 2)
            var answers = MatchAllowances().answers
            let person = study.hosts[1].me.person
            let permitted = [0, 0, 9_999, 10_000, 10_000].map {
                answers.permit(person, now: .milliseconds($0))
            }
            #expect(permitted == [true, true, false, true, false])
        }
    }

    @Test func `one person's messages beyond 32 at once are dropped`() {
        var messages = MatchAllowances().messages
        let person = PersonID(raw: .zero)
        let atOnce = (0..<100).count { _ in messages.permit(person, now: .zero) }
        #expect(atOnce == 32)
        let later = [249, 250].map { messages.permit(person, now: .milliseconds($0)) }
        #expect(later == [false, true])
    }
}

extension MatchMessage {
    /// Whether its last part has no length of its own.
    fileprivate var endsOpenly: Bool {
        switch self {
        case .shownReview, .review: true
        default: false
        }
    }
}
