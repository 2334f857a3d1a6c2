import Contract
import Foundation
import Testing

@testable import ChatPanel

/// Times and texts of the chat in words.
struct ChatTextTests {
    private let zone = TimeZone(secondsFromGMT: 9 * 3600) ?? .gmt
    /// Mon 23 November 2026, 15:00 in Seoul.
    private let now = Timestamp(milliseconds: 1_795_413_600_000)

    @Test func `a time of day has two digits for hours and minutes`() {
        #expect(ChatText.time(now, in: zone) == "15:00")
        #expect(ChatText.time(now - .seconds(3600 * 6 - 300), in: zone) == "09:05")
        #expect(ChatText.time(.min, in: TimeZone(secondsFromGMT: -3600) ?? .gmt) == "00:00")
    }

    @Test func `a list shows the time of a message of today, and the day of an older one`() {
        let hour = Duration.seconds(3600)
        #expect(ChatText.brief(now - hour * 15, now: now, in: zone) == "00:00")
        #expect(ChatText.brief(now - hour * 15 - .seconds(1), now: now, in: zone) == "Yesterday")
        #expect(ChatText.day(now - hour * 24, now: now, in: zone) == "Yesterday")
        let older = ChatText.day(now - hour * 48, now: now, in: zone)
        #expect(older.contains("21") && !older.contains("2026"))
        #expect(ChatText.day(now - hour * 24 * 200, now: now, in: zone).contains("2026"))
    }

    @Test func `several queued messages are counted, a single one says so itself`() {
        #expect(ChatText.waiting(0) == nil)
        #expect(ChatText.waiting(1) == nil)
        #expect(ChatText.waiting(3) == "3 will be sent when you meet")
    }

    @Test func `a long text is one line of 60 characters in a list`() {
        #expect(ChatText.oneLine("one\ntwo") == "one two")
        #expect(ChatText.oneLine(String(repeating: "x", count: 60)).count == 60)
        #expect(ChatText.oneLine(String(repeating: "x", count: 61)).hasSuffix("…"))
        #expect(ChatText.oneLine(String(repeating: "x", count: 61)).count == 60)
    }
}
