import Contract
import ControlAPI
import FeaturesAPI
import Location
import OpenFormats
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

/// A track that is dropped on the window and played as the user's location.
@MainActor
struct TrackPlayerTests {
    private let node = FakeNode()
    private let people = People()
    private let view = FakeBoardView()
    private let board: PanelBoard
    private let player: TrackPlayer
    private let map = FakeMap()
    private let fixes: [Fix]

    init() throws {
        board = PanelBoard(
            of: [WalksFake.self], node: node, clock: PanelClock(HastyClock().windowClock),
            people: people, map: map)
        board.view = view
        let fixes = try (0..<3).map { number in
            Fix(
                point: try Point(latitude: Double(number) / 100, longitude: 0),
                at: .example + .seconds(1800) * number)
        }
        self.fixes = fixes
        player = TrackPlayer(
            context: try #require(board.panel("walks") as? FakePanel).context,
            read: { path in
                if path.contains("wild") { throw GPXFault.noTimes }
                let isTimed = !path.contains("route")
                let shown = isTimed ? fixes : fixes.map { Fix(point: $0.point) }
                return DroppedTrack(path: path, track: Track(segments: [shown]))
            })
        people.location = MyLocation(source: .hand, state: .known, latitude: 1, longitude: 2)
        node.answer(
            LocationCommands.source, with: MyLocation(source: .gpx, state: .searching))
    }

    /// Presses the button of the only bar with this title, and waits for the requests that follow.
    private func press(
        _ title: String, requestCount: Int = 1
    ) async throws -> [ChooseLocationSource] {
        let bar = try #require(player.bars.first)
        try #require(bar.answers.first { $0.title == title }).perform()
        var requests: [ChooseLocationSource] = []
        while requests.count < requestCount {
            await Task.yield()
            requests += try node.drainRequests(of: LocationCommands.source)
        }
        return requests
    }

    private func plays(_ state: MyLocation.State = .known, reason: Sentence? = nil) {
        people.location = MyLocation(
            source: .gpx, state: state, reason: reason,
            file: "/tracks/north.gpx", speed: 1)
    }

    @Test func `a dropped track is played only after the user has said so`() async throws {
        #expect(player.bars.isEmpty)
        await player.show("/tracks/north.gpx")
        #expect(player.bars.map(\.title) == ["“north.gpx” is on the map"])
        #expect(player.bars[0].detail.hasPrefix("2.22 km in 1 h. Play it as your location?"))
        #expect(node.drainActions().isEmpty)
        let wanted = ChooseLocationSource(
            source: .gpx, file: try FilePath("/tracks/north.gpx"), startMs: .min)
        #expect(try await press("Play") == [wanted])
        #expect(player.bars.isEmpty)
    }

    @Test func `a dropped track is on the map until it is removed`() async throws {
        await player.show("/tracks/north.gpx")
        #expect(player.mapLayer.tracks.map(\.locations.count) == [3] && map.fitted.count == 3)
        #expect(try await press("Remove", requestCount: 0).isEmpty)
        #expect(player.bars.isEmpty && node.drainActions().isEmpty)
        #expect(player.mapLayer == MapLayer())
    }

    @Test func `a track that plays stays on the map until it is stopped`() async throws {
        await player.show("/tracks/north.gpx")
        _ = try await press("Play")
        plays()
        #expect(player.mapLayer.tracks.count == 1)
        _ = try await press("Stop")
        #expect(player.mapLayer.tracks.isEmpty)
    }

    @Test func `a track without times is shown and cannot be played`() async throws {
        await player.show("/tracks/route.gpx")
        let bar = try #require(player.bars.first)
        #expect(bar.detail == "2.22 km. It has no times, so it cannot be played.")
        #expect(bar.answers.map(\.title) == ["Remove"])
    }

