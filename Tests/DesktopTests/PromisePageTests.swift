import ControlAPI
import Foundation
import Testing

@testable import Desktop
@testable import PromisesPanel

/// What the page of promises says and asks.
@MainActor struct PromisePageTests {
    private func summary(
        state: String = "member", phase: String = "tracking", sharing: String = "sharing",
        mine: Bool = false
    ) throws -> PromiseSummary {
        let json = """
            {"id":"p","title":"Dinner","atMs":10000000,"phase":"\(phase)","state":"\(state)",
            "makerName":"Ann","mine":\(mine),"latitude":37.5,"longitude":127,"penalty":500,
            "peopleCount":3,"sharing":"\(sharing)"}
            """
        return try JSONDecoder().decode(PromiseSummary.self, from: Data(json.utf8))
    }

    private func person(
        _ more: String, state: String = "member", isMe: Bool = false
    ) throws -> PromisePerson {
        let json = """
            {"person":"k","name":"Ben","me":\(isMe),"state":"\(state)"\(more)}
            """
        return try JSONDecoder().decode(PromisePerson.self, from: Data(json.utf8))
    }

    @Test func `what can be done follows from how one stands, and ends with the time`() throws {
        let before: Int64 = 9_999_999
        let invited = try summary(state: "invited", phase: "scheduled", sharing: "outside")
        #expect(PromiseAction.all(for: invited, nowMs: before) == [.decline, .accept])
        #expect(PromiseAction.all(for: invited, nowMs: 10_000_000) == [.decline])
        let mine = try summary(phase: "scheduled", sharing: "idle", mine: true)
        #expect(PromiseAction.all(for: mine, nowMs: before) == [.delete, .change])
        #expect(PromiseAction.all(for: mine, nowMs: 10_000_000).isEmpty)
        let first = try person(#","rank":1"#)
        #expect(PromiseAction.all(for: mine, people: [first], nowMs: before).isEmpty)
        let shared = try summary()
        #expect(PromiseAction.all(for: shared, nowMs: before) == [.leave, .stop])
        #expect(PromiseAction.all(for: shared, nowMs: 10_000_000) == [.stop])
        let iCame = try person(#","rank":1"#, isMe: true)
        #expect(PromiseAction.all(for: shared, people: [iCame], nowMs: before) == [.stop])
        #expect(PromiseAction.all(for: shared, people: [first], nowMs: before) == [.leave, .stop])
        let interrupted = try summary(sharing: "interrupted")
        #expect(PromiseAction.all(for: interrupted, nowMs: 10_000_000) == [.share])
        let elsewhere = try summary(sharing: "elsewhere")
        #expect(PromiseAction.all(for: elsewhere, nowMs: 10_000_000) == [.stop, .share])
        #expect(PromiseAction.all(for: try summary(phase: "past"), nowMs: before).isEmpty)
    }

    @Test func `a change names what is changed, and whom it asks, alone`() throws {
        let utc = try #require(TimeZone(identifier: "UTC"))
        let mine = try summary(phase: "scheduled", sharing: "idle", mine: true)
        var form = PromiseForm(changing: mine, people: [try person("")], in: utc)
        // Ten thousand seconds after the beginning of 1970; its own time may be near.
        #expect(form.when == "1970-01-01 02:46")
        #expect(form.fault(nowMs: 9_000_000, in: utc) == "Nothing is changed yet.")
        #expect(form.original?.people == ["k"])
        form.penalty = 1000
        #expect(form.fault(nowMs: 9_000_000, in: utc) == nil)
        #expect(
            form.change(nowMs: 9_000_000, in: utc) == PromiseChange(promise: "p", penalty: 1000))
        form.when = "1970-01-01 02:59"
        #expect(form.fault(nowMs: 9_000_000, in: utc) == "At least 30 minutes ahead, please.")
        form.when = "1970-01-01 03:00"
        #expect(form.change(nowMs: 9_000_000, in: utc)?.atMs == 10_800_000)
        #expect(form.invitation == nil)
        form.people = ["m"]
        #expect(form.invitation == PromiseInvitation(promise: "p", with: ["m"]))
        form.title = String(repeating: "x", count: 16)
        #expect(form.fault(nowMs: 0, in: utc) == "The title has at most 15 characters.")
    }

    @Test func `a promise is moved only to another point that was chosen`() throws {
        let mine = try summary(phase: "scheduled", sharing: "idle", mine: true)
        let here = PromiseForm.Place(latitude: mine.latitude, longitude: mine.longitude)
        let there = PromiseForm.Place(latitude: here.latitude + 0.001, longitude: here.longitude)
        for chosen in [nil, here] {
            var form = PromiseForm(changing: mine, people: [], chosen: chosen)
            form.isMoved = true
            #expect(form.change(nowMs: 0) == nil)
        }
        var form = PromiseForm(changing: mine, people: [], chosen: there)
        #expect(form.change(nowMs: 0) == nil)
        form.isMoved = true
        #expect(
            form.change(nowMs: 0)
                == PromiseChange(
                    promise: "p", latitude: there.latitude, longitude: there.longitude))
    }

    @Test func `what ends something for good is asked about first, and nothing else`() {
        let asked: [PromiseAction] = [.leave, .delete]
        for action in [.accept, .decline, .change, .share, .stop] + asked {
            #expect((action.question != nil) == asked.contains(action))
        }
    }

