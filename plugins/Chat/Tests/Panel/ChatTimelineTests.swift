import ChatAPI
import Contract
import PanelTestSupport
import Testing

@testable import ChatPanel

/// The rows of a room as pages arrive.
struct ChatTimelineTests {
    /// Returns a page of messages with these numbers.
    private func page(
        _ numbers: some Sequence<Int>, before: Int? = nil, after: Int? = nil, unread: Int? = nil
    ) -> ChatPage {
        ChatPage(
            room: ChatRoom(id: key("a"), kind: .pair, title: "Ann", canSend: true, unread: 0),
            messages: numbers.map { message($0) }, before: before.map(cursor),
            after: after.map(cursor), firstUnread: unread.map(recordKey))
    }

    private func message(
        _ number: Int, state: MessageState? = nil, read: Int? = nil
    ) -> ChatMessage {
        ChatMessage(
            id: recordKey(number), from: key("b"), isMine: state != nil, text: "\(number)",
            atMs: Timestamp(milliseconds: Int64(number)), cursor: cursor(1000 + number),
            state: state, read: read, receivers: 2)
    }

    private func cursor(_ number: Int) -> Cursor { Cursor(computed: "\(number)") }

    private func recordKey(_ number: Int) -> RecordKey {
        let digits = "\(number)"
        return RecordKey(digits: String(repeating: "0", count: 32 - digits.count) + digits)
    }

    private func texts(_ timeline: ChatTimeline) -> [String] {
        timeline.messages.map(\.text.string)
    }

    @Test func `older pages are shown before the messages that are there`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(5...6, before: 5))
        timeline.add(older: page(3...4, before: 3))
        timeline.add(newest: page(6...7, before: 6))
        #expect(texts(timeline) == ["3", "4", "5", "6", "7"])
        #expect(timeline.before?.string == "3")
    }

    @Test func `a message that is missing from the newest page is no longer shown`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(5...8, before: 5))
        timeline.add(older: page(3...4))
        timeline.add(newest: page([5, 6, 8], before: 5))
        #expect(texts(timeline) == ["3", "4", "5", "6", "8"])
        #expect(timeline.before == nil)
    }

    @Test func `messages with a gap before the newest page are dropped`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(1...3))
        timeline.add(newest: page(50...60, before: 50))
        #expect(texts(timeline).first == "50")
        #expect(timeline.before?.string == "50")
    }

    @Test func `the whole room in one page replaces everything`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(1...3))
        timeline.add(newest: page([2]))
        #expect(texts(timeline) == ["2"])
        timeline.add(newest: page([]))
        #expect(texts(timeline).isEmpty)
    }

    @Test func `a page from the middle continues both ways until the newest`() {
        var timeline = ChatTimeline()
        timeline.replace(with: page(10...12, before: 10, after: 12), found: recordKey(11))
        #expect(timeline.found == recordKey(11))
        timeline.add(newer: page(13...14))
        #expect(texts(timeline) == ["10", "11", "12", "13", "14"])
        #expect(timeline.after == nil)
        #expect(timeline.before?.string == "10")
    }

    @Test func `the divider stays where it was when the room was opened`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(1...3, unread: 2))
        timeline.add(newest: page(1...4, unread: 4))
        #expect(timeline.rows.firstIndex(of: .divider) == 1)
        #expect(timeline.rows.count == 5)
        timeline.remove(recordKey(2))
        #expect(!timeline.rows.contains(.divider))
    }

    @Test func `only a message that arrives while the user is away has a divider`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(1...2))
        timeline.add(newest: page(1...3, unread: 3))
        #expect(!timeline.rows.contains(.divider))
        timeline.add(newest: page(1...4, unread: 4), isRead: false)
        #expect(timeline.rows.firstIndex(of: .divider) == 3)
        timeline.add(newest: page(1...5, unread: 4))
        timeline.add(newest: page(1...6, unread: 6))
        #expect(timeline.rows.firstIndex(of: .divider) == 3)
    }

    @Test(
        arguments: [
            (.queued, 0, "will send when you meet"),
            (.sent, 0, "sent"), (.delivered, 0, "delivered"),
            (.delivered, 1, "read by 1 of 2"), (.read, 2, "read"), (.unknown, 0, nil),
            (nil, 0, nil),
        ] as [(MessageState?, Int, String?)])
    func `the delivery state is shown in words`(
        state: MessageState?, read: Int, text: String?
    ) {
        #expect(message(1, state: state, read: read).stateText == text)
    }

    @Test func `a long text is one line of 60 characters in a list`() {
        #expect(ChatText.oneLine("one\ntwo") == "one two")
        #expect(ChatText.oneLine(String(repeating: "x", count: 60)).count == 60)
        #expect(ChatText.oneLine(String(repeating: "x", count: 61)).hasSuffix("…"))
        #expect(ChatText.oneLine(String(repeating: "x", count: 61)).count == 60)
    }
}
