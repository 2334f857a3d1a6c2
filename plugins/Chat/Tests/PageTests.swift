import ChatAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// Consecutive pages join without a gap, even if messages arrive between the requests.
@Suite struct PageTests {
    private func page(
        _ host: TestHost, _ room: NameOrKey, before: Cursor? = nil, after: Cursor? = nil,
        around: Cursor? = nil, limit: Int? = nil
    ) async throws -> ChatPage {
        try await host.call(
            ChatCommands.page,
            .init(
                room: room, before: before, after: after, around: around,
                limit: try limit.map { try Whole($0) }))
    }

    @Test func `all pages together are the room, even if messages arrive at both ends`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await network.setLink(ann, ben, isUp: false)
            for number in 0..<130 { try await ann.say("\(number)", to: ben.key) }
            // Ben's have the same time, and arrive after the first page was read.
            for number in 0..<5 { try await ben.say("late \(number)", to: ann.key) }
            var read: [Shown] = []
            var answer = try await page(ann, ben.key)
            var pages = 0
            while true {
                read = answer.shown + read
                pages += 1
                guard let before = answer.before else { break }
                if pages == 1 { try await network.setLink(ann, ben, isUp: true) }
                try await ann.say("new \(pages)", to: ben.key)
                answer = try await page(ann, ben.key, before: before)
            }
            #expect(pages == 3)
            #expect(Set(read.map(\.id)).count == read.count)
            let own = read.map(\.text).filter { !$0.hasPrefix("late") }
            #expect(own == (0..<130).map(String.init))
            // Forwards from the oldest: all messages, including those that arrived meanwhile.
            let oldest = try #require(answer.messages.first?.cursor)
            var forward: [Shown] = []
            var after: Cursor? = oldest
            while let cursor = after {
                let next = try await page(ann, ben.key, after: cursor)
                forward += next.shown
                after = next.after
            }
            let expectedCount = 130 - 1 + 5 + 2
            #expect(forward.count == expectedCount)
            #expect(Set(forward.map(\.id)).count == forward.count)
        }
    }

    @Test func `a page has as many messages as are requested, and says whether there are more`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<4 { try await ann.say("\(number)", to: ben.key) }
            let three = try await page(ann, ben.key, limit: 3)
            #expect(three.shown.map(\.text) == ["1", "2", "3"])
            #expect(three.before != nil)
            #expect(three.after == nil)
            let four = try await page(ann, ben.key, limit: 4)
            #expect(four.shown.count == 4)
            #expect(four.before == nil)
            let place = four.messages[1].cursor
            let around = try await page(ann, ben.key, around: place, limit: 2)
            #expect(around.shown.map(\.text) == ["1", "2"])
            #expect(around.before != nil && around.after != nil)
        }
    }

    @Test func `a page around a position has no more messages than are requested, odd or even`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<5 { try await ann.say("\(number)", to: ben.key) }
            let place = try await page(ann, ben.key).messages[2].cursor
            for (limit, texts) in [(1, "2"), (2, "23"), (3, "123"), (4, "1234"), (5, "01234")] {
                let around = try await page(ann, ben.key, around: place, limit: limit)
                #expect(around.shown.map(\.text).joined() == texts)
                #expect((around.before == nil) == texts.hasPrefix("0"))
                #expect((around.after == nil) == texts.hasSuffix("4"))
            }
        }
    }

    @Test func `a page around a deleted message shows one beside it, and paging continues from it`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<4 { try await ann.say("\(number)", to: ben.key) }
            let all = try await page(ann, ben.key)
            for (gone, shown, next) in [(0, "1", "23"), (2, "1", "3")] {
                try await ann.delete(all.shown[gone].id, forEveryone: true)
                let place = all.messages[gone].cursor
                let around = try await page(ann, ben.key, around: place, limit: 1)
                #expect(around.shown.map(\.text) == [shown])
                #expect(around.before == nil)
                let after = try #require(around.after)
                let newer = try await page(ann, ben.key, after: after)
                #expect(newer.shown.map(\.text).joined() == next)
            }
        }
    }

    @Test func `a page of 1 and of 100 messages is shown, of 0 and 101 refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("x", to: ben.key)
            for limit in [1, 100] {
                #expect(try await page(ann, ben.key, limit: limit).shown.count == 1)
            }
            for limit in [Int64.min, 0, 101, .max] {
                await #expect(
                    throws: CommandFault.usage(
                        "'limit' must be a whole number from 1 to 100", field: "limit")
                ) {
                    try await ann.answer(
                        to: ChatCommands.page.declaration,
                        ["room": .string(ben.key.string), "limit": .integer(limit)])
                }
            }
        }
    }

    @Test func `a request for a page names only one position`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("x", to: ben.key)
            let place = try await page(ann, ben.key).messages[0].cursor
            await #expect(
                throws: CommandFault.refused("A page is before, after or around one cursor.")
            ) { _ = try await page(ann, ben.key, before: place, after: place) }
            await #expect(
                throws: CommandFault.notFound(
                    "'before' must be a cursor from a page of a room; see 'chat page'.")
            ) { _ = try await page(ann, ben.key, before: Cursor("12")) }
        }
    }

    @Test func `paging continues from a message that was deleted meanwhile`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<4 { try await ann.say("\(number)", to: ben.key) }
            let newest = try await page(ann, ben.key, limit: 2)
            let before = try #require(newest.before)
            let id = newest.shown[0].id
            try await ann.delete(id, forEveryone: true)
            let older = try await page(ann, ben.key, before: before)
            #expect(older.shown.map(\.text) == ["0", "1"])
        }
    }
}
