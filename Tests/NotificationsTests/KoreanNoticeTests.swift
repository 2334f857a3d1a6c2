import Contract
import Notifications
import PluginKit
import Testing

@Suite struct KoreanNoticeTests {
    private func desk(_ level: NoticePreferences.Level = .everything) throws -> NoticeDesk {
        NoticeDesk(NoticePreferences(level: level), in: try Catalogue(.ko))
    }

    @Test(arguments: [("민아", "민아가 산책을 요청해요"), ("벤", "벤이 산책을 요청해요")])
    func `the particle after a name follows its last sound`(name: String, title: String) throws {
        var desk = try desk()
        let effects = desk.show(
            [Sample.notice("1", title: "\(name) asks for a walk", body: "")], at: 0)
        #expect(
            effects == [
                .show(
                    ShownNotice(tag: Sample.tag("1"), title: title, actions: ["수락", "거절"]))
            ])
    }

    @Test func `what a person wrote stays as it is`() throws {
        var desk = try desk()
        let effects = desk.show(
            [Sample.notice("1", body: Sentence(verbatim: "Accept"))], at: 0)
        guard case .show(let notice)? = effects.first else {
            Issue.record("nothing is shown")
            return
        }
        #expect(notice.body == "Accept")
    }

    @Test func `the summary is in Korean`() throws {
        var desk = try desk(.new)
        let effects = desk.show([Sample.notice("1"), Sample.notice("2")], at: 0)
        #expect(effects.titles == ["새 소식 2개"])
    }

    @Test func `a change of language writes the shown notices again`() throws {
        var desk = try desk()
        _ = desk.show([Sample.notice("1", title: "\("Ben") asks for a walk")], at: 0)
        #expect(desk.speak(.english).titles == ["Ben asks for a walk"])
        #expect(desk.speak(.english).isEmpty)
    }
}
