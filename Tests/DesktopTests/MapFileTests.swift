import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

/// The file beneath the map, as a setting and as a dropped file.
@MainActor
struct MapFileTests {
    private let node = FakeNode()
    private let map = FakeMap()
    private let view = FakeBoardView()
    private let board: PanelBoard
    private let file: MapFile

    init() throws {
        board = PanelBoard(
            of: [WalksFake.self], node: node, clock: PanelClock(HastyClock().windowClock),
            people: People(), map: map)
        board.view = view
        file = MapFile(context: try #require(board.panel("walks") as? FakePanel).context)
        node.answer(
            ConfigCommands.set,
            with: Setting(name: "map.file", value: "none", allowed: "any", help: "A map."))
    }

    /// Returns the values that the setting got since the last call.
    private func values() throws -> [String] {
        try node.drainRequests(of: ConfigCommands.set).map(\.value.string)
    }

    @Test func `the file of the setting is drawn, and none if it names none`() async {
        await file.show(setting: "/maps/a.mbtiles")
        #expect(map.file == "/maps/a.mbtiles")
        #expect(file.actions.map(\.title) == ["Remove the map “Map of /maps/a.mbtiles”"])
        await file.show(setting: FileSetting.none)
        #expect(map.file == nil && file.actions.isEmpty && file.bars.isEmpty)
    }

    @Test func `a file of the setting that cannot be drawn has a bar that removes it`()
        async throws
    {
        map.damaged = ["/maps/a.mbtiles"]
        await file.show(setting: "/maps/a.mbtiles")
        let bar = try #require(file.bars.first)
        #expect(bar.detail.contains("is damaged. Copy it"))
        #expect(bar.answers.map(\.title) == ["Close", "Remove the map file"])
        bar.answers[1].perform()
        while file.path != nil || !file.bars.isEmpty { await Task.yield() }
        #expect(try values() == ["none"])
    }

    @Test func `a dropped file is drawn and becomes the setting, which can be undone`()
        async throws
    {
        await file.show(setting: "/maps/a.mbtiles")
        await file.drop("/maps/b.mbtiles")
        #expect(map.file == "/maps/b.mbtiles")
        #expect(view.undo == "The map shows “Map of /maps/b.mbtiles”")
        #expect(try values() == ["/maps/b.mbtiles"])
        board.undo()
        while map.file != "/maps/a.mbtiles" { await Task.yield() }
        #expect(try values() == ["/maps/a.mbtiles"])
    }

    @Test func `a dropped file that cannot be drawn changes nothing`() async throws {
        map.damaged = ["/maps/b.mbtiles"]
        await file.show(setting: "/maps/a.mbtiles")
        await file.drop("/maps/b.mbtiles")
        #expect(map.file == "/maps/a.mbtiles" && file.path == "/maps/a.mbtiles")
        #expect(try values().isEmpty)
        let bar = try #require(file.bars.first)
        #expect(bar.answers.map(\.title) == ["Close"])
        bar.answers[0].perform()
        #expect(file.bars.isEmpty)
    }

    @Test func `a dropped file that the node refuses is not drawn`() async {
        node.refuse(ConfigCommands.set)
        await file.drop("/maps/b.mbtiles")
        #expect(map.file == nil && file.path == nil)
        #expect(file.bars.map(\.detail) == ["There is no config/set."])
    }
}
