import Contract
import FeaturesAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

struct WalkFormTests {
    private func form(_ message: String, at name: String = "") throws -> WalkForm {
        let point = try #require(Coordinate(latitude: 37.5, longitude: 127))
        var form = WalkForm(to: key("a"), meetingPoint: point)
        form.message = message
        form.locationName = name
        return form
    }

    @Test func `a message has 1 to 100 characters`() throws {
        #expect(try form("").fault != nil)
        #expect(try form(" \t ").fault != nil)
        #expect(try form("a").fault == nil)
        #expect(try form(String(repeating: "산", count: 100)).fault == nil)
        #expect(
            try form(String(repeating: "산", count: 101)).fault
                == "The message must have 1 to 100 characters; it has 101")
    }

    @Test func `a message is one line`() throws {
        #expect(
            try form("one\ntwo").fault
                == "The message must be one line without control characters")
    }

    @Test func `a location without a name is omitted`() throws {
        #expect(try form("Walk?", at: "  ").request().locationName == nil)
        #expect(try form("Walk?", at: " Gate ").request().locationName?.string == "Gate")
        #expect(try form(" Walk? ").request().message.string == "Walk?")
    }

    @Test func `the name of a location has at most 50 characters`() throws {
        #expect(try form("Walk?", at: String(repeating: "a", count: 50)).fault == nil)
        #expect(
            try form("Walk?", at: String(repeating: "a", count: 51)).fault
                == "The name of the location must have 1 to 50 characters; it has 51")
    }

    @Test func `the meeting point is the chosen one, else the mate's, else mine, else the middle`()
        throws
    {
        let points = try (1...4).map {
            try #require(Coordinate(latitude: Double($0), longitude: 0))
        }
        func point(_ chosen: Coordinate?, _ mate: Coordinate?, _ mine: Coordinate?) -> Coordinate {
            MeetingPoint(chosen: chosen, mate: mate, mine: mine, middle: points[3]).coordinate
        }
        #expect(point(points[0], points[1], points[2]) == points[0])
        #expect(point(nil, points[1], points[2]) == points[1])
        #expect(point(nil, nil, points[2]) == points[2])
        #expect(point(nil, nil, nil) == points[3])
    }
}
