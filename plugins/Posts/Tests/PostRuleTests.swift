import PluginKit
import TestSupport
import Testing

@testable import Posts

/// When a post is popular, which area is listed, and when the list asks for more.
struct PostRuleTests {
    private func person(_ number: UInt8) throws -> PersonID {
        try #require(PersonID(bytes: [UInt8](repeating: number, count: 32)))
    }

    // MARK: Popular

    @Test func `three people who do the same make a post popular, two do not`() throws {
        let actions: [(inout Popularity, PersonID) -> Void] = [
            { $0.recordView(by: $1) }, { $0.recordLike(by: $1) }, { $0.recordComment(by: $1) },
        ]
        for action in actions {
            var popularity = Popularity(author: try person(9))
            for number in 1...2 { action(&popularity, try person(UInt8(number))) }
            #expect(!popularity.isPopular)
            action(&popularity, try person(2))
            action(&popularity, try person(9))
            #expect(!popularity.isPopular, "the same person again, and the author")
            action(&popularity, try person(3))
            #expect(popularity.isPopular)
        }
    }

    @Test func `two who view, two who like and two who comment do not add up`() throws {
        var popularity = Popularity(author: try person(9))
        for number in 1...2 {
            popularity.recordView(by: try person(UInt8(number)))
            popularity.recordLike(by: try person(UInt8(number + 2)))
            popularity.recordComment(by: try person(UInt8(number + 4)))
        }
        #expect(!popularity.isPopular)
    }

    // MARK: Pages

    @Test func `the next page is asked for two rows before the end`() {
        func asks(_ row: Int, of count: Int = 20, hasMore: Bool = true) -> Bool {
            PostListing.asksNextPage(rowInSight: row, loadedCount: count, hasMore: hasMore)
        }
        #expect(!asks(16))
        #expect(asks(17) && asks(18) && asks(19))
        #expect(!asks(36, of: 40) && asks(37, of: 40))
        #expect(!asks(19, hasMore: false))
        #expect(asks(0, of: 3) && !asks(0, of: 4))
    }

    // MARK: The area

    private func area(_ metres: Double, latitude: Double = 37.5665) throws -> Area {
        try #require(
            Area(
                around: Point(latitude: latitude, longitude: 126.9780), radiusMetres: metres))
    }

    @Test func `the area reaches from the middle of the map to its upper edge`() throws {
        let middle = try Point(latitude: 37.5665, longitude: 126.9780)
        let area = try #require(PostListing.area(middle: middle, visibleHeightMetres: 1400))
        #expect(area.radiusMetres == 700 && area.centre == middle)
        #expect(PostListing.area(middle: middle, visibleHeightMetres: 0)?.radiusMetres == 0)
        #expect(PostListing.area(middle: middle, visibleHeightMetres: -1) == nil)
        #expect(PostListing.area(middle: middle, visibleHeightMetres: .nan) == nil)
    }

    @Test func `a search is offered once my location has left the area of the map`() throws {
        let shown = try area(700)
        let inside = try Point(latitude: 37.5665 + 0.006_29, longitude: 126.9780)
        let outside = try Point(latitude: 37.5665 + 0.006_30, longitude: 126.9780)
        #expect(shown.centre.distanceMetres(to: inside) < 700)
        #expect(shown.centre.distanceMetres(to: outside) > 700)
        func offers(_ location: Point?, listed: Area? = nil, isWalking: Bool = false) -> Bool {
            PostListing.offersSearch(
                shown: shown, listed: listed, location: location, isWalking: isWalking)
        }
        #expect(!offers(inside))
        #expect(offers(outside))
        #expect(offers(nil), "without a location the map cannot show it")
        #expect(!offers(outside, isWalking: true))
        #expect(!offers(nil, isWalking: true))
        #expect(!offers(outside, listed: shown), "it is listed already")
        #expect(offers(outside, listed: try area(701)))
        #expect(offers(outside, listed: try area(700, latitude: 37.5666)))
    }
}
