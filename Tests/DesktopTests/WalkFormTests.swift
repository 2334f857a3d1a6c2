import Contract
import FeaturesAPI
import Foundation
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

struct WalkFormTests {
    /// 2026-05-01 18:00 in Seoul.
    private let now = Timestamp(milliseconds: 1_777_626_000_000)
    private let calendar: Calendar

    init() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Seoul"))
        self.calendar = calendar
    }

    private func form(_ message: String, at name: String = "", when: String = "") throws -> WalkForm
    {
        WalkForm(
            to: key("a"), location: Coordinate(latitude: 37.5, longitude: 127),
            locationName: name, when: when, message: message)
    }

    private func fault(_ form: WalkForm) -> String? { form.fault(now: now, calendar: calendar) }

    private func request(_ form: WalkForm) throws -> AskForWalk {
        try form.request(now: now, calendar: calendar)
    }

    @Test func `a message has 1 to 100 characters`() throws {
        #expect(try fault(form("")) == "Write a line, such as “A walk before dinner?”")
        #expect(try fault(form(" \t ")) != nil)
        #expect(try fault(form("a")) == nil)
        #expect(try fault(form(String(repeating: "산", count: 100))) == nil)
        #expect(
            try fault(form(String(repeating: "산", count: 101)))
                == "The message must have 1 to 100 characters; it has 101.")
    }

    @Test func `a message is one line`() throws {
        #expect(
            try fault(form("one\ntwo"))
                == "The message must be one line without control characters.")
    }

    @Test func `a location without a name is omitted`() throws {
        #expect(try request(form("Walk?", at: "  ")).locationName == nil)
        #expect(try request(form("Walk?", at: " Gate ")).locationName?.string == "Gate")
        #expect(try request(form(" Walk? ")).message.string == "Walk?")
    }

    @Test func `the name of a location has at most 50 characters`() throws {
        #expect(try fault(form("Walk?", at: String(repeating: "a", count: 50))) == nil)
        #expect(
            try fault(form("Walk?", at: String(repeating: "a", count: 51)))
                == "The name of the location must have 1 to 50 characters; it has 51.")
    }

    @Test func `the meeting point is the chosen one, else the mate's, else mine, else none`()
        throws
    {
        let points = try (1...3).map {
            try #require(Coordinate(latitude: Double($0), longitude: 0))
        }
        func point(_ chosen: Coordinate?, _ mate: Coordinate?, _ mine: Coordinate?) -> MeetingPoint?
        {
            MeetingPoint(chosen: chosen, mate: mate, mateName: "Mina", mine: mine)
        }
        #expect(point(points[0], points[1], points[2])?.coordinate == points[0])
        #expect(point(nil, points[1], points[2])?.coordinate == points[1])
        #expect(point(nil, points[1], nil)?.text == "Mina's last location")
        #expect(point(nil, nil, points[2])?.coordinate == points[2])
        #expect(point(nil, nil, nil) == nil)
    }

    @Test func `without a location the form asks for one and sends nothing`() throws {
        var form = try form("Walk?")
        form.location = nil
        #expect(fault(form) == "Choose where to meet on the map.")
        #expect(throws: CommandFault.self) { try request(form) }
    }

    @Test func `without a mate the form asks for one`() throws {
        var form = try form("Walk?")
        form.to = nil
        #expect(fault(form) == "Choose a mate to ask.")
    }

    @Test func `a walk is now, or at a time in words that lies ahead`() throws {
        #expect(try request(form("Walk?")).atMs == nil)
        #expect(try request(form("Walk?", when: "19:30")).atMs == now + .seconds(5400))
        #expect(try request(form("Walk?", when: "tomorrow 18:00")).atMs == now + .seconds(86_400))
        #expect(try fault(form("Walk?", when: "today 17:00")) == "That time has passed.")
        #expect(try fault(form("Walk?", when: "soon"))?.contains("is not a time") == true)
    }

    @Test func `a request for now to a mate who is away says that it is lost after 60 s`() throws {
        let now = try form("Walk?")
        #expect(now.waiting(name: "Mina", isHere: true) == "Mina has 60 s to answer.")
        #expect(
            now.waiting(name: "Mina", isHere: false)
                == "Mina is not here. Without a time the request expires after 60 s.")
        let later = try form("Walk?", when: "19:30")
        #expect(later.waiting(name: "Mina", isHere: false).contains("waits until then"))
        #expect(WalkForm.offeredTime(now: self.now, calendar: calendar) == "tomorrow 18:00")
        #expect(
            WalkForm.offeredTime(now: self.now - .seconds(7200), calendar: calendar)
                == "today 18:00")
    }
}
