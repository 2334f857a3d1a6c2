import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

@MainActor
struct PanelBoardTests {
    private let node = FakeNode()
    private let map = FakeMap()
    private let view = FakeBoardView()
    private let clock = HastyClock()
    private let board: PanelBoard
    private let walks: FakePanel
    private let posts: FakePanel

    init() throws {
        board = Self.board(
            of: [WalksFake.self, PostsFake.self], node: node, map: map, clock: clock)
        board.view = view
        walks = try #require(board.panel("walks") as? FakePanel)
        posts = try #require(board.panel("posts") as? FakePanel)
    }

    private static func board(
        of catalogue: [any Panel.Type], node: FakeNode, map: FakeMap, clock: HastyClock
    ) -> PanelBoard {
        PanelBoard(
            of: catalogue, node: node, clock: PanelClock(clock.windowClock),
            people: People(), map: map)
    }

    private func marker(_ id: String, at latitude: Double = 1) throws -> MapMarker {
        MapMarker(
            id: id, symbol: .person,
            coordinate: try #require(Coordinate(latitude: latitude, longitude: 2)), title: id,
            detail: "")
    }

    // MARK: Registration

    @Test func `each panel of the catalogue is created once, in order`() {
        #expect(board.panels.map { type(of: $0).id } == ["walks", "posts"])
    }

    @Test func `the window's catalogue names each panel once, and the core's in their order`() {
        let ids = PanelCatalogue.all.map { $0.id }
        #expect(Set(ids).count == ids.count)
        let core = ["map", "nearby", "mates", "requests", "profile"]
        #expect(ids.filter(core.contains) == core)
    }

    @Test func `a panel that is not linked has no effect`() throws {
        posts.waysToMeet = [PanelAction("Write a post") {}]
        posts.bars = [PanelBar(id: "b", icon: "i", title: "t", detail: "", answers: [])]
        posts.mapLayer = MapLayer(markers: [try marker("post")])
        let track = Offer.track(MapTrack(id: "t", title: "Walk", locations: []))
        #expect(board.waysToMeet.count == 1 && board.mapLayer.markers.count == 1)

        let alone = Self.board(
            of: [WalksFake.self], node: node, map: map, clock: clock)
        alone.view = view
        #expect(alone.panel("posts") == nil)
        #expect(alone.waysToMeet.isEmpty && alone.mapLayer == MapLayer())
        #expect(alone.panels.flatMap(\.bars).isEmpty)
        #expect(alone.actions(for: track, from: "walks").isEmpty)
        #expect(alone.open(files: ["/a/way.gpx"]) == ["/a/way.gpx"])
        alone.show(page: "posts")
        #expect(view.page == nil)
    }

    @Test func `the first panel that asks for it is shown first`() {
        #expect(board.firstPage == nil)
        posts.comesFirst = true
        #expect(board.firstPage == "posts")
    }

    // MARK: Events

    @Test(arguments: [
        ("walk", ["event walk"], []), ("post", [], ["event post"]), ("mates", [], []),
        ("open", ["event open"], ["event open"]), ("lost", ["event lost"], ["event lost"]),
    ])
    func `an event reaches the panels that follow its topic`(
        topic: String, walked: [String], posted: [String]
    ) {
        walks.follow(WalkEvents.changed)
        posts.follow(PostEvents.changed)
        board.receive(NodeEvent(topic: topic))
        #expect(walks.log == walked)
        #expect(posts.log == posted)
    }

    @Test func `a refused action is shown as a fault and a later one removes it`() async {
        posts.context.report(NodeRefusal(code: "refused", message: "No."))
        #expect(view.fault == "No.")
        node.answer(LocationCommands.clear, with: Done())
        posts.context.perform(LocationCommands.clear)
        while view.fault != nil { await Task.yield() }
        #expect(node.drainActions() == ["location/clear"])
    }

