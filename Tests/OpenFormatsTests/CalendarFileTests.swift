import Foundation
import Testing

@testable import OpenFormats

/// Calendars: written, read back, and as other programs write them.
struct CalendarFileTests {
    private let seoul = TimeZone(identifier: "Asia/Seoul") ?? .gmt

    private func file(_ lines: String) -> [UInt8] {
        Array(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n".utf8)
    }

    private func start(_ lines: String) throws(FormatFault) -> Timestamp? {
        try CalendarFile(ics: file(lines), zone: seoul).events.first?.start
    }

    private func moment(_ text: String) -> Timestamp? { RecordedTime.timestamp(text) }

    @Test func `an event is written with its times in UTC and a stable id`() throws {
        let start = try #require(moment("2026-11-24T09:00:00Z"))
        let event = CalendarEvent(
            uid: "id-1", title: "Dinner; late", start: start, end: start + .seconds(3600),
            locationName: "City Hall", point: try Point(latitude: 37.5663, longitude: 126.9779),
            notes: "Ann, Ben", status: .confirmed, sequence: 2, changed: start - .seconds(60))
        let expected = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Waggle//Waggle//EN
            CALSCALE:GREGORIAN
            BEGIN:VEVENT
            UID:id-1
            DTSTAMP:20261124T085900Z
            LAST-MODIFIED:20261124T085900Z
            SEQUENCE:2
            DTSTART:20261124T090000Z
            DTEND:20261124T100000Z
            SUMMARY:Dinner\\; late
            LOCATION:City Hall
            GEO:37.5663;126.9779
            DESCRIPTION:Ann\\, Ben
            STATUS:CONFIRMED
            END:VEVENT
            END:VCALENDAR

            """
        #expect(
            CalendarFile(events: [event]).text
                == expected.replacingOccurrences(of: "\n", with: "\r\n"))
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `events are the same after they were written and read`(seed: UInt64) throws {
        var random = Seeded(seed)
        var events: [CalendarEvent] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = random.moment()
            events.append(
                CalendarEvent(
                    uid: random.text(countMax: 30), title: random.text(countMax: 60), start: start,
                    end: Bool.random(using: &random) ? start + .seconds(3600) : nil,
                    locationName: Bool.random(using: &random) ? random.text(countMax: 40) : nil,
                    point: try random.point(), notes: random.text(countMax: 200),
                    status: [nil, .tentative, .confirmed, .cancelled].randomElement(using: &random)
                        ?? nil,
                    sequence: Int.random(in: 0...1000, using: &random), changed: random.moment()))
        }
        // The latest moment has no hour after it.
        for index in events.indices where events[index].end == events[index].start {
            events[index].end = nil
        }
        let calendar = CalendarFile(name: random.text(countMax: 40), events: events)
        #expect(try CalendarFile(ics: Array(calendar.text.utf8), zone: seoul) == calendar)
    }

    @Test func `an empty calendar has a part all the same`() {
        let calendar = CalendarFile(name: "Waggle", events: [])
        #expect(calendar.text.contains("BEGIN:VTIMEZONE\r\nTZID:UTC\r\n"))
        #expect(throws: FormatFault.nothing(.event)) {
            try CalendarFile(ics: Array(calendar.text.utf8), zone: seoul)
        }
    }

    @Test(arguments: [
        ("apple-calendar.ics", "2026-11-24T09:00:00Z", "저녁 산책", "City Hall"),
        ("google-calendar.ics", "2026-11-24T09:00:00Z", "Walk with Bori", "Seoul Forest, Gate 2"),
        ("thunderbird.ics", "2026-07-01T16:15:00Z", "Hundewiese", "Tempelhofer Feld"),
        ("outlook.ics", "2026-07-01T16:15:00Z", "Hundewiese", "Tempelhofer Feld"),
    ])
    func `an event of another program is read`(
        name: String, start: String, title: String, location: String
    ) throws {
        let events = try CalendarFile(ics: try Sample.bytes(name), zone: .gmt).events
        #expect(events.map(\.title) == [title])
        #expect(events.first?.start == moment(start))
        #expect(events.first?.end == moment(start).map { $0 + .seconds(3600) })
        #expect(events.first?.locationName?.hasPrefix(location) == true)
        #expect(events.first?.isAllDay == false)
    }

    @Test func `Apple's location and Google's description are read`() throws {
        let apple = try CalendarFile(ics: try Sample.bytes("apple-calendar.ics"), zone: .gmt)
        #expect(apple.events.first?.point == (try Point(latitude: 37.5663, longitude: 126.9779)))
        let google = try CalendarFile(ics: try Sample.bytes("google-calendar.ics"), zone: .gmt)
        #expect(
            google.events.first?.notes
                == "Bring treats; leashes too.\nSee <b>you</b> there, all of you: a long line that "
                + "Google folds.")
        #expect(google.name == "mina@example.com")
    }

    @Test func `a time without a zone is in the reader's zone`() throws {
        #expect(try start("DTSTART:20261124T180000") == moment("2026-11-24T09:00:00Z"))
        #expect(try start("DTSTART:20261124T180000Z") == moment("2026-11-24T18:00:00Z"))
        #expect(
            try start("DTSTART;TZID=/mozilla.org/20050126_1/America/New_York:20261124T180000")
                == moment("2026-11-24T23:00:00Z"))
    }

    @Test func `a zone of the system has its summer time`() throws {
        for (local, utc) in [
            ("20260328T120000", "2026-03-28T11:00:00Z"),
            ("20260329T120000", "2026-03-29T10:00:00Z"),
            ("20261025T120000", "2026-10-25T11:00:00Z"),
        ] {
            #expect(try start("DTSTART;TZID=Europe/Berlin:\(local)") == moment(utc))
        }
    }

    @Test func `an unknown zone is reported, as are paths`() {
        for name in ["Nowhere/Land", "../../etc/passwd", "Korea Standard Time", ""] {
            #expect(throws: FormatFault.unknownZone(line: 4)) {
                try start("DTSTART;TZID=\(name):20261124T180000")
            }
        }
    }

    @Test(arguments: [";VALUE=DATE:20261124", ";TZID=Europe/Berlin:20261124", ":2026-11-24"])
    func `a whole day is the same day in every zone, also after it was written`(
        value: String
    ) throws {
        let read = try CalendarFile(ics: file("DTSTART" + value), zone: seoul)
        #expect(read.events.first?.isAllDay == true)
        #expect(read.events.first?.start == moment("2026-11-24T00:00:00Z"))
        #expect(read.text.contains("DTSTART;VALUE=DATE:20261124\r\n"))
        #expect(try CalendarFile(ics: Array(read.text.utf8), zone: .gmt) == read)
    }

    @Test(arguments: [
        "00010101T000000Z", "19691231T235959Z", "64300101T000000Z", "20261301T000000Z",
        "20260230T000000Z", "20261124T240000Z", "20261124T1800", "soon", "", "2026112X",
        "-0261124T180000Z", "99999999999999999999T000000Z",
    ])
    func `a time that is none is reported`(text: String) {
        #expect(throws: FormatFault.badTime(line: 4)) { try start("DTSTART:\(text)") }
    }

    @Test func `the first second of 1970 and the last of all are read, and no other`() throws {
        #expect(try start("DTSTART:19700101T000000Z") == .min)
        let last = CalendarTime(.max).textInUTC
        #expect(last == "64291017T024555Z")
        #expect(
            try start("DTSTART:\(last)")
                == Timestamp(
                    milliseconds: Timestamp.millisecondsMax / 1000 * 1000))
        #expect(throws: FormatFault.badTime(line: 4)) { try start("DTSTART:64291017T024556Z") }
    }

    @Test func `2 000 events are read and one more is not`() throws {
        func many(_ count: Int) -> [UInt8] {
            let event = "BEGIN:VEVENT\nDTSTART:20261124T180000Z\nEND:VEVENT\n"
            let events = String(repeating: event, count: count)
            return Array("BEGIN:VCALENDAR\n\(events)END:VCALENDAR".utf8)
        }
        let limit = FormatLimits.eventsCountMax
        #expect(try CalendarFile(ics: many(limit), zone: .gmt).events.count == limit)
        #expect(throws: FormatFault.tooManyEvents(limit: limit)) {
            try CalendarFile(ics: many(limit + 1), zone: .gmt)
        }
    }

    @Test func `a file at the limit is read and one byte more is not`() throws {
        let limit = FormatLimits.calendarBytesMax
        let event = file("DTSTART:20261124T180000Z")
        let filled = event + [UInt8](repeating: UInt8(ascii: "X"), count: limit - event.count)
        #expect(try CalendarFile(ics: filled, zone: .gmt).events.count == 1)
        #expect(throws: FormatFault.tooLong(limit: limit)) {
            try CalendarFile(ics: filled + [UInt8(ascii: "X")], zone: .gmt)
        }
    }

    @Test func `an event without a beginning, and a location that is none, are left out`() throws {
        #expect(throws: FormatFault.nothing(.event)) { try start("SUMMARY:Some day") }
        let bytes = file("DTSTART:20261124T180000Z\nGEO:91;0\nSEQUENCE:-5\nSTATUS:MAYBE")
        let event = try #require(try CalendarFile(ics: bytes, zone: .gmt).events.first)
        #expect(event.point == nil)
        #expect(event.sequence == 0)
        #expect(event.status == nil)
    }
}
