import Contract
import ControlAPI
import PanelKit
import PanelTestSupport
import Testing
import WalkLogAPI

@testable import WalkLogPanel

/// The panel of the walk log without its widgets, which need a display.
@MainActor
struct WalkLogModelTests {
    private let node = FakeNode()
    private let clock = HastyClock()
    private let model: WalkLogModel

    init() {
        model = WalkLogModel(node: node, clock: PanelClock(clock.windowClock))
    }

    private func share(_ digit: Character, mine: Bool, walk: RecordKey? = nil) -> SharedWalk {
        SharedWalk(
            id: id(digit), mate: WalkMate(person: key("a"), name: "Ann"), mine: mine, walk: walk,
            startedMs: .min, distanceMetres: 1200, elapsedSeconds: 600, kilocalories: 60,
            pointsCount: 2)
    }

    private func receive(_ shares: [SharedWalk]) async {
        node.answer(WalkLogCommands.shared, with: SharedWalks(walks: shares))
        model.queries.receive(NodeEvent(WalkLogEvents.changed, WalkLogChange(part: .shared)))
        await model.queries.settle()
    }

    @Test func `a mate's walk is listed with its route, until the mate takes it back`() async throws
    {
        let walk = share("1", mine: false)
        await receive([walk])
        #expect(model.sharesOfOthers == [walk])
        let place = WalkTrack.Place(latitude: 37.5, longitude: 127, atMs: .min, begins: true)
        node.answer(WalkLogCommands.way, with: WalkTrack(points: [place]))
        #expect(try await model.open(.mates(walk)))
        #expect(model.selected == .mates(walk) && model.selectedTrack?.points == [place])
        await receive([])
        #expect(model.sharesOfOthers.isEmpty && model.selected == nil)
        #expect(model.selectedTrack == nil)
    }

    @Test func `a mate's walk stays open when its numbers change`() async throws {
        var walk = share("1", mine: false)
        await receive([walk])
        node.answer(WalkLogCommands.way, with: WalkTrack(points: []))
        _ = try await model.open(.mates(walk))
        walk.distanceMetres = DistanceMetres(clamping: 1500)
        await receive([walk])
        #expect(model.selected == .mates(walk))
    }

    @Test func `a share of a walk that is not listed any more can be taken back`() async {
        let deleted = share("2", mine: true, walk: id("3"))
        await receive([deleted])
        #expect(model.sharesOfOthers == [deleted])
        #expect(model.sharesOfOthers.map(WalkText.line) == ["1.20 km · 10:00"])
    }
}
