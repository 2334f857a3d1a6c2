import PluginKit
import Testing

@testable import Node

/// The notices for the person, and those that wait for the inbox.
struct NoticesTests {
    private func notice(_ kind: Notice.Kind, _ reference: String) -> Notice {
        Notice(kind: kind, reference: reference, text: "Look.", at: .min)
    }

    @Test func `a notice is known by its kind and its subject`() {
        var notices = Notices()
        notices.add(notice(.forked, "a"))
        #expect(!notices.mayTell(.forked, about: "a"))
        #expect(notices.mayTell(.clone, about: "a"))
        #expect(notices.mayTell(.forked, about: "b"))
        notices.remove(.forked, about: "a")
        #expect(notices.mayTell(.forked, about: "a"))
    }

    @Test func `of too many notices the oldest are dropped`() {
        var notices = Notices()
        for number in 0...Notice.keptMax { notices.add(notice(.forked, "\(number)")) }
        #expect(notices.all.count == Notice.keptMax)
        #expect(notices.all.first?.reference == "1")
        #expect(notices.all.last?.reference == "\(Notice.keptMax)")
    }

    @Test func `a dropped notice is not told again, and there is a limit to what is told`() {
        var notices = Notices()
        for number in 0..<Notices.subjectsMax - 1 { notices.add(notice(.forked, "\(number)")) }
        #expect(!notices.mayTell(.forked, about: "0"))
        #expect(notices.mayTell(.forked, about: "new"))
        notices.add(notice(.forked, "new"))
        #expect(!notices.mayTell(.forked, about: "one more"))
    }

    @Test func `what waits for the inbox is handed out once, in order`() {
        var notices = Notices()
        notices.postLater(notice(.adopted, "a"))
        notices.postLater(notice(.forked, "b"))
        let rounds = (0..<2).map { _ in notices.removeUnposted().map(\.reference) }
        #expect(rounds == [["a", "b"], []])
        #expect(notices.all.isEmpty)
    }
}
