import Foundation
import Testing

@testable import ChatPanel

/// What a room shows as pages come.
struct ChatTimelineTests {
    /// A page of messages whose places are these numbers.
    private func page(
        _ numbers: some Sequence<Int>, before: Int? = nil, after: Int? = nil, unread: Int? = nil
    ) throws -> ChatTimeline.Page {
        let messages = numbers.map { number in
            """
            {"id":"\(number)","isMine":false,"text":"\(number)","atMs":\(number),
             "cursor":"\(1000 + number)"}
            """
        }
        let ends = [("before", before), ("after", after), ("firstUnread", unread)]
            .compactMap { name, value in value.map { ",\"\(name)\":\"\($0)\"" } }.joined()
        let json = """
            {"room":{"id":"r","title":"Ann","canSend":true,"unread":0},
             "messages":[\(messages.joined(separator: ","))]\(ends)}
            """
        return try JSONDecoder().decode(ChatTimeline.Page.self, from: Data(json.utf8))
    }

    private func texts(_ timeline: ChatTimeline) -> [String] { timeline.messages.map(\.text) }

    @Test func `older pages stand before what is shown`() throws {
        var timeline = ChatTimeline()
        timeline.take(newest: try page(5...6, before: 5))
        timeline.take(older: try page(3...4, before: 3))
        timeline.take(newest: try page(6...7, before: 6))
        #expect(texts(timeline) == ["3", "4", "5", "6", "7"])
        #expect(timeline.before == "3")
    }

    @Test func `a message that is gone from the newest page is shown no more`() throws {
        var timeline = ChatTimeline()
        timeline.take(newest: try page(5...8, before: 5))
        timeline.take(older: try page(3...4))
        timeline.take(newest: try page([5, 6, 8], before: 5))
        #expect(texts(timeline) == ["3", "4", "5", "6", "8"])
        #expect(timeline.before == nil)
    }

    @Test func `what does not hang together with the newest page is dropped`() throws {
        var timeline = ChatTimeline()
        timeline.take(newest: try page(1...3))
        timeline.take(newest: try page(50...60, before: 50))
        #expect(texts(timeline).first == "50")
        #expect(timeline.before == "50")
    }

    @Test func `the whole room in one page replaces everything`() throws {
        var timeline = ChatTimeline()
        timeline.take(newest: try page(1...3))
        timeline.take(newest: try page([2]))
        #expect(texts(timeline) == ["2"])
        timeline.take(newest: try page([]))
        #expect(texts(timeline).isEmpty)
    }

    @Test func `a page from the middle goes on both ways until the newest`() throws {
        var timeline = ChatTimeline()
        timeline.take(around: try page(10...12, before: 10, after: 12), found: "m11")
        #expect(timeline.found == "m11")
        timeline.take(newer: try page(13...14))
        #expect(texts(timeline) == ["10", "11", "12", "13", "14"])
        #expect(timeline.after == nil)
        #expect(timeline.before == "10")
    }

    @Test func `the divider stays where it was when the room was opened`() throws {
        var timeline = ChatTimeline()
        timeline.take(newest: try page(1...3, unread: 2))
        timeline.take(newest: try page(1...4, unread: 4))
        #expect(timeline.rows.firstIndex(of: .divider) == 1)
        #expect(timeline.rows.count == 5)
        timeline.remove("2")
        #expect(!timeline.rows.contains(.divider))
    }

    @Test func `what comes while somebody looks on has no divider, what came meanwhile has`()
        throws
    {
        var timeline = ChatTimeline()
        timeline.take(newest: try page(1...2))
        timeline.take(newest: try page(1...3, unread: 3))
        #expect(!timeline.rows.contains(.divider))
        timeline.take(newest: try page(1...4, unread: 4), isRead: false)
        #expect(timeline.rows.firstIndex(of: .divider) == 3)
        timeline.take(newest: try page(1...5, unread: 4))
        timeline.take(newest: try page(1...6, unread: 6))
        #expect(timeline.rows.firstIndex(of: .divider) == 3)
    }

    @Test(arguments: [
        ("queued", 0, "waits for them"), ("sent", 0, "sent"), ("delivered", 0, "delivered"),
        ("delivered", 1, "read by 1 of 2"), ("read", 2, "read"), ("unheard of", 0, nil),
    ] as [(String, Int, String?)])
    func `how far a message has come is said in words`(
        state: String, read: Int, text: String?
    ) {
        let message = ChatMessage(
            id: "1", isMine: true, text: "x", atMs: 0, cursor: "1", state: state, read: read,
            receivers: 2)
        #expect(message.stateText == text)
    }

    @Test func `a long text is one line of 60 characters in a list`() {
        #expect(ChatText.oneLine("one\ntwo") == "one two")
        #expect(ChatText.oneLine(String(repeating: "x", count: 60)).count == 60)
        #expect(ChatText.oneLine(String(repeating: "x", count: 61)).hasSuffix("…"))
        #expect(ChatText.oneLine(String(repeating: "x", count: 61)).count == 60)
    }

    @Test func `the page's title counts what is unread`() {
        #expect(ChatRooms(rooms: [], unread: 0).title == "Chat")
        #expect(ChatRooms(rooms: [], unread: 3).title == "Chat (3)")
    }
}
