import PanelKit
import Testing

@testable import PostsPanel

/// Which area is listed, and when the list asks for more.
struct PostListingTests {
    private func place(_ north: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: 37.5665 + north, longitude: 126.9780))
    }

    private func map(_ metres: Double, north: Double = 0) throws -> MapArea {
        MapArea(centre: try place(north), radiusMetres: metres)
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

    // MARK: The listed area

    @Test func `a map that shows my location lists the surroundings of it`() throws {
        var listing = PostListing()
        #expect(listing.follow(try map(700, north: 0.002), location: try place(0)))
        #expect(listing.area == (try map(700)))
        #expect(!listing.follow(try map(700, north: 0.001), location: try place(0)))
    }

    @Test func `before the map was on the screen, 2 km around me are listed`() throws {
        var listing = PostListing()
        #expect(!listing.follow(nil, location: nil) && listing.area == nil)
        #expect(listing.follow(nil, location: try place(0)))
        #expect(listing.area == (try map(2_000)))
        #expect(!listing.follow(nil, location: try place(0)))
        #expect(listing.follow(try map(700), location: try place(0)))
        #expect(listing.area == (try map(700)))
    }

    @Test func `zooming changes the radius at once`() throws {
        var listing = PostListing()
        _ = listing.follow(try map(700), location: try place(0))
        #expect(listing.follow(try map(467), location: try place(0)))
        #expect(listing.area == (try map(467)))
        #expect(!listing.follow(try map(468), location: try place(0)), "not a step of a zoom")
    }

    @Test func `a map that leaves my location lists nothing else until it is searched`() throws {
        var listing = PostListing()
        _ = listing.follow(try map(700), location: try place(0))
        let away = try map(700, north: 0.02)
        #expect(!listing.follow(away, location: try place(0)))
        #expect(listing.area == (try map(700)))
        #expect(listing.search(away) && listing.area == away)
        // Zooming there keeps the middle.
        #expect(listing.follow(try map(467, north: 0.02), location: try place(0)))
        #expect(listing.area == (try map(467, north: 0.02)))
        // Back at home, the list is about home again.
        #expect(listing.follow(try map(467), location: try place(0)))
        #expect(listing.area == (try map(467)))
    }

    @Test func `a person who walks moves the list only by a part of its radius`() throws {
        var listing = PostListing()
        _ = listing.follow(try map(700), location: try place(0))
        #expect(!listing.follow(try map(700), location: try place(0.000_2)), "22 m")
        #expect(listing.follow(try map(700), location: try place(0.000_6)), "67 m")
    }

    @Test func `without a location the list begins in the middle of the map`() throws {
        var listing = PostListing()
        #expect(listing.follow(try map(700, north: 0.1), location: nil))
        #expect(listing.area == (try map(700, north: 0.1)))
        #expect(!listing.follow(try map(700, north: 0.2), location: nil))
    }

    // MARK: Search this area

    @Test func `a search is offered once my location has left the area of the map`() throws {
        let shown = try map(700)
        let (inside, outside) = (try place(0.006_29), try place(0.006_30))
        #expect(shown.centre.distanceMetres(to: inside) < 700)
        #expect(shown.centre.distanceMetres(to: outside) > 700)
        func offers(
            _ location: Coordinate?, listed: MapArea? = nil, isWalking: Bool = false
        ) -> Bool {
            var listing = PostListing()
            _ = listing.search(listed)
            return listing.offersSearch(shown, location: location, isWalking: isWalking)
        }
        #expect(!offers(inside))
        #expect(offers(outside))
        #expect(offers(nil), "without a location the map cannot show it")
        #expect(!offers(outside, isWalking: true))
        #expect(!offers(nil, isWalking: true))
        #expect(!offers(outside, listed: shown), "it is listed already")
        #expect(!offers(outside, listed: try map(701)), "the same for a person")
        #expect(offers(outside, listed: try map(800)))
        #expect(offers(outside, listed: try map(700, north: 0.001)))
        #expect(!PostListing().offersSearch(nil, location: outside, isWalking: false))
    }
}
