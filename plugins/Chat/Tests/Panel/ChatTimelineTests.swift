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

    @Test func `the messages that will be sent are counted by the node, not among those loaded`() {
        var timeline = ChatTimeline()
        var newest = page(5...6, before: 5)
        newest.queued = Count(clamping: 12)
        timeline.add(newest: newest)
        #expect(timeline.waitingCount == 12)
    }

    @Test func `a message that the user is deleting is hidden, and the divider stays in place`() {
        var timeline = ChatTimeline(hidden: [recordKey(6)])
        timeline.add(newest: page(5...8, before: 5, unread: 6))
        #expect(timeline.shown.map(\.text.string) == ["5", "7", "8"])
        #expect(timeline.shownDivider == recordKey(7))
        let lines = timeline.lines(now: .example).map(\.id)
        #expect(
            Array(lines.suffix(3)) == [.divider, .message(recordKey(7)), .message(recordKey(8))])
        timeline.hidden = []
        #expect(texts(timeline) == ["5", "6", "7", "8"] && timeline.shown == timeline.messages)
        #expect(timeline.shownDivider == recordKey(6))
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

    /// The number of the message under the divider; nil if the divider is not shown.
    private func divided(_ timeline: ChatTimeline) -> String? {
        timeline.messages.first { $0.id == timeline.divider }?.text.string
    }

    @Test func `the divider stays where it was when the room was opened`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(1...3, unread: 2))
        timeline.add(newest: page(1...4, unread: 4))
        #expect(divided(timeline) == "2")
        timeline.remove(recordKey(2))
        #expect(divided(timeline) == nil)
    }

    @Test func `only a message that arrives while the user is away has a divider`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(1...2))
        timeline.add(newest: page(1...3, unread: 3))
        #expect(divided(timeline) == nil)
        timeline.add(newest: page(1...4, unread: 4), isRead: false)
        #expect(divided(timeline) == "4")
        timeline.add(newest: page(1...5, unread: 4))
        timeline.add(newest: page(1...6, unread: 6))
        #expect(divided(timeline) == "4")
    }

    @Test func `a room that was opened at its first unread message keeps the divider there`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(151...200, before: 151, unread: 20), isRead: false)
        timeline.replace(with: page(1...50, after: 50, unread: 20))
        #expect(divided(timeline) == "20")
        timeline.add(newer: page(51...200, unread: 20))
        timeline.add(newest: page(151...200, before: 151, unread: 20))
        #expect(divided(timeline) == "20")
    }

    // MARK: 200 messages at most

    @Test func `scrolling up drops the newest messages beyond 200, which can be loaded again`() {
        var timeline = ChatTimeline()
        timeline.add(newest: page(301...350, before: 301))
        for start in stride(from: 251, through: 101, by: -50) {
            timeline.add(older: page(start...(start + 49), before: start))
        }
        #expect(timeline.messages.count == ChatTimeline.countMax)
        #expect(texts(timeline).first == "101" && texts(timeline).last == "300")
        #expect(timeline.after == cursor(1300))
        timeline.add(newer: page(301...350))
        #expect(timeline.messages.count == ChatTimeline.countMax)
        #expect(texts(timeline).first == "151" && texts(timeline).last == "350")
        #expect(timeline.before == cursor(1151))
        #expect(timeline.after == nil)
    }

    @Test func `messages that arrive drop the oldest beyond 200`() {
        var timeline = ChatTimeline()
        timeline.replace(with: page(1...200, before: 1))
        timeline.dropOldest()
        #expect(timeline.messages.count == 200)
        timeline.add(newest: page(152...201, before: 152))
        #expect(timeline.messages.count == 201)
        timeline.dropOldest()
        #expect(texts(timeline).first == "2")
        #expect(timeline.before == cursor(1002))
    }

    @Test(
        arguments: [
            (.queued, 0, "Will send when you meet"),
            (.sent, 0, "Sent"), (.delivered, 0, "Delivered"),
            (.delivered, 1, "Read by 1 of 2"), (.read, 2, "Read"), (.unknown, 0, nil),
            (nil, 0, nil),
        ] as [(MessageState?, Int, String?)])
    func `the delivery state is shown in words`(
        state: MessageState?, read: Int, text: String?
    ) {
        #expect(message(1, state: state, read: read).stateText == text)
    }
}
