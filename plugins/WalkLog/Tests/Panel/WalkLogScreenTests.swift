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

    @Test func `the sums of a week and of a month are said in words`() {
        #expect(WalkText.clock(seconds: 0) == "0:00")
        let span = WalkTotals.Span(
            startedMs: .min, walksCount: 1, distanceMetres: 2000, elapsedSeconds: 0,
            kilocalories: 0)
        #expect(WalkText.sum(span) == "1 walk, 2.00 km")
        #expect(WalkText.Unit.month.present(WalkText.sum(span)) == "This month: 1 walk, 2.00 km")
    }

    @Test func `a chart says its spans that have walks`() {
        let spans = [(1_790_000_000_000, 0), (1_793_000_000_000, 2), (1_796_000_000_000, 1)].map {
            WalkTotals.Span(
                startedMs: Timestamp(milliseconds: $0.0), walksCount: $0.1,
                distanceMetres: Double($0.1) * 600, elapsedSeconds: 60, kilocalories: 1)
        }
        #expect(
            WalkText.list(of: spans, by: .month)
                == "Oct 2026: 2 walks, 1.20 km; Nov 2026: 1 walk, 600 m")
        #expect(WalkText.list(of: [], by: .week) == "")
    }

    @Test func `a mate's walk has a speed, and none without time`() {
        var walk = SharedWalk(
            id: id("1"), mate: WalkMate(person: key("a"), name: "Ann"), mine: false,
            startedMs: .min, distanceMetres: 1200, elapsedSeconds: 900, kilocalories: 60,
            pointsCount: 2)
        #expect(WalkText.numbers(walk) == "1.20 km · 4.8 km/h · 60 kcal")
        walk.elapsedSeconds = Count(clamping: 0)
        #expect(WalkText.numbers(walk) == "1.20 km · 0.0 km/h · 60 kcal")
    }

    @Test func `a way over 180 degrees east is two tracks on the map`() {
        let places = [179.9, 180, -179.9].enumerated().map { index, longitude in
            WalkTrack.Place(latitude: 0, longitude: longitude, atMs: .min, begins: index == 0)
        }
        let tracks = WalkLayer.tracks(of: places, id: "x", title: "Walk")
        #expect(tracks.map { $0.locations.map(\.longitude) } == [[179.9, 180], [-179.9]])
        #expect(WalkLayer.parts(of: places).count == 1)
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
