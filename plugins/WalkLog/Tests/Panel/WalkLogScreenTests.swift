import Contract
import ControlAPI
import PanelKit
import PanelTestSupport
import Testing
import WalkLogAPI

@testable import WalkLogPanel

/// The page of the walk log without its widgets, which need a display.
@MainActor
struct WalkLogScreenTests {
    private func measures(seconds: Int, metres: Double = 1234) -> WalkMeasures {
        WalkMeasures(
            distanceMetres: metres, elapsedSeconds: seconds, movingSeconds: 60, speedKmh: 4.84,
            kilocalories: 1096, pointsCount: 9, spikesCount: 0)
    }

    private func status(_ state: WalkLogStatus.State, seconds: Int) -> WalkLogStatus {
        WalkLogStatus(
            state: state,
            walk: WalkLogStatus.Progress(
                startedMs: .min, measures: measures(seconds: seconds),
                company: WalkCompany(dogs: ["Haru"], mates: [])), kilograms: 70)
    }

    @Test func `the time counts on between two answers, and stands while the walk is paused`() {
        let running = WalkLogScreen(status(.recording, seconds: 3599), passed: .seconds(6))
        #expect(running.clock == "1:00:05" && running.numbers == "1.23 km · 4.8 km/h · 1,096 kcal")
        #expect(
            running.company == "Company: Haru" && running.actions == [.finish, .pause, .discard])
        let paused = WalkLogScreen(status(.paused, seconds: 59), passed: .seconds(6))
        #expect(paused.clock == "0:59" && paused.actions == [.resume, .finish, .discard])
        let full = WalkLogScreen(status(.recording, seconds: 21_599), passed: .seconds(9))
        #expect(full.clock == "6:00:00")
    }

    @Test func `an interrupted walk asks, a damaged one can only be discarded`() {
        let asked = WalkLogScreen(status(.interrupted, seconds: 5))
        #expect(asked.actions == [.resume, .finish, .discard])
        #expect(WalkLogScreen(WalkLogStatus(state: .damaged, kilograms: 70)).actions == [.discard])
        let idle = WalkLogScreen(WalkLogStatus(state: .idle, kilograms: 70))
        #expect(idle.actions == [.start] && idle.clock == nil)
        #expect(WalkLogScreen(nil).actions.isEmpty)
    }

    @Test func `999 m are metres and 1 000 m a kilometre`() {
        #expect(WalkText.distance(999.4) == "999 m" && WalkText.distance(1000) == "1.00 km")
        #expect(WalkText.clock(seconds: 0) == "0:00")
        let span = WalkTotals.Span(
            startedMs: .min, walksCount: 1, distanceMetres: 2000, elapsedSeconds: 0,
            kilocalories: 0)
        #expect(WalkText.week(span) == "1 walk, 2.00 km")
    }

    @Test func `a way has a track for each part between its pauses`() {
        let places = [true, false, true, false].enumerated().map { index, begins in
            WalkTrack.Place(latitude: Double(index), longitude: 127, atMs: .min, begins: begins)
        }
        let tracks = WalkLayer.tracks(of: places, id: "x", title: "Walk")
        #expect(tracks.map { $0.locations.map(\.latitude) } == [[0, 1], [2, 3]])
        #expect(WalkLayer.tracks(of: [], id: "x", title: "Walk").isEmpty)
    }

    @Test func `a new point asks for the way and the numbers, and not for the list`() async throws {
        let node = FakeNode()
        node.answer(WalkLogCommands.status, with: status(.recording, seconds: 5))
        node.answer(WalkLogCommands.track, with: WalkTrack(points: []))
        let model = WalkLogModel(node: node, clock: PanelClock(HastyClock().windowClock))
        model.queries.receive(NodeEvent(WalkLogEvents.changed, WalkLogChange(part: .track)))
        await model.queries.settle()
        #expect(Set(node.drainQueries()) == ["walk-log/status", "walk-log/track"])
        #expect(model.status?.state == .recording)
    }
}
