import Notifications
import PluginKit
import Testing

@testable import DesktopBus

@Suite struct ShownNoticeTests {
    @Test func `texts are cut at their limits, and each line break becomes a space`() {
        let long = String(repeating: "안", count: 300)
        let notice = ShownNotice(tag: .summary, title: long, body: long, actions: [long])
        #expect(notice.title.count == NoticeLimits.titleCharactersMax)
        #expect(notice.body.count == NoticeLimits.bodyCharactersMax)
        #expect(notice.actions.map(\.count) == [NoticeLimits.labelCharactersMax])
        #expect(ShownNotice(tag: .summary, title: "x", body: "a\nb\r\nc\td").body == "a b c d")
    }

    @Test func `control characters and marks that turn the text are removed`() {
        let notice = ShownNotice(
            tag: .summary, title: "a\u{1b}[31m\u{202e}b\u{0}", body: "\u{7}\u{2066}c")
        #expect(notice.title == "a[31mb" && notice.body == "c")
    }

    @Test func `a title of nothing that can be shown is the program's name`() {
        #expect(ShownNotice(tag: .summary, title: "\u{202e}\n").title == "Waggle")
    }

    @Test func `markup of another person is shown as it was written`() {
        #expect(
            Markup.escaped("<a href=\"x\">Tom & 'Jerry'</a>")
                == "&lt;a href=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/a&gt;")
    }

    @Test(arguments: ["walk/1b5d", "chat/chat-77", "inbox/"])
    func `a subject is read from the text that it writes`(text: String) {
        #expect(InboxSubject(text)?.description == text)
    }

    @Test(arguments: ["", "walk", "/x", "walk/" + String(repeating: "1", count: 300)])
    func `a text that names no subject is refused`(text: String) {
        #expect(InboxSubject(text) == nil)
    }

    @Test func `the session bus is the one that the environment names, or that of the user`() {
        #expect(SessionBus.address([:]) == nil)
        #expect(SessionBus.address(["XDG_RUNTIME_DIR": "/nowhere"]) == nil)
        #expect(SessionBus.address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]) == "unix:path=/x")
    }
}
