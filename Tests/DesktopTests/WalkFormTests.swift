import Contract
import FeaturesAPI
import PanelKit
import Testing

@testable import Desktop

struct WalkFormTests {
    private func form(_ message: String, place: String = "") throws -> WalkForm {
        let point = try #require(Coordinate(latitude: 37.5, longitude: 127))
        var form = WalkForm(to: key("a"), meetingPoint: point)
        form.message = message
        form.placeName = place
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
        #expect(try form("Walk?", place: "  ").request().place == nil)
        #expect(try form("Walk?", place: " Gate ").request().place?.string == "Gate")
        #expect(try form(" Walk? ").request().message.string == "Walk?")
    }

    @Test func `the name of a location has at most 50 characters`() throws {
        #expect(try form("Walk?", place: String(repeating: "a", count: 50)).fault == nil)
        #expect(
            try form("Walk?", place: String(repeating: "a", count: 51)).fault
                == "The name of the place must have 1 to 50 characters; it has 51")
    }

    @Test func `the meeting point is the chosen one, else the mate's, else mine, else the middle`()
        throws
    {
        let places = try (1...4).map {
            try #require(Coordinate(latitude: Double($0), longitude: 0))
        }
        func point(_ chosen: Coordinate?, _ mate: Coordinate?, _ mine: Coordinate?) -> Coordinate {
            MeetingPoint(chosen: chosen, mate: mate, mine: mine, middle: places[3]).coordinate
        }
        #expect(point(places[0], places[1], places[2]) == places[0])
        #expect(point(nil, places[1], places[2]) == places[1])
        #expect(point(nil, nil, places[2]) == places[2])
        #expect(point(nil, nil, nil) == places[3])
    }
}
