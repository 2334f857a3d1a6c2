import ChatAPI
import Contract
import Foundation
import PanelTestSupport
import Testing

@testable import ChatPanel

/// The lines of a conversation: days, groups of bubbles, and what changes when a message arrives.
struct ChatLineTests {
    private let zone = TimeZone(secondsFromGMT: 9 * 3600) ?? .gmt
    /// Mon 23 November 2026, 15:00 in Seoul.
    private let now = Timestamp(milliseconds: 1_795_413_600_000)

    private func message(
        _ number: Int, from author: Character = "b", minutesAgo: Int = 0,
        state: MessageState? = nil
    ) -> ChatMessage {
        ChatMessage(
            id: recordKey(number), from: key(author), name: "Ann \(author)", isMine: state != nil,
            text: "\(number)", atMs: now - .seconds(60 * minutesAgo),
            cursor: Cursor(computed: "\(1000 + number)"), state: state, receivers: 1)
    }

    private func recordKey(_ number: Int) -> RecordKey {
        let digits = "\(number)"
        return RecordKey(digits: String(repeating: "0", count: 32 - digits.count) + digits)
    }

    private func timeline(
        _ messages: [ChatMessage], kind: ChatRoom.Kind = .pair, unread: Int? = nil,
        found: Int? = nil
    ) -> ChatTimeline {
        var timeline = ChatTimeline()
        let page = ChatPage(
            room: ChatRoom(id: key("a"), kind: kind, title: "Ann", canSend: true, unread: 0),
            messages: messages, firstUnread: unread.map(recordKey))
        timeline.replace(with: page, found: found.map(recordKey))
        return timeline
    }

    /// Returns the lines in short: a day, "—" for the divider, a message's number with its caption.
    private func shown(_ timeline: ChatTimeline) -> [String] {
        timeline.lines(now: now, in: zone).map { line in
            switch line {
            case .day(_, let text): text
            case .divider: "—"
            case .message(let bubble):
                [bubble.message.text.string, bubble.caption].compactMap { $0 }
                    .joined(separator: " ")
            }
        }
    }

    @Test func `messages of one author in one minute have one time under them`() {
        let three = [
            message(1, minutesAgo: 2), message(2, minutesAgo: 2), message(3, minutesAgo: 1),
            message(4, from: "c", minutesAgo: 1),
        ]
        #expect(shown(timeline(three)) == ["Today", "1", "2 14:58", "3 14:59", "4 14:59"])
    }

    @Test func `a new delivery state ends a group, and so does the divider`() {
        let mine = [
            message(1, state: .read), message(2, state: .read), message(3, state: .queued),
        ]
        #expect(
            shown(timeline(mine)) == [
                "Today", "1", "2 15:00 · Read", "3 15:00 · Will send when you meet",
            ])
        let theirs = [message(1), message(2), message(3)]
        #expect(shown(timeline(theirs, unread: 2)) == ["Today", "1 15:00", "—", "2", "3 15:00"])
    }

    @Test func `each day has its name above its first message`() {
        let day = 24 * 60
        let old = [2 * day, day, 15 * 60 + 1, 15 * 60].map { message($0, minutesAgo: $0) }
        let lines = shown(timeline(old))
        #expect(lines.count == 7)
        #expect(lines[0].contains("21"))
        #expect(lines[2] == "Yesterday")
        #expect(lines[5] == "Today")
    }

    @Test func `the author is above the first bubble of a group of several people, not of me`() {
        func authors(_ kind: ChatRoom.Kind) -> [String] {
            let all = [message(1), message(2), message(3, from: "c"), message(4, state: .sent)]
            return timeline(all, kind: kind).lines(now: now, in: zone).compactMap { line in
                guard case .message(let bubble) = line else { return nil }
                return bubble.author
            }
        }
        #expect(authors(.group) == ["Ann b", "Ann c"])
        #expect(authors(.pair) == [])
    }

    @Test func `the found message is marked`() {
        let lines = timeline([message(1), message(2)], found: 2).lines(now: now, in: zone)
        let found = lines.compactMap { line in
            if case .message(let bubble) = line, bubble.isFound { bubble.message.id } else { nil }
        }
        #expect(found == [recordKey(2)])
    }

    // MARK: The cost of a change

    @Test func `of 200 lines, a message that arrives makes one and changes one`() {
        let many = (1...200).map { message($0) }
        let old = timeline(many).lines(now: now, in: zone)
        let new = timeline(many + [message(201)]).lines(now: now, in: zone)
        let changes = ChatLineChanges(from: old, to: new)
        #expect(changes.made.map(\.id) == [.message(recordKey(201))])
        #expect(changes.changed.map(\.id) == [.message(recordKey(200))])
        #expect(changes.removed.isEmpty)
    }

    @Test func `a second later nothing changes, and at midnight the day does`() {
        let timeline = timeline([message(1), message(2)])
        let old = timeline.lines(now: now, in: zone)
        #expect(timeline.lines(now: now + .seconds(1), in: zone) == old)
        let changes = ChatLineChanges(
            from: old, to: timeline.lines(now: now + .seconds(9 * 3600), in: zone))
        #expect(changes.made.isEmpty && changes.removed.isEmpty)
        guard case .day(_, "Yesterday") = changes.changed.first, changes.changed.count == 1 else {
            Issue.record("\(changes.changed) changed")
            return
        }
    }

    @Test func `a deleted message removes its line, and the day with the last one`() {
        let one = timeline([message(1)]).lines(now: now, in: zone)
        let changes = ChatLineChanges(from: one, to: [])
        #expect(changes.removed.count == 2)
        #expect(changes.removed.contains(.message(recordKey(1))))
    }
}
