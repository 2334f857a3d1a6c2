import FeaturesAPI
import PanelKit
import Testing

@testable import Desktop

/// The bar that says that mates see the user's location.
@MainActor
struct SharedLocationTests {
    private func location(
        _ source: LocationSourceName, latitude: Double? = 37.5, shown: MyLocation.Shown? = .here
    ) -> MyLocation {
        var location = MyLocation(
            source: source, state: .known, latitude: latitude, longitude: 127)
        location.shown = shown
        return location
    }

    @Test func `a location that was set by hand is shown to mates, until Stop`() throws {
        let shared = SharedLocation(location: location(.hand), hasMates: true)
        var isStopped = false
        let bar = try #require(shared.bar { isStopped = true })
        #expect(bar.title == "Your mates see your location")
        #expect(bar.detail.isEmpty)
        #expect(bar.answers.map(\.name) == ["Stop showing your location to your mates"])
        bar.answers.first?.perform()
        #expect(isStopped)
    }

    @Test func `a location that another device of the user set is shown too, and says so`() throws {
        let shared = SharedLocation(
            location: location(.gpsd, shown: .elsewhere), hasMates: true)
        let bar = try #require(shared.bar {})
        #expect(bar.detail == "It was set on another device of yours.")
        #expect(bar.answers.count == 1)
    }

    @Test(arguments: [LocationSourceName.gpsd, .gpx])
    func `a location from a receiver or a track is not shown to mates`(source: LocationSourceName) {
        #expect(!SharedLocation(location: location(source, shown: nil), hasMates: true).isShown)
    }

    @Test func `without a location or without mates nothing is shown`() {
        #expect(!SharedLocation(location: nil, hasMates: true).isShown)
        #expect(!SharedLocation(location: location(.hand), hasMates: false).isShown)
        #expect(
            !SharedLocation(
                location: location(.hand, latitude: nil, shown: nil), hasMates: true
            ).isShown)
    }
}