    @Test func `only the panels on the screen show times and ages`() {
        board.update()
        #expect(walks.log.isEmpty && posts.log.isEmpty)
        view.visibleIDs = ["walks"]
        board.update()
        #expect(walks.log == ["update"] && posts.log.isEmpty)
        posts.context.present(FakeSheet())
        board.update()
        #expect(posts.log == ["update"])
    }

    @Test func `a page is shown as it is now when it comes to the front`() {
        board.turned(to: "posts")
        #expect(posts.log == ["update"])
    }

    // MARK: Sheets

    @Test func `a sheet of another panel replaces one, and its panel is told`() {
        let (first, second) = (FakeSheet(), FakeSheet())
        var dismissed: [String] = []
        walks.context.present(first) { dismissed.append("walks") }
        posts.context.present(second) { dismissed.append("posts") }
        #expect(view.sheet === second)
        #expect(dismissed == ["walks"])
        walks.context.dismiss(first)
        #expect(view.sheet === second && dismissed == ["walks"])
    }

    @Test func `Escape removes the top sheet of a panel and shows the one below`() {
        let (below, above) = (FakeSheet(), FakeSheet())
        walks.context.present(below)
        walks.context.present(above)
        #expect(view.sheet === above)
        #expect(board.press(KeyPress(.escape)))
        #expect(view.sheet === below)
        #expect(board.press(KeyPress(.escape)))
        #expect(view.sheet == nil)
        #expect(!board.press(KeyPress(.escape)))
    }

    @Test func `a sheet may decide what Escape does`() {
        var escapedCount = 0
        let sheet = FakeSheet()
        walks.context.present(sheet, onEscape: { escapedCount += 1 })
        #expect(board.press(KeyPress(.escape)))
        #expect(escapedCount == 1 && view.sheet === sheet)
    }

    @Test func `dismissing a sheet removes those above it, the topmost first`() {
        var dismissed: [Int] = []
        let sheets = (0..<3).map { _ in FakeSheet() }
        for (number, sheet) in sheets.enumerated() {
            walks.context.present(sheet) { dismissed.append(number) }
        }
        walks.context.dismiss(sheets[1])
        #expect(dismissed == [2, 1])
        #expect(view.sheet === sheets[0])
    }

    @Test func `a sheet that is presented again is not told that it was removed`() {
        var dismissedCount = 0
        let sheet = FakeSheet()
        walks.context.present(sheet) { dismissedCount += 1 }
        walks.context.present(sheet) { dismissedCount += 1 }
        #expect(dismissedCount == 0)
        walks.context.dismiss(sheet)
        #expect(dismissedCount == 1 && view.sheet == nil)
    }

    // MARK: Keys and files

    @Test func `of two panels with one shortcut that of the page in front acts`() {
        let key = KeyPress(.character("n"), isControl: true)
        var made: [String] = []
        walks.shortcuts = [Shortcut(key, "Walk") { made.append("walk") }]
        posts.shortcuts = [Shortcut(key, "Post") { made.append("post") }]
        #expect(board.press(key, front: "posts") && board.press(key, front: "walks"))
        #expect(board.press(key))
        #expect(made == ["post", "walk", "walk"])
    }

