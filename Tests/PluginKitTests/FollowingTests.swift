import PluginKit
import Testing

/// A followed query is asked anew at each event, and only news is told.
@Suite struct FollowingTests {
    private func following(_ parameters: [Parameter]) throws -> Following {
        let declaration = CommandDeclaration(
            "news", "follow", .query, help: "Shows news.", parameters: parameters, result: .any,
            follows: ["news"])
        return Following(declaration, try Arguments(checking: [:], against: declaration))
    }

    /// Takes answers in turn; which of them were news.
    private func news(_ following: inout Following, _ answers: JSONValue...) -> [Bool] {
        answers.map { following.takes($0) }
    }

    @Test func `an answer that is the same as before is no news`() throws {
        var following = try following([])
        let told = news(
            &following, ["news": ["a"]], ["news": ["a"]], ["news": ["a", "b"]])
        #expect(told == [true, false, true])
        #expect(!following.hasMore)
    }

    @Test func `a query with a cursor goes on where the answer before ended`() throws {
        var following = try following([.optional("after", .text, "Goes on.")])
        #expect(news(&following, ["news": [], "after": "3"]) == [false])
        #expect(!following.hasMore)
        #expect(following.question["after"] == "3")
        #expect(news(&following, ["news": ["a"], "after": "4"]) == [true])
        #expect(following.hasMore)
        let told = news(
            &following, ["news": ["a"], "after": "5"], ["news": [], "after": "5"])
        #expect(told == [true, false])
        #expect(!following.hasMore)
        #expect(following.question["after"] == "5")
        #expect(following.news(in: ["news": ["a"], "after": "5"]) == ["news": ["a"]])
    }

    @Test func `an answer that goes on nowhere is not asked for at once again`() throws {
        var following = try following([.optional("after", .text, "Goes on.")])
        let told = news(
            &following, ["news": ["a"], "after": "4"], ["news": ["a"], "after": "4"])
        #expect(told == [true, true])
        #expect(!following.hasMore)
    }
}
