import Contract
import Testing

/// A followed query is repeated at each event, and only new answers are shown.
@Suite struct FollowingTests {
    private struct News: EventBody {}

    private func following(_ parameters: [Parameter]) throws -> Following {
        let declaration = CommandDeclaration(
            "news", "follow", .query, help: "Shows news.", parameters: parameters, result: .any,
            follows: [Event<News>("news", help: "News.").declaration])
        return Following(declaration, try Arguments(checking: [:], against: declaration))
    }

    /// Processes answers in turn; returns for each whether it contains anything new.
    private func news(_ following: inout Following, _ answers: JSONValue...) -> [Bool] {
        answers.map { following.receive($0) }
    }

    @Test func `an answer equal to the previous one contains nothing new`() throws {
        var following = try following([])
        let told = news(
            &following, ["news": ["a"]], ["news": ["a"]], ["news": ["a", "b"]])
        #expect(told == [true, false, true])
        #expect(!following.hasMore)
    }

    @Test func `a query with a cursor continues where the previous answer ended`() throws {
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

    @Test func `a query is not repeated at once if its cursor does not advance`() throws {
        var following = try following([.optional("after", .text, "Goes on.")])
        let told = news(
            &following, ["news": ["a"], "after": "4"], ["news": ["a"], "after": "4"])
        #expect(told == [true, true])
        #expect(!following.hasMore)
    }
}
