import ChatAPI
import Foundation
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// Messages of all rooms are found by any letters within their words.
@Suite struct SearchingTests {
    @Test func `two syllables in the middle of a word find a message in any room`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            try await ann.say("같이산책하자", to: ben.key)
            try await network.pass(seconds: 1)
            try await cem.say("산책은 내일", to: ann.key)
            try await network.pass(seconds: 1)
            try await ben.say("오늘 산책!", to: company.group)
            try await ben.say("something else", to: company.group)
            try await network.settle()
            #expect(try await ann.found("산책") == ["오늘 산책!", "산책은 내일", "같이산책하자"])
            #expect(try await ann.found("산책", in: company.group) == ["오늘 산책!"])
            #expect(try await ann.found("산책 내일") == ["산책은 내일"])
            #expect(try await ben.found("산책") == ["오늘 산책!", "같이산책하자"])
            #expect(try await ann.found("산삼").isEmpty)
        }
    }

    @Test func `a found message has its room and position`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for text in ["one", "two", "three"] { try await ann.say(text, to: ben.key) }
            try await network.settle()
            let hit = try await ben.call(ChatCommands.search, .init(text: Text("TW"))).messages[0]
            #expect(hit.room == "Ann" && hit.name == "Ann")
            let page = try await ben.call(
                ChatCommands.page,
                .init(room: NameOrKey(hit.roomId), around: hit.cursor, limit: Whole(2)))
            #expect(page.shown.map(\.text) == ["two", "three"])
        }
    }

    @Test func `an answer continues the one before, even if messages arrive`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<7 {
                try await ann.say("walk \(number)", to: ben.key)
                try await network.pass(seconds: 1)
            }
            var found: [String] = []
            var before: Cursor?
            repeat {
                let answer = try await ann.call(
                    ChatCommands.search,
                    .init(
                        text: Text("walk"), before: before, limit: Whole(3)))
                found += answer.messages.map(\.text.string)
                before = answer.before
                try await ben.say("walk later", to: ann.key)
                try await network.settle()
            } while before != nil
            #expect(found == (0..<7).reversed().map { "walk \($0)" })
        }
    }

    @Test func `the guide's query finds the newest first, and goes on after the last id`()
        async throws
    {
        let guide = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/plugins.md")
        let blocks = try String(contentsOf: guide, encoding: .utf8)
            .components(separatedBy: "```sql\n").dropFirst()
        let query = try #require(blocks.first?.components(separatedBy: "```").first)
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let first = try await ann.say("walking", to: ben.key)
            try await network.pass(seconds: 1)
            try await ann.say("something else", to: ben.key)
            try await network.pass(seconds: 1)
            let last = try await ann.say("a walk", to: ben.key)
            let chat = try #require(ann.plugin(Chat.self))
            let found = try await chat.context.replica.rows(query, [.text("alk"), .integer(.max)])
            #expect(found.map { $0.entity("entity").map { RecordKey($0) } } == [last, first])
            let cursor = try #require(found.first?.integer("id"))
            let rest = try await chat.context.replica.rows(query, [.text("alk"), .integer(cursor)])
            #expect(rest.map { $0.entity("entity").map { RecordKey($0) } } == [first])
        }
    }

    @Test func `a query of 100 characters is accepted, of 101 or none refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.talkers()
            #expect(try await ann.found(String(repeating: "x", count: 100)).isEmpty)
            for text in [String(repeating: "x", count: 101), " ", "a\nb"] {
                await #expect(throws: CommandFault.self) {
                    try await ann.answer(
                        to: ChatCommands.search.declaration, ["text": .string(text)])
                }
            }
            #expect(try await ann.found("\"*()!").isEmpty)
            await #expect(
                throws: CommandFault.notFound("'before' must be the cursor of an earlier search.")
            ) { try await ann.call(ChatCommands.search, .init(text: Text("x"), before: Text("y"))) }
        }
    }
}
