import ChatAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// A follower receives each message as it arrives, once.
@Suite struct FollowingTests {
    private func follow(
        _ host: TestHost, after: Cursor?, in room: NameOrKey? = nil
    ) async throws -> NewMessages {
        try await host.call(
            ChatCommands.follow, .init(room: room, after: after))
    }

    @Test func `following begins with the next message`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("before", to: ben.key)
            try await network.settle()
            let begun = try await follow(ben, after: nil)
            #expect(begun.messages.isEmpty)
            try await ann.say("one", to: ben.key)
            try await ann.say("two", to: ben.key)
            try await network.settle()
            let news = try await follow(ben, after: begun.after)
            #expect(news.messages.map(\.text) == ["one", "two"])
            #expect(news.messages[0].room == "Ann")
            #expect(try await follow(ben, after: news.after).messages.isEmpty)
        }
    }

    @Test func `a late message is reported, and one room can be followed alone`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            let begun = try await follow(ann, after: nil).after
            try await network.setLink(ann, cem, isUp: false)
            try await network.setLink(ben, cem, isUp: false)
            try await cem.say("early", to: company.group)
            try await network.pass(seconds: 10)
            try await ben.say("later", to: company.group)
            try await ben.say("aside", to: ann.key)
            try await network.settle()
            try await network.setLink(ann, cem, isUp: true)
            let all = try await follow(ann, after: begun).messages.map(\.text)
            #expect(all == ["later", "aside", "early"] || all == ["aside", "later", "early"])
            #expect(
                try await follow(ann, after: begun, in: company.group).messages.map(\.text)
                    == ["later", "early"])
        }
    }

    @Test func `following with a cursor of an earlier start begins again`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let cursor = try await follow(ben, after: nil).after
            await ben.start()
            try await ann.say("one", to: ben.key)
            try await network.settle()
            let answer = try await follow(ben, after: cursor)
            #expect(answer.messages.isEmpty)
            #expect(answer.after != cursor)
        }
    }

    // MARK: Arrivals

    private func arrivals(_ count: Int) throws -> Arrivals {
        var arrivals = Arrivals(boot: .zero)
        for number in 0..<count { arrivals.record(try Self.id(number), in: .open(name: "x")) }
        return arrivals
    }

    private static func id(_ number: Int) throws -> EntityID {
        var bytes = [UInt8](repeating: 0, count: 8)
        bytes.append(bigEndian: UInt64(number))
        return try #require(EntityID(bytes: bytes))
    }

    @Test func `a message is reported once`() throws {
        var arrivals = try arrivals(3)
        let cursor = arrivals.cursor
        arrivals.record(try Self.id(1), in: .open(name: "x"))
        #expect(arrivals.cursor == cursor)
        #expect(arrivals.after(cursor, limit: 9).arrivals.isEmpty)
    }

    @Test func `the messages after a cursor are reported in several answers`() throws {
        var arrivals = try arrivals(1)
        let cursor = arrivals.cursor
        for number in 1..<6 { arrivals.record(try Self.id(number), in: .open(name: "x")) }
        let (first, next) = arrivals.after(cursor, limit: 3)
        #expect(first.map(\.entity) == (try (1..<4).map(Self.id)))
        let (rest, end) = arrivals.after(next, limit: 3)
        #expect(rest.map(\.entity) == (try (4..<6).map(Self.id)))
        #expect(end == arrivals.cursor)
    }

    @Test func `only the latest arrivals are kept, and a slow follower continues there`() throws {
        let begun = try arrivals(0).cursor
        let most = ChatLimits.arrivalsCountMax
        let kept = try arrivals(2 * most)
        #expect(kept.after(begun, limit: 1).arrivals.first?.entity == (try Self.id(0)))
        let more = try arrivals(2 * most + 1)
        let (first, _) = more.after(begun, limit: 9999)
        #expect(first.count == most)
        #expect(first.last?.entity == (try Self.id(2 * most)))
    }

    @Test(arguments: [
        "", ".", "x.1", "00000000000000000000000000000000.x",
        "00000000000000000000000000000000.99999999999999999999999",
        "00000000000000000000000000000000.-5", "00000000000000000000000000000000.9000000",
    ])
    func `following with an invalid cursor begins again`(cursor: String) throws {
        let arrivals = try arrivals(2)
        let (news, next) = arrivals.after(cursor, limit: 5)
        #expect(news.count <= 2)
        #expect(next == arrivals.cursor)
    }
}
