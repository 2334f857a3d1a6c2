import Contract
import Foundation
import PanelKit
import PanelTestSupport
import PromisesAPI
import Testing

@testable import PromisesPanel

/// The texts and actions of the page of promises.
@MainActor struct PromisePageTests {
    private let before = Timestamp(milliseconds: 9_999_999)
    private let time = Timestamp(milliseconds: 10_000_000)
    private let early = Timestamp(milliseconds: 9_000_000)

    private func summary(
        state: PromiseMembership = .member, phase: PromisePhase = .tracking,
        sharing: PromiseSharing = .sharing, mine: Bool = false
    ) -> PromiseSummary {
        PromiseSummary(
            id: key("d"), title: "Dinner", atMs: time, phase: phase, state: state, maker: key("a"),
            makerName: "Ann", mine: mine, latitude: 37.5, longitude: 127, penalty: 500,
            peopleCount: 3, sharing: sharing)
    }

    private func person(
        _ change: (inout PromisePerson) -> Void = { _ in }
    ) -> PromisePerson {
        var person = PromisePerson(
            person: key("b"), suffix: KeySuffix(key("b")), name: "Ben", me: false, state: .member)
        change(&person)
        return person
    }

    private func location(ageSeconds: Int) -> PromisePerson.SharedLocation {
        PromisePerson.SharedLocation(
            latitude: 1, longitude: 2, ageSeconds: ageSeconds, isStale: false)
    }

    @Test(arguments: [PromiseMembership.invited, .left, .removed, .unknown])
    func `a promise of one person names who that is, never one who was asked`(
        state: PromiseMembership
    ) {
        var asked = summary(state: state, phase: .scheduled, sharing: .outside)
        asked.peopleCount = Count(clamping: 1)
        #expect(PromiseText.detail(of: asked).hasPrefix("only Ann so far "))
        var mine = summary(phase: .scheduled, sharing: .idle, mine: true)
        mine.peopleCount = Count(clamping: 1)
        #expect(PromiseText.detail(of: mine).hasPrefix("only you so far "))
    }