    /// A window with a panel that keeps tracks, its player, and that panel.
    private func keeping() throws -> (board: PanelBoard, TrackPlayer, FakePanel) {
        let board = PanelBoard(
            of: [WalksFake.self, PostsFake.self], node: node,
            clock: PanelClock(HastyClock().windowClock), people: people, map: map)
        board.view = view
        let context = try #require(board.panel("walks") as? FakePanel).context
        let fixes = fixes
        let player = TrackPlayer(context: context) { path in
            let kept = path.contains("route") ? fixes.map { Fix(point: $0.point) } : fixes
            return DroppedTrack(path: path, track: Track(segments: [kept]))
        }
        return (board, player, try #require(board.panel("posts") as? FakePanel))
    }

    @Test func `a GeoJSON track is kept by the panel that accepts it, and cannot be played`()
        async throws
    {
        let (board, player, keeper) = try keeping()
        defer { withExtendedLifetime(board) {} }
        await player.show("/tracks/north.GeoJSON")
        let bar = try #require(player.bars.first)
        #expect(bar.detail == "2.22 km in 1 h.")
        #expect(bar.answers.map(\.title) == ["Remove", "Keep the track"])
        #expect(bar.answers.map(\.isSuggested) == [false, true])
        try #require(bar.answers.last).perform()
        #expect(keeper.log == ["accept trackFile"])
        #expect(player.bars.isEmpty && player.mapLayer.tracks.isEmpty)
    }

    @Test func `a GPX track is kept or played, and one without times neither`() async throws {
        let (board, player, _) = try keeping()
        defer { withExtendedLifetime(board) {} }
        await player.show("/tracks/north.gpx")
        let answers = try #require(player.bars.first).answers
        #expect(answers.map(\.title) == ["Remove", "Keep the track", "Play"])
        #expect(answers.map(\.isSuggested) == [false, false, true])
        for name in ["route.gpx", "route.geojson"] {
            await player.show("/tracks/\(name)")
            #expect(player.bars.first?.answers.map(\.title) == ["Remove"])
        }
    }

    @Test func `a file that is no track says why`() async {
        await player.show("/tracks/wild.gpx")
        #expect(player.bars.isEmpty && map.fitted.isEmpty)
        let reason = "No point of the track has a time, so it cannot be played."
        #expect(view.fault == "“wild.gpx”: \(reason)")
    }

    @Test(arguments: [1, 2, 1999, 2000, 2001, 5000])
    func `a long track is drawn with at most 2000 points, the first and last among them`(
        count: Int
    ) throws {
        let fixes = try (0..<count).map {
            Fix(point: try Point(latitude: Double($0) / 1000, longitude: 0))
        }
        let track = DroppedTrack(path: "/t.gpx", track: Track(segments: [fixes]))
        #expect(track.locations.count <= DroppedTrack.locationsMax)
        #expect(track.locations.first?.latitude == 0)
        #expect(track.locations.last?.latitude == Double(count - 1) / 1000)
    }

    @Test func `a track that plays has a bar, whose button returns to the location by hand`()
        async throws
    {
        plays()
        #expect(player.bars.map(\.title) == ["“north.gpx” is playing as your location"])
        #expect(try await press("Stop") == [ChooseLocationSource(source: .hand)])
    }

    @Test func `stopping a track returns to the receiver from before`() async throws {
        people.location = MyLocation(source: .gpsd, state: .known, address: "10.0.0.1:2947")
        await player.show("/tracks/north.gpx")
        _ = try await press("Play")
        plays()
        let wanted = ChooseLocationSource(source: .gpsd, address: try Text("10.0.0.1:2947"))
        #expect(try await press("Stop") == [wanted])
    }

    @Test func `a track dropped over another returns to the source before both`() async throws {
        people.location = MyLocation(source: .gpsd, state: .known, address: "10.0.0.1:2947")
        await player.show("/tracks/north.gpx")
        _ = try await press("Play")
        plays()
        await player.show("/tracks/south.gpx")
        #expect(player.bars.count == 2)
        _ = try await press("Play")
        let wanted = ChooseLocationSource(source: .gpsd, address: try Text("10.0.0.1:2947"))
        #expect(try await press("Stop") == [wanted])
    }

    @Test(
        arguments: [
            (
                .ended, nil, "“north.gpx” has ended",
                "Stop to return to your earlier location."
            ),
            (.failed, "It broke.", "“north.gpx” cannot be played any further", "It broke."),
        ] as [(MyLocation.State, Sentence?, String, String)])
    func `a track that is over shows this and the reason`(
        state: MyLocation.State, reason: Sentence?, title: String, detail: String
    ) {
        plays(state, reason: reason)
        #expect(player.bars.map(\.title) == [title])
        #expect(player.bars.map(\.detail) == [detail])
    }

    @Test func `a file that the node refuses is shown as a fault`() async throws {
        node.refuse(LocationCommands.source)
        await player.show("/tracks/north.gpx")
        _ = try await press("Play")
        while view.fault == nil { await Task.yield() }
        #expect(view.fault == "There is no location/source.")
    }
}