    @Test func `a shortcut of a page alone leaves its key to other panels on other pages`() {
        let key = KeyPress(.character("f"), isControl: true)
        var found: [String] = []
        walks.shortcuts = [Shortcut(key, "Walks", isOfPage: true) { found.append("walks") }]
        posts.shortcuts = [Shortcut(key, "Posts") { found.append("posts") }]
        for front in ["walks", "posts", "others"] { #expect(board.press(key, front: front)) }
        #expect(found == ["walks", "posts", "posts"])
        posts.shortcuts = []
        #expect(!board.press(key, front: "others"))
    }

    @Test func `a panel shows the map beside its page, and hides it`() {
        posts.context.showMap(true)
        #expect(view.hasMap)
        posts.context.showMap(false)
        #expect(!view.hasMap)
    }

    @Test func `a shortcut works for any focus, but not under a sheet`() {
        var foundCount = 0
        let find = KeyPress(.character("f"), isControl: true)
        posts.shortcuts = [Shortcut(find, "Find") { foundCount += 1 }]
        #expect(board.press(find) && foundCount == 1)
        #expect(!board.press(KeyPress(.character("f"))))
        walks.context.present(FakeSheet())
        #expect(!board.press(find) && foundCount == 1)
    }

    @Test func `an inbox item is opened by the panel that knows it, else the inbox is`() {
        posts.known = ["post/1"]
        walks.known = ["inbox/"]
        board.open(InboxSubject("post", "1"))
        #expect(posts.log == ["open post/1"])
        board.open(InboxSubject("wave", "1"))
        #expect(walks.log == ["open post/1", "open wave/1", "open inbox/"])
    }

    @Test func `a dropped file is opened by the panel that accepts its ending`() {
        let refused = board.open(files: ["/a/Way.GPX", "/a/b.c/gpx", "/a/photo.jpg"])
        #expect(posts.log == ["file /a/Way.GPX"])
        #expect(walks.log.isEmpty)
        #expect(refused == ["/a/b.c/gpx", "/a/photo.jpg"])
    }

    // MARK: The map

    @Test func `the layers of all panels are one, and a later marker replaces an earlier`() throws {
        let goal = try #require(Coordinate(latitude: 3, longitude: 2))
        walks.mapLayer = MapLayer(
            markers: [try marker("ann"), try marker("ben")],
            tracks: [MapTrack(id: "t", title: "Walk", locations: [goal])])
        posts.mapLayer = MapLayer(
            markers: [try marker("ann", at: 5)],
            circles: [MapCircle(id: "c", centre: goal, radiusMetres: 30)])
        let layer = board.mapLayer
        #expect(layer.markers.map(\.id) == ["ben", "ann"])
        #expect(layer.markers.map(\.coordinate.latitude) == [1, 5])
        #expect(layer.circles.count == 1 && layer.tracks.count == 1)
    }

    @Test func `an item is opened by the panel that shows it, else by one that knows it`() throws {
        let goal = try #require(Coordinate(latitude: 3, longitude: 2))
        let circle = MapCircle(id: "c", centre: goal, radiusMetres: 30)
        let track = MapTrack(id: "t", title: "Walk", locations: [goal])
        let items = [MapItem.marker(try marker("ann")), .circle(circle), .track(track)]
        posts.mapLayer = MapLayer(
            markers: [try marker("ann")], circles: [circle], tracks: [track])
        for item in items {
            (walks.known, posts.known, walks.log, posts.log) = ([item.id], [], [], [])
            #expect(board.open(item))
            #expect(posts.log == ["open \(item.id)"] && walks.log == ["open \(item.id)"])
            posts.known = [item.id]
            #expect(board.open(item))
            #expect(walks.log.count == 1)
        }
        #expect(!board.open(.marker(try marker("nobody"))))
    }

    @Test func `the first panel with a subtitle names the window`() {
        #expect(board.subtitle == nil)
        posts.subtitle = "Posts"
        #expect(board.subtitle == "Posts")
        walks.subtitle = "Walks"
        #expect(board.subtitle == "Walks")
    }

    @Test func `every panel hears that the map has moved`() {
        board.mapMoved()
        #expect(walks.log == ["map moved"] && posts.log == walks.log)
    }

    @Test func `a panel knows whether its page is in front`() {
        view.frontPage = "walks"
        #expect(walks.context.isPageInFront && !posts.context.isPageInFront)
        view.frontPage = nil
        #expect(!walks.context.isPageInFront)
    }

    @Test func `a panel knows whether another one records a walk`() {
        #expect(!posts.context.isWalking)
        walks.isWalking = true
        #expect(posts.context.isWalking)
    }

    @Test func `every panel receives the chosen location, and may use it`() throws {
        let here = try #require(Coordinate(latitude: 1, longitude: 2))
        map.chosen = here
        board.chose(here)
        #expect(walks.log == ["chose 1.00000, 2.00000"] && posts.log == walks.log)
        #expect(walks.context.meetingPoint()?.coordinate == here)
    }

    @Test func `a meeting has no point before one is chosen or known`() {
        #expect(walks.context.meetingPoint() == nil)
    }

    // MARK: Choosing a location on the map

    @Test func `a form waits for a click on the map and receives its location`() throws {
        let here = try #require(Coordinate(latitude: 1, longitude: 2))
        let pick = LocationPick(walks.context)
        var ends: [Coordinate?] = []
        map.chosen = here
        pick.begin("Where?") { ends.append($0) }
        #expect(map.chosen == nil && map.shownCount == 1)
        #expect(pick.bars.map(\.title) == ["Where?"])
        pick.chose(nil)
        #expect(ends.isEmpty)
        pick.chose(here)
        #expect(ends == [here] && pick.bars.isEmpty)
        pick.chose(here)
        #expect(ends == [here])
    }

    @Test func `the choice of a location can be left`() {
        let pick = LocationPick(walks.context)
        var ends: [Coordinate?] = []
        pick.begin("Where?") { ends.append($0) }
        pick.bars.first?.answers.first?.perform()
        #expect(ends == [nil] && pick.bars.isEmpty)
    }

    // MARK: The inbox

    @Test func `an item of the inbox has the answers of the panel that knows it`() {
        var answered: [String] = []
        posts.answers = [PanelAction("Like it") { answered.append("posts") }]
        let item = InboxList.Item(
            id: id("1"), kind: "posts", title: "t", body: "b", atMs: .example, handled: false,
            actions: [])
        let answers = walks.context.answers(to: item)
        #expect(answers.map(\.title) == ["Like it"] && board.icon(of: item) == PostsFake.icon)
        answers.first?.perform()
        #expect(answered == ["posts"])
    }

    // MARK: Offers

    @Test func `the menu of a panel lists those that accept a value without knowing them`() {
        let track = Offer.track(MapTrack(id: "t", title: "Walk", locations: []))
        let menu = walks.context.actions(for: track)
        #expect(menu.map(\.title) == ["Make a post"])
        menu.first?.perform()
        #expect(posts.log == ["accept track"])
        #expect(walks.context.actions(for: .person(key("a"))).isEmpty)
    }

    @Test func `a panel is not offered its own value`() {
        let track = Offer.track(MapTrack(id: "t", title: "Walk", locations: []))
        #expect(posts.context.actions(for: track).isEmpty)
    }

    @Test func `a panel that cannot use a value now is not in the menu`() {
        let track = Offer.track(MapTrack(id: "t", title: "Walk", locations: []))
        posts.isReady = false
        #expect(walks.context.actions(for: track).isEmpty)
        posts.isReady = true
        #expect(walks.context.actions(for: track).map(\.title) == ["Make a post"])
    }

    @Test func `the map's menu lists every panel that accepts a value`() {
        let track = Offer.track(MapTrack(id: "t", title: "Walk", locations: []))
        #expect(board.actions(for: track).map(\.title) == ["Make a post"])
        #expect(board.actions(for: .person(key("a"))).isEmpty)
    }

    @Test(
        arguments: [
            (.location, ["I am here", "Ask for a walk here…", "New promise here…"]),
            (.person, ["Ask for a walk…", "Message", "New promise with…"]),
        ] as [(Offer.Kind, [String])])
    func `the window's menus have these titles of its panels, the most usual first`(
        kind: Offer.Kind, titles: [String]
    ) {
        let all = PanelCatalogue.all.compactMap { $0.accepts[kind] }
        #expect(all.filter(titles.contains) == titles)
    }

    @Test(arguments: ["gpx", "geojson"])
    func `a recorded track is opened by one panel of the window, and kept by another`(
        ending: String
    ) {
        let opening = PanelCatalogue.all.filter { $0.fileTypes.contains(ending) }
        #expect(opening.map { $0.id } == ["map"])
        #expect(PanelCatalogue.all.compactMap { $0.accepts[.trackFile] } == ["Keep as a walk"])
    }
}
