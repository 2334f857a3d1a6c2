import Contract
import ControlAPI
import FeaturesAPI
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

    init() throws {
        board = PanelBoard(
            of: [WalksFake.self], node: node, clock: PanelClock(HastyClock().windowClock),
            people: people, map: FakeMap())
        board.view = view
        player = TrackPlayer(context: try #require(board.panel("walks") as? FakePanel).context)
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

    private func plays(_ state: MyLocation.State = .known, reason: String? = nil) {
        people.location = MyLocation(
            source: .gpx, state: state, reason: reason, file: "/tracks/north.gpx", speed: 1)
    }

    @Test func `a dropped track is played only after the user has said so`() async throws {
        #expect(player.bars.isEmpty)
        player.ask(about: "/tracks/north.gpx")
        #expect(player.bars.map(\.title) == ["Play “north.gpx” as your location?"])
        #expect(node.drainActions().isEmpty)
        let wanted = ChooseLocationSource(
            source: .gpx, file: try FilePath("/tracks/north.gpx"), startMs: .min)
        #expect(try await press("Play") == [wanted])
        #expect(player.bars.isEmpty)
    }

    @Test func `a question that is answered with no changes nothing`() async throws {
        player.ask(about: "/tracks/north.gpx")
        #expect(try await press("Do not play", requestCount: 0).isEmpty)
        #expect(player.bars.isEmpty && node.drainActions().isEmpty)
    }

    @Test func `a track that plays has a bar, whose button returns to the location by hand`()
        async throws
    {
        plays()
        #expect(player.bars.map(\.title) == ["“north.gpx” shows where you are"])
        #expect(try await press("Stop") == [ChooseLocationSource(source: .hand)])
    }

    @Test func `stopping a track returns to the receiver from before`() async throws {
        people.location = MyLocation(source: .gpsd, state: .known, address: "10.0.0.1:2947")
        player.ask(about: "/tracks/north.gpx")
        _ = try await press("Play")
        plays()
        let wanted = ChooseLocationSource(source: .gpsd, address: try Text("10.0.0.1:2947"))
        #expect(try await press("Stop") == [wanted])
    }

    @Test func `a track dropped over another returns to the source before both`() async throws {
        people.location = MyLocation(source: .gpsd, state: .known, address: "10.0.0.1:2947")
        player.ask(about: "/tracks/north.gpx")
        _ = try await press("Play")
        plays()
        player.ask(about: "/tracks/south.gpx")
        #expect(player.bars.count == 2)
        _ = try await press("Play")
        let wanted = ChooseLocationSource(source: .gpsd, address: try Text("10.0.0.1:2947"))
        #expect(try await press("Stop") == [wanted])
    }

    @Test(
        arguments: [
            (
                .ended, nil, "“north.gpx” has reached its end",
                "Stop returns to the location from before."
            ),
            (.failed, "It broke.", "“north.gpx” cannot be played further", "It broke."),
        ] as [(MyLocation.State, String?, String, String)])
    func `a track that is over shows this and the reason`(
        state: MyLocation.State, reason: String?, title: String, detail: String
    ) {
        plays(state, reason: reason)
        #expect(player.bars.map(\.title) == [title])
        #expect(player.bars.map(\.detail) == [detail])
    }

    @Test func `a file that the node refuses is shown as a fault`() async throws {
        node.refuse(LocationCommands.source)
        player.ask(about: "/tracks/north.gpx")
        _ = try await press("Play")
        while view.fault == nil { await Task.yield() }
        #expect(view.fault == "There is no location/source.")
    }
}