    @Test func `a day that a month has not is no day`() throws {
        let utc = try #require(TimeZone(identifier: "UTC"))
        var form = PromiseForm(latitude: 1, longitude: 2)
        for (when, isDay) in [
            ("2027-02-28 18:30", true), ("2027-02-29 18:30", false), ("2028-02-29 18:30", true),
            ("2027-02-31 18:30", false), ("2027-04-31 00:00", false),
        ] {
            form.when = when
            #expect((form.atMs(nowMs: 0, in: utc) != nil) == isDay)
        }
    }

    @Test(arguments: [(30.5, "30"), (95.9, "95"), (99.5, "99"), (100, "100")])
    func `kept promises are never rounded up`(percent: Double, shown: String) throws {
        let json = #"{"person":"k","name":"Ann","me":false,"owes":0,"past":4,"late":1,"#
            + "\"keptPercent\":\(percent),\"title\":\"T\"}"
        let person = try JSONDecoder().decode(LedgerPerson.self, from: Data(json.utf8))
        #expect(PromiseText.ledger(person).contains("· \(shown) % kept ·"))
    }

    @Test func `nobody is called late on old data`() throws {
        let position = #","lateness":"open","remaining":"1.20 km","position":{"#
            + #""latitude":1,"longitude":2,"ageSeconds":0}"#
        let ben = try person(position)
        #expect(PromiseText.line(of: ben, ageSeconds: 120) == "1.20 km to go · 2 min ago")
        #expect(
            PromiseText.line(of: ben, ageSeconds: 121) == "no position for 2 min (1.20 km then)")
        #expect(
            PromiseText.line(of: try person(#","lateness":"open""#), ageSeconds: nil)
                == "not on the way yet")
        let first = try person(#","rank":1,"medal":"gold","latenessText":"4 min early""#)
        #expect(PromiseText.line(of: first, ageSeconds: nil) == "#1 · gold medal, 4 min early")
        #expect(
            PromiseText.line(of: try person("", state: "invited"), ageSeconds: nil)
                == "has not answered")
    }

    @Test func `the map shows the goal with its circle, and who is on the way with their age`()
        throws
    {
        let ben = try person(
            #","lateness":"open","remaining":"80 m","position":{"latitude":1,"longitude":2,"#
                + #""ageSeconds":100}"#)
        let places = PromisePlace.all(of: try summary(), people: [ben], passed: 20)
        let markers = MapMarker.all(in: Picture(), promise: places, nowMs: 0)
        #expect(markers.map(\.kind) == [.goal(radiusMetres: 30), .mate])
        #expect(markers.map(\.detail) == ["", "80 m to go · 2 min ago"])
        #expect(markers.map(\.isStale) == [false, false])
        let later = PromisePlace.all(of: try summary(), people: [ben], passed: 21)
        #expect(later.map(\.isStale) == [false, true])
    }

    @Test func `people stand in the order of arrival, and the others by name`() throws {
        var people = try [1, 2, 3, 4].map { _ in try person("") }
        for (index, (name, rank)) in [("Dee", nil), ("Cem", 2), ("Ann", nil), ("Ben", 1)]
            .enumerated()
        {
            people[index].name = name
            people[index].rank = rank
        }
        #expect(PromisePerson.inOrder(people).map(\.name) == ["Ben", "Cem", "Ann", "Dee"])
    }

    private let seoul = TimeZone(identifier: "Asia/Seoul")
    /// 2026-05-01 18:00 in Seoul.
    private let nowMs: Int64 = 1_777_626_000_000

    private func form(_ when: String) -> PromiseForm {
        var form = PromiseForm(latitude: 1, longitude: 2)
        form.title = "Dinner"
        form.when = when
        form.people = ["k"]
        return form
    }

    @Test(arguments: [
        ("19:30", 5_400_000), ("17:59", 86_340_000), ("2026-05-01 18:30", 1_800_000),
        (" 2026-05-02  18:00 ", 86_400_000),
    ])
    func `an hour alone is the next one, and a day may be named`(
        _ when: String, _ aheadMs: Int
    ) throws {
        let zone = try #require(seoul)
        #expect(form(when).atMs(nowMs: nowMs, in: zone) == nowMs + Int64(aheadMs))
        #expect(form(when).fault(nowMs: nowMs, in: zone) == nil)
    }

    @Test(arguments: ["", "soon", "25:00", "18:60", "18", "2026-05-01", "2026-13-01 18:30", "::"])
    func `what is no time is said`(_ when: String) throws {
        let zone = try #require(seoul)
        #expect(form(when).fault(nowMs: nowMs, in: zone)?.hasPrefix("When?") == true)
    }

    @Test func `the form says what is wrong first`() throws {
        let zone = try #require(seoul)
        var wrong = form("18:29")
        #expect(wrong.fault(nowMs: nowMs, in: zone) == "At least 30 minutes ahead, please.")
        wrong.title = String(repeating: "a", count: 16)
        #expect(
            wrong.fault(nowMs: nowMs, in: zone) == "The title has at most 15 characters.")
        wrong = form("18:30")
        wrong.people = []
        #expect(wrong.fault(nowMs: nowMs, in: zone)?.hasPrefix("With whom?") == true)
        #expect(wrong.body(nowMs: nowMs, in: zone) == nil)
        wrong.people = ["k"]
        wrong.placeName = "  "
        let body = try #require(wrong.body(nowMs: nowMs, in: zone))
        #expect(body.place == nil && body.atMs == nowMs + 1_800_000)
    }
}
