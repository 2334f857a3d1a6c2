import Testing

@testable import Desktop

struct WalkFormTests {
    private func form(_ message: String, place: String = "") throws -> WalkForm {
        let point = try #require(Coordinate(latitude: 37.5, longitude: 127))
        var form = WalkForm(to: "p", meetingPoint: point)
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
            try form(String(repeating: "산", count: 101)).fault == "One character too many.")
    }

    @Test func `a message is one line`() throws {
        #expect(try form("one\ntwo").fault == "One line only, please.")
    }

    @Test func `a place without a name is left out`() throws {
        #expect(try form("Walk?", place: "  ").body.place == nil)
        #expect(try form("Walk?", place: " Gate ").body.place == "Gate")
        #expect(try form(" Walk? ").body.message == "Walk?")
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
