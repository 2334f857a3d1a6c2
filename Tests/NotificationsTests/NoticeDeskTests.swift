import Notifications
import PluginKit
import Records
import Testing

@Suite struct NoticeDeskTests {
    @Test func `a notice is shown after it has settled, with its text and its buttons`() {
        var desk = NoticeDesk(NoticePreferences())
        #expect(desk.receive(Sample.notice("1"), now: Sample.at(0)).isEmpty)
        #expect(desk.due == NoticeLimits.settling)
        #expect(desk.tick(now: Sample.at(0.999)).isEmpty)
        #expect(
            desk.tick(now: Sample.at(1)) == [
                .show(
                    ShownNotice(
                        tag: Sample.tag("1"), title: "Ben asks for a walk", body: "To the river?",
                        actions: ["Accept", "Decline"]))
            ])
        #expect(desk.due == nil)
    }

    @Test func `what is handled before it has settled is never shown`() {
        var desk = NoticeDesk(NoticePreferences())
        _ = desk.receive(Sample.notice("1"), now: Sample.at(0))
        #expect(desk.settle([InboxSubject("walk", "1")]).isEmpty)
        #expect(desk.tick(now: Sample.at(1)).isEmpty && desk.due == nil)
    }

    @Test func `a notice replaces the one about its subject, and is withdrawn when handled`() {
        var desk = NoticeDesk(NoticePreferences())
        _ = desk.show([Sample.notice("1")], at: 0)
        let again = desk.show([Sample.notice("1", title: "Ben asked for a walk")], at: 10)
        #expect(again.titles == ["Ben asked for a walk"])
        #expect(desk.settle([InboxSubject("walk", "1")]) == [.withdraw(Sample.tag("1"))])
        #expect(desk.settle([InboxSubject("walk", "1")]).isEmpty)
    }

    @Test func `of one subject and another kind, each is a notice of its own`() {
        var desk = NoticeDesk(NoticePreferences())
        let effects = desk.show([Sample.notice("1"), Sample.notice("1", kind: "chat")], at: 0)
        #expect(effects.count == 2)
        #expect(desk.settle([InboxSubject("chat", "1")]).withdrawn.count == 1)
        #expect(desk.subjects == [InboxSubject("walk", "1")])
    }

    @Test func `at the level of names no text is shown`() {
        var desk = NoticeDesk(NoticePreferences(level: .names))
        #expect(
            desk.show([Sample.notice("1")], at: 0) == [
                .show(
                    ShownNotice(
                        tag: Sample.tag("1"), title: "Ben asks", actions: ["Accept", "Decline"]))
            ])
    }

    @Test func `at the level of news only their number is shown, without buttons`() {
        var desk = NoticeDesk(NoticePreferences(level: .new))
        let one = desk.show([Sample.notice("1")], at: 0)
        #expect(
            one == [
                .show(
                    ShownNotice(tag: .summary, title: "Something new", body: "See the inbox."))
            ])
        #expect(desk.show([Sample.notice("2")], at: 2).isEmpty, "a second look would be a nuisance")
        #expect(desk.due == .seconds(61))
        #expect(desk.tick(now: Sample.at(61)).titles == ["2 new things"])
    }

    @Test func `a stricter level removes texts that are shown already`() {
        var desk = NoticeDesk(NoticePreferences())
        _ = desk.show([Sample.notice("1")], at: 0)
        #expect(desk.apply(NoticePreferences(level: .names)).titles == ["Ben asks"])
        #expect(desk.apply(NoticePreferences(level: .new)).withdrawn == [Sample.tag("1")])
        #expect(desk.tick(now: Sample.at(2)).titles == ["Something new"])
    }

    @Test func `a kind that is off is not shown, and is removed when it is turned off`() {
        var desk = NoticeDesk(NoticePreferences())
        _ = desk.show([Sample.notice("1"), Sample.notice("2", kind: "chat")], at: 0)
        #expect(
            desk.apply(NoticePreferences(off: ["chat"])).withdrawn
                == [Sample.tag("2", kind: "chat")])
        #expect(desk.show([Sample.notice("3", kind: "chat")], at: 10).isEmpty)
        #expect(desk.show([Sample.notice("4")], at: 20).titles.count == 1)
    }

    @Test func `quiet hours hold everything back, and its number follows when they end`() {
        let quiet = QuietHours("22:00-07:00")
        var desk = NoticeDesk(NoticePreferences(quiet: quiet))
        let notices = [Sample.notice("1"), Sample.notice("2")]
        #expect(desk.show(notices, at: 0, minute: 23 * 60).isEmpty)
        #expect(desk.due == .seconds(61), "the clock is read once a minute")
        #expect(desk.tick(now: Sample.at(61, minute: 6 * 60 + 59)).isEmpty)
        let morning = desk.tick(now: Sample.at(121, minute: 7 * 60))
        #expect(morning.titles == ["2 new things"] && desk.due == nil)
        #expect(desk.settle([InboxSubject("walk", "1")]).titles == ["Something new"])
        #expect(desk.settle([InboxSubject("walk", "2")]) == [.withdraw(.summary)])
    }

    @Test func `what was handled in quiet hours is not counted, and the clock is left alone`() {
        var desk = NoticeDesk(NoticePreferences(quiet: QuietHours("22:00-07:00")))
        _ = desk.show([Sample.notice("1")], at: 0, minute: 23 * 60)
        _ = desk.settle([InboxSubject("walk", "1")])
        #expect(desk.tick(now: Sample.at(61, minute: 23 * 60 + 1)).isEmpty && desk.due == nil)
    }

    @Test func `of forty notices of one person four are shown, and the others are counted`() {
        var desk = NoticeDesk(NoticePreferences())
        let many = (1...40).map { Sample.notice("\($0)") }
        let titles = desk.show(many, at: 0).titles
        #expect(titles.count == NoticeLimits.perPersonAtOnceMax + 1)
        #expect(titles.last == "36 new things")
        // Another person still comes through.
        let other = desk.show([Sample.notice("x", from: Sample.person(2))], at: 2)
        #expect(other.titles == ["Ben asks for a walk"])
    }

    @Test func `of very many people at once twelve are shown`() {
        var desk = NoticeDesk(NoticePreferences())
        let many = (1...30).map { Sample.notice("\($0)", from: Sample.person($0)) }
        let titles = desk.show(many, at: 0).titles
        #expect(titles.count == NoticeLimits.atOnceMax + 1)
        #expect(titles.last == "18 new things")
    }

    @Test func `messages in one room update its notice four times, and then every 15 s`() {
        var desk = NoticeDesk(NoticePreferences())
        var shown: [String] = []
        for second in 0..<50 {
            shown +=
                desk.show([Sample.notice("room", title: "\(second)")], at: Double(second))
                .titles
        }
        #expect(shown == ["0", "1", "2", "3", "15", "30", "45"])
        #expect(desk.tick(now: Sample.at(61)).titles == ["49"], "the last one follows")
    }

    @Test func `a closed notice is forgotten, and a closed summary with all that it counts`() {
        var desk = NoticeDesk(NoticePreferences())
        _ = desk.show((1...6).map { Sample.notice("\($0)") }, at: 0)
        desk.close(Sample.tag("1"))
        desk.close(.summary)
        #expect(Set(desk.subjects.map(\.reference)) == ["2", "3", "4"])
        #expect(desk.tick(now: Sample.at(100)).isEmpty && desk.due == nil)
    }

    @Test func `a bounded number of subjects is remembered, and the oldest is withdrawn`() {
        var desk = NoticeDesk(NoticePreferences())
        _ = desk.show([Sample.notice("first")], at: 0)
        var effects: [NoticeDesk.Effect] = []
        for number in 1...NoticeLimits.subjectsCountMax {
            effects += desk.receive(Sample.notice("\(number)"), now: Sample.at(2))
        }
        #expect(effects == [.withdraw(Sample.tag("first"))])
        #expect(desk.subjects.count == NoticeLimits.subjectsCountMax)
    }

    @Test func `a button is known by its index while its notice is there`() {
        var desk = NoticeDesk(NoticePreferences())
        let subject = InboxSubject("walk", "1")
        _ = desk.show([Sample.notice("1")], at: 0)
        #expect(desk.action(1, of: subject)?.label == "Decline")
        #expect(desk.action(2, of: subject) == nil && desk.action(-1, of: subject) == nil)
        _ = desk.settle([subject])
        #expect(desk.action(0, of: subject) == nil)
    }
}