    @Test func `the page counts down to the time and says what it costs to be late`() {
        let seoul = Self.calendar("Asia/Seoul")
        func countdown(_ seconds: Int64) -> String {
            PromiseText.countdown(to: now + .seconds(seconds), now: now, calendar: seoul)
        }
        #expect(countdown(24 * 60) == "Today 18:24 · in 24 min")
        #expect(countdown(5400) == "Today 19:30 · in 1 h 30 min")
        #expect(countdown(20 * 3600) == "Tomorrow 14:00 · in 20 h")
        #expect(countdown(-240) == "Today 17:56 · 4 min ago")
        var dinner = summary()
        dinner.locationName = "Noodle bar"
        #expect(
            PromiseText.detail(of: dinner)
                == "Noodle bar · 3 people · being late costs 500 potatoes")
        dinner.penalty = PromisePenalty(clamping: 0)
        #expect(PromiseText.detail(of: dinner) == "Noodle bar · 3 people")
    }

    @Test func `an answer has a button, and what ends or changes a promise is in the menu`() {
        func actions(_ promise: PromiseSummary) -> ([PromiseAction], [PromiseAction]) {
            let actions = PromiseActions(for: promise, people: [], now: before)
            return (actions.buttons, actions.menu)
        }
        #expect(
            actions(summary(state: .invited, phase: .scheduled, sharing: .outside))
                == ([.decline, .accept], []))
        #expect(
            actions(summary(phase: .scheduled, sharing: .idle, mine: true))
                == ([], [.change, .delete]))
        #expect(actions(summary()) == ([], [.stop, .leave]))
        #expect(actions(summary(sharing: .stopped)) == ([.share], [.leave]))
        #expect(actions(summary(sharing: .unconfirmed)) == ([.leave, .confirm], []))
    }

    private static func calendar(_ zone: String) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        return calendar
    }

    @Test func `the actions depend on the user's state, and end with the promise's time`() throws {
        let invited = summary(state: .invited, phase: .scheduled, sharing: .outside)
        #expect(PromiseAction.all(for: invited, now: before) == [.decline, .accept])
        #expect(PromiseAction.all(for: invited, now: time) == [.decline])
        let mine = summary(phase: .scheduled, sharing: .idle, mine: true)
        #expect(PromiseAction.all(for: mine, now: before) == [.delete, .change])
        #expect(PromiseAction.all(for: mine, now: time).isEmpty)
        let first = person { $0.rank = Ordinal(clamping: 1) }
        #expect(PromiseAction.all(for: mine, people: [first], now: before).isEmpty)
        let shared = summary()
        #expect(PromiseAction.all(for: shared, now: before) == [.leave, .stop])
        #expect(PromiseAction.all(for: shared, now: time) == [.stop])
        let iCame = person {
            $0.rank = Ordinal(clamping: 1)
            $0.me = true
        }
        #expect(PromiseAction.all(for: shared, people: [iCame], now: before) == [.stop])
        #expect(PromiseAction.all(for: shared, people: [first], now: before) == [.leave, .stop])
        let interrupted = summary(sharing: .interrupted)
        #expect(PromiseAction.all(for: interrupted, now: time) == [.share])
        let elsewhere = summary(sharing: .elsewhere)
        #expect(PromiseAction.all(for: elsewhere, now: time) == [.stop, .share])
        #expect(PromiseAction.all(for: summary(phase: .past), now: before).isEmpty)
        for phase in [PromisePhase.scheduled, .tracking] {
            let moved = summary(phase: phase, sharing: .unconfirmed)
            for now in [before, time] {
                #expect(PromiseAction.all(for: moved, now: now) == [.leave, .confirm])
            }
        }
    }

    @Test func `a change contains only the changed fields and the newly invited people`() throws {
        let utc = Self.calendar("UTC")
        let mine = summary(phase: .scheduled, sharing: .idle, mine: true)
        var form = PromiseForm(changing: mine, people: [person()], calendar: utc)
        // Ten thousand seconds after the beginning of 1970; its own time may be near.
        #expect(form.when == "1970-01-01 02:46")
        #expect(form.fault(now: early, calendar: utc) == "Nothing is changed yet.")
        #expect(form.original?.people == [key("b")])
        form.penalty = 1000
        #expect(form.fault(now: early, calendar: utc) == nil)
        #expect(
            try form.change(now: early, calendar: utc)
                == EditPromise(promise: NameOrKey(key("d")), penalty: Whole(1000)))
        form.when = "1970-01-01 02:59"
        #expect(
            form.fault(now: early, calendar: utc) == "Choose a time at least 30 minutes from now.")
        form.when = "1970-01-01 03:00"
        #expect(
            try form.change(now: early, calendar: utc)?.atMs == Timestamp(milliseconds: 10_800_000))
        #expect(form.invitation == nil)
        form.people = [key("c")]
        #expect(
            form.invitation
                == InviteToPromise(
                    promise: NameOrKey(key("d")), with: [NameOrKey(key("c"))]))
        form.title = String(repeating: "x", count: 16)
        #expect(
            form.fault(now: early, calendar: utc)
                == "The title must have 1 to 15 characters; it has 16.")
    }

    @Test func `a promise is moved only if another point was chosen`() throws {
        let mine = summary(phase: .scheduled, sharing: .idle, mine: true)
        var form = PromiseForm(changing: mine, people: [])
        #expect(try form.change(now: early) == nil)
        form.location = Coordinate(latitude: 37.501, longitude: 127)
        #expect(
            try form.change(now: early)
                == EditPromise(
                    promise: NameOrKey(key("d")), latitude: Latitude(37.501, field: "latitude"),
                    longitude: Longitude(127, field: "longitude")))
    }

    @Test func `a promise without a location asks for one`() throws {
        var form = PromiseForm()
        form.title = "Dinner"
        form.when = "19:30"
        form.people = [key("b")]
        let zone = Self.calendar("Asia/Seoul")
        #expect(
            form.fault(now: now, calendar: zone) == "Choose where to meet on the map.")
        form.location = Coordinate(latitude: 1, longitude: 2)
        #expect(form.fault(now: now, calendar: zone) == nil)
    }

    @Test func `only actions that end something for good ask for confirmation`() {
        let asked: [PromiseAction] = [.leave, .delete]
        for action in [.accept, .confirm, .decline, .change, .share, .stop] + asked {
            #expect((action.question != nil) == asked.contains(action))
        }
    }

    @Test func `a day that the month does not have is refused`() throws {
        let utc = Self.calendar("UTC")
        var form = PromiseForm(at: Coordinate(latitude: 1, longitude: 2))
        for (when, isDay) in [
            ("2027-02-28 18:30", true), ("2027-02-29 18:30", false), ("2028-02-29 18:30", true),
            ("2027-02-31 18:30", false), ("2027-04-31 00:00", false),
        ] {
            form.when = when
            #expect(((try? form.at(now: .example, calendar: utc)) != nil) == isDay)
        }
    }

    @Test func `a person who has arrived is not among those on the way`() {
        let first = person { $0.rank = Ordinal(clamping: 1) }
        let late = person { $0.person = key("c") }
        let (arrived, others) = [first, late].dividedByArrival
        #expect(arrived.map(\.person) == [key("b")] && others.map(\.person) == [key("c")])
    }

    @Test(arguments: [(0, "0"), (0.625, "62"), (0.999, "99"), (1, "100")])
    func `a bar says which part of the way is done, never rounded up`(
        share: Double, percent: String
    ) {
        #expect(PromiseText.part(share) == "\(percent)% of the way done")
    }

    @Test func `no person is called late on old data`() throws {
        let ben = person {
            $0.lateness = .open
            $0.remaining = "1.20 km"
            $0.location = location(ageSeconds: 0)
        }
        #expect(PromiseText.line(of: ben, age: .seconds(120)) == "1.20 km to go · 2 min ago")
        #expect(
            PromiseText.line(of: ben, age: .seconds(121))
                == "No location for 2 min · 1.20 km to go then")
        #expect(
            PromiseText.line(of: person { $0.lateness = .open }, age: nil)
                == "Not on the way yet")
        let first = person {
            $0.rank = Ordinal(clamping: 1)
            $0.medal = .gold
            $0.latenessText = "4 min early"
        }
        #expect(PromiseText.line(of: first, age: nil) == "1st · gold medal · 4 min early")
        #expect(
            PromiseText.line(of: person { $0.state = .invited }, age: nil)
                == "Invited")
    }

    @Test func `people are listed in the order of arrival, and the others by name`() throws {
        var people = [1, 2, 3, 4].map { _ in person() }
        for (index, (name, rank)) in [("Dee", nil), ("Cem", 2), ("Ann", nil), ("Ben", 1)]
            .enumerated()
        {
            people[index].name = PersonName(clipping: name)
            people[index].rank = rank.map { Ordinal(clamping: $0) }
        }
        #expect(people.inOrderOfArrival.map(\.name) == ["Ben", "Cem", "Ann", "Dee"])
    }

    @Test func `a moved promise asks, and says who has not confirmed its time`() throws {
        let utc = Self.calendar("UTC")
        let moved = summary(phase: .scheduled, sharing: .unconfirmed)
        let question = PromiseText.question(about: moved, now: early, calendar: utc)
        #expect(question.hasPrefix("Ann changed the time. Show your location from"))
        // Half an hour before 02:46.
        #expect(question.contains("02:16"))
        let title = PromiseText.bar(about: moved, now: early)?.title
        #expect(title?.hasPrefix("Dinner moved to ") == true)
        #expect(PromiseText.state(of: moved, now: early) == "Ann changed the time")
        let ben = person { $0.hasConfirmed = false }
        #expect(PromiseText.line(of: ben, age: nil) == "Has not confirmed the new time")
        let me = person {
            $0.hasConfirmed = false
            $0.me = true
        }
        #expect(PromiseText.line(of: me, age: nil) == "You have not confirmed the new time")
        let willing = person { $0.hasConfirmed = true }
        #expect(PromiseText.line(of: willing, age: nil) == "Not on the way yet")
    }

    @Test func `a person without a name is called so, not by a key`() {
        #expect(PromiseText.name("Ben", of: key("b")) == "Ben")
        #expect(PromiseText.name("bbbbbb", of: key("b")) == "Someone without a name")
    }

    @Test(arguments: [PromiseSharing.stopped, .interrupted])
    func `the user's own line says that the others do not see them`(sharing: PromiseSharing) {
        let gone = person { $0.departedMs = before }
        var me = gone
        me.me = true
        #expect(
            PromiseText.line(of: me, age: nil, sharing: sharing) == "Not shown to the others")
        #expect(
            PromiseText.line(of: me, age: nil, sharing: .searching) == "Location not known")
        #expect(PromiseText.line(of: gone, age: nil, sharing: sharing) == "Location not known")
    }

    @Test func `a bar says that the user's location is shown, or asks whether it may be`() {
        let shown: [PromiseSharing] = [.sharing, .searching, .elsewhere, .unconfirmed]
        for sharing in PromiseSharing.allCases {
            let bar = PromiseText.bar(about: summary(sharing: sharing), now: before)
            #expect((bar != nil) == shown.contains(sharing))
            #expect(bar == nil || (bar?.detail == "") == (sharing != .unconfirmed))
        }
    }

    @Test func `the page says whether the others see the user, unless a bar says so`() {
        func sentence(_ sharing: PromiseSharing) -> String? {
            PromiseText.sentence(about: summary(sharing: sharing), now: before)
        }
        #expect(sentence(.sharing) == nil && sentence(.elsewhere) == nil)
        #expect(sentence(.stopped) == "Your location is hidden, and your arrival does not count.")
        #expect(sentence(.arrived) == "You have arrived.")
        #expect(sentence(.unconfirmed)?.hasPrefix("Ann changed the time.") == true)
    }

    @Test func `an invitation has a bar until its time`() {
        let invited = summary(state: .invited, phase: .scheduled, sharing: .outside)
        #expect(
            PromiseText.bar(about: invited, now: before)?.title == "Ann invites you to Dinner")
        #expect(PromiseText.bar(about: invited, now: time) == nil)
    }

    @Test func `a result says the rank, the medal and the debt`() {
        func result(_ rank: Int?, _ medal: PromiseMedal?, owes: Int) -> String {
            PromiseText.result(
                of: PromiseResult.Person(
                    person: key("b"), name: "Ben", rank: rank, medal: medal,
                    lateness: rank == nil ? .noShow : .late, latenessText: "2 min late", owes: owes)
            )
        }
        #expect(result(2, .silver, owes: 0) == "2nd · silver medal · 2 min late")
        #expect(result(11, nil, owes: 500) == "11th · 2 min late · owes 500 potatoes")
        #expect(result(nil, nil, owes: 500) == "Did not come · owes 500 potatoes")
    }

    /// 2026-05-01 18:00 in Seoul.
    private let now = Timestamp(milliseconds: 1_777_626_000_000)

    private func form(_ when: String) throws -> PromiseForm {
        var form = PromiseForm(at: Coordinate(latitude: 1, longitude: 2))
        form.title = "Dinner"
        form.when = when
        form.people = [key("b")]
        return form
    }

    @Test(arguments: [
        ("19:30", Duration.seconds(5400)), ("17:59", .seconds(86_340)),
        ("2026-05-01 18:30", .seconds(1800)), (" 2026-05-02  18:00 ", .seconds(86_400)),
    ])
    func `a time without a day is the next such time, and a day may be added`(
        _ when: String, _ ahead: Duration
    ) throws {
        let zone = Self.calendar("Asia/Seoul")
        #expect(try form(when).at(now: now, calendar: zone) == now + ahead)
        #expect(try form(when).fault(now: now, calendar: zone) == nil)
    }

    @Test(arguments: [
        ("", "Type a time"), ("soon", "'soon' is not a time"),
        ("25:00", "'25:00' is not a valid date or time"), ("18", "'18' is not a time"),
        ("2026-05-01", "'2026-05-01' names no time of day"),
        ("2026-13-01 18:30", "'2026-13-01 18:30' is"),
    ])
    func `a text that is not a time is reported`(_ when: String, _ fault: String) throws {
        let zone = Self.calendar("Asia/Seoul")
        #expect(try form(when).fault(now: now, calendar: zone)?.hasPrefix(fault) == true)
    }

    @Test func `the form reports the first fault`() throws {
        let zone = Self.calendar("Asia/Seoul")
        var wrong = try form("18:29")
        #expect(
            wrong.fault(now: now, calendar: zone) == "Choose a time at least 30 minutes from now.")
        wrong.title = String(repeating: "a", count: 16)
        #expect(
            wrong.fault(now: now, calendar: zone)
                == "The title must have 1 to 15 characters; it has 16.")
        wrong = try form("18:30")
        wrong.people = []
        #expect(wrong.fault(now: now, calendar: zone)?.hasPrefix("Choose at least") == true)
        wrong.people = [key("b")]
        wrong.locationName = "  "
        let request = try wrong.making(now: now, calendar: zone)
        #expect(request.locationName == nil && request.atMs == now + .seconds(1800))
    }
}
