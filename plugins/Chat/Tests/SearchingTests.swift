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

    @Test func `a found message says where it stands`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for text in ["one", "two", "three"] { try await ann.say(text, to: ben.key) }
            try await network.settle()
            let hit = try await ben.run("chat", "search", ["text": "TW"]).messages[0]
            #expect(hit["room"] == "Ann" && hit["name"] == "Ann")
            let page = try await ben.run(
                "chat", "page",
                [
                    "room": hit["roomId"] ?? .null, "around": hit["cursor"] ?? .null, "limit": 2,
                ])
            #expect(page.shown.map(\.text) == ["two", "three"])
        }
    }

    @Test func `an answer goes on where the one before ended, though messages arrive`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<7 {
                try await ann.say("walk \(number)", to: ben.key)
                try await network.pass(seconds: 1)
            }
            var found: [String] = []
            var before: JSONValue?
            repeat {
                var arguments: [String: JSONValue] = ["text": "walk", "limit": 3]
                arguments["before"] = before
                let answer = try await ann.run("chat", "search", arguments)
                found += answer.shown.map(\.text)
                before = answer["before"]
                try await ben.say("walk later", to: ann.key)
                try await network.settle()
            } while before != nil
            #expect(found == (0..<7).reversed().map { "walk \($0)" })
        }
    }

    @Test func `a question of 100 characters is taken, of 101 or none refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.talkers()
            #expect(try await ann.found(String(repeating: "x", count: 100)).isEmpty)
            for text in [String(repeating: "x", count: 101), " ", "a\nb"] {
                await #expect(throws: CommandFault.self) { _ = try await ann.found(text) }
            }
            #expect(try await ann.found("\"*()!").isEmpty)
            await #expect(throws: CommandFault.self) {
                _ = try await ann.run("chat", "search", ["text": "x", "before": "y"])
            }
        }
    }
}
