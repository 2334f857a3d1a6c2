import PluginKit
import TestSupport
import Testing

@testable import Chat

/// Pages hang together, whatever arrives between asking for one and the next.
@Suite struct PageTests {
    private func page(
        _ host: TestHost, _ room: String, _ arguments: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        try await host.run(
            "chat", "page", arguments.merging(["room": .string(room)]) { $1 })
    }

    @Test func `all pages together are the room, though messages arrive at both ends`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await network.setLink(ann, ben, isUp: false)
            for number in 0..<130 { try await ann.say("\(number)", to: ben.key) }
            // Ben's are of the same time, and arrive after the first page was read.
            for number in 0..<5 { try await ben.say("late \(number)", to: ann.key) }
            var read: [Shown] = []
            var answer = try await page(ann, ben.key)
            var pages = 0
            while true {
                read = answer.shown + read
                pages += 1
                guard let before = answer["before"]?.string else { break }
                if pages == 1 { try await network.setLink(ann, ben, isUp: true) }
                try await ann.say("new \(pages)", to: ben.key)
                answer = try await page(ann, ben.key, ["before": .string(before)])
            }
            #expect(pages == 3)
            #expect(Set(read.map(\.id)).count == read.count)
            let own = read.map(\.text).filter { !$0.hasPrefix("late") }
            #expect(own == (0..<130).map(String.init))
            // Forwards from the oldest: everything, those that came meanwhile too.
            let oldest = try #require(answer.messages.first?["cursor"]?.string)
            var forward: [Shown] = []
            var after: String? = oldest
            while let cursor = after {
                let next = try await page(ann, ben.key, ["after": .string(cursor)])
                forward += next.shown
                after = next["after"]?.string
            }
            #expect(forward.count == 130 - 1 + 5 + 2)
            #expect(Set(forward.map(\.id)).count == forward.count)
        }
    }

    @Test func `a page has as many messages as are asked for, and says whether there are more`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<4 { try await ann.say("\(number)", to: ben.key) }
            let three = try await page(ann, ben.key, ["limit": 3])
            #expect(three.shown.map(\.text) == ["1", "2", "3"])
            #expect(three["before"] != nil)
            #expect(three["after"] == nil)
            let four = try await page(ann, ben.key, ["limit": 4])
            #expect(four.shown.count == 4)
            #expect(four["before"] == nil)
            let place = try #require(four.messages[1]["cursor"]?.string)
            let around = try await page(ann, ben.key, ["around": .string(place), "limit": 2])
            #expect(around.shown.map(\.text) == ["1", "2"])
            #expect(around["before"] != nil && around["after"] != nil)
        }
    }

    @Test func `a page around a place has no more messages than are asked for, odd or even`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<5 { try await ann.say("\(number)", to: ben.key) }
            let place = try await page(ann, ben.key).messages[2]["cursor"] ?? .null
            for (limit, texts) in [(1, "2"), (2, "23"), (3, "123"), (4, "1234"), (5, "01234")] {
                let around = try await page(
                    ann, ben.key, ["around": place, "limit": .integer(Int64(limit))])
                #expect(around.shown.map(\.text).joined() == texts)
                #expect((around["before"] == nil) == texts.hasPrefix("0"))
                #expect((around["after"] == nil) == texts.hasSuffix("4"))
            }
        }
    }

    @Test func `a page around a deleted message shows one beside it, from which one goes on`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<4 { try await ann.say("\(number)", to: ben.key) }
            let all = try await page(ann, ben.key)
            for (gone, shown, next) in [(0, "1", "23"), (2, "1", "3")] {
                try await ann.run(
                    "chat", "delete", ["id": .string(all.shown[gone].id), "forEveryone": true])
                let place = all.messages[gone]["cursor"] ?? .null
                let around = try await page(ann, ben.key, ["around": place, "limit": 1])
                #expect(around.shown.map(\.text) == [shown])
                #expect(around["before"] == nil)
                let after = try #require(around["after"])
                let newer = try await page(ann, ben.key, ["after": after])
                #expect(newer.shown.map(\.text).joined() == next)
            }
        }
    }

    @Test func `a page of 1 and of 100 messages is shown, of 0 and 101 refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("x", to: ben.key)
            for limit in [1, 100] {
                #expect(
                    try await page(ann, ben.key, ["limit": .integer(Int64(limit))]).shown.count == 1)
            }
            for limit in [Int64.min, 0, 101, .max] {
                await #expect(
                    throws: CommandFault.usage("A page has 1 to 100 messages.", field: "limit")
                ) { _ = try await page(ann, ben.key, ["limit": .integer(limit)]) }
            }
        }
    }

    @Test func `a page is asked for from one place`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("x", to: ben.key)
            let place = try await page(ann, ben.key).messages[0]["cursor"] ?? .null
            await #expect(throws: CommandFault.self) {
                _ = try await page(ann, ben.key, ["before": place, "after": place])
            }
            await #expect(throws: CommandFault.self) {
                _ = try await page(ann, ben.key, ["before": "12"])
            }
        }
    }

    @Test func `a page goes on from a message that was deleted meanwhile`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<4 { try await ann.say("\(number)", to: ben.key) }
            let newest = try await page(ann, ben.key, ["limit": 2])
            let before = try #require(newest["before"]?.string)
            let id = newest.shown[0].id
            try await ann.run("chat", "delete", ["id": .string(id), "forEveryone": true])
            let older = try await page(ann, ben.key, ["before": .string(before)])
            #expect(older.shown.map(\.text) == ["0", "1"])
        }
    }
}
