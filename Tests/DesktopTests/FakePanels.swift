import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit
import TileKit

@testable import Desktop

/// A panel without widgets that records its events.
@MainActor
class FakePanel: Panel {
    class var id: String { "fake" }
    class var title: String { "Fake" }
    class var icon: String { "fake-symbolic" }
    class var accepts: [Offer.Kind: String] { [:] }
    class var fileTypes: Set<String> { [] }

    let context: PanelContext
    var badge = 0
    var bars: [PanelBar] = []
    var mapLayer = MapLayer()
    var shortcuts: [Shortcut] = []
    var waysToMeet: [PanelAction] = []
    var comesFirst = false
    var isWalking = false
    var subtitle: String?
    var known: [String] = []
    /// Its answers to every item of the inbox.
    var answers: [PanelAction] = []
    var queries: (any PanelQueries)?
    /// Whether it can use the values that it is offered.
    var isReady = true
    /// The events, in order.
    var log: [String] = []

    required init(context: PanelContext) {
        self.context = context
    }

    func receive(_ event: NodeEvent) { log.append("event \(event.topic)") }
    func update() { log.append("update") }
    func canAccept(_ offer: Offer) -> Bool { isReady }
    func answers(to item: InboxList.Item) -> [PanelAction] { answers }
    func accept(_ offer: Offer) { log.append("accept \(offer.kind)") }
    func open(file path: String) { log.append("file \(path)") }
    func mapMoved() { log.append("map moved") }
    func chose(_ location: Coordinate?) { log.append("chose \(location?.typed ?? "none")") }

    func open(_ item: MapItem) -> Bool {
        log.append("open \(item.id)")
        return known.contains(item.id)
    }

    func open(_ subject: InboxSubject) -> Bool {
        log.append("open \(subject)")
        return known.contains(subject.description)
    }

    /// Follows events of this kind.
    func follow<Body>(_ event: Event<Body>) {
        queries = StaleQueries<OneQuery>(.after(event, .only)) { _ in }
    }
}

/// An event of posts.
enum PostEvents {
    static let changed = Event<PostChange>("post", help: "A post changed.")
}

/// The body of an event of posts.
struct PostChange: EventBody {
    var id: RecordKey?
}

/// The query of a panel that has one.
enum OneQuery: CaseIterable, Sendable {
    case only
}

/// A panel of walks, which accepts no values.
final class WalksFake: FakePanel {
    override class var id: String { "walks" }
    override class var title: String { "Walks" }
}

/// A panel of posts, which accepts tracks and files of them.
final class PostsFake: FakePanel {
    override class var id: String { "posts" }
    override class var title: String { "Posts" }
    override class var accepts: [Offer.Kind: String] {
        [.track: "Make a post", .trackFile: "Keep the track"]
    }
    override class var fileTypes: Set<String> { ["gpx"] }
}

/// A sheet without a widget.
final class FakeSheet: PanelSheet {
    var view: Widget? { nil }
}

/// A map without a widget.
final class FakeMap: PanelMap {
    var chosen: Coordinate?
    var isMapped = true
    var visibleArea: MapArea?
    private(set) var selected: String?
    private(set) var shownCount = 0
    /// The path of the file beneath it.
    private(set) var file: String?
    /// The paths that it cannot draw.
    var damaged: Set<String> = []

    /// The locations that it was moved to last.
    private(set) var fitted: [Coordinate] = []

    func fit(_ locations: [Coordinate]) { fitted = locations }

    func underlay(_ path: String?) async throws -> String? {
        file = path.flatMap { damaged.contains($0) ? nil : $0 }
        if let path, file == nil { throw MBTilesFault.damaged(file: path) }
        return path.map { "Map of \($0)" }
    }

    func choose(_ location: Coordinate?, moving: Bool) { chosen = location }
    func show() { shownCount += 1 }
    func select(id: String) { selected = id }
}

/// The window around the panels, without widgets.
final class FakeBoardView: PanelBoardView {
    private(set) var sheet: (any PanelSheet)?
    private(set) var page: String?
    private(set) var fault: String?
    private(set) var undo: String?
    private(set) var shownCount = 0
    var visibleIDs: Set<String> = []
    var frontPage: String?
    var recoveryWords: PanelAction?
    var practice: PracticeOffer?
    var tips: (any TipStore)?
    private(set) var hasMap = false
    private(set) var hasForgotten = false

    func show(sheet: (any PanelSheet)?) { self.sheet = sheet }
    func show(page id: String) { page = id }
    func leaveFront() { page = nil }
    func showMap(_ isShown: Bool) { hasMap = isShown }
    func say(fault: String?) { self.fault = fault }
    func show(undo sentence: String?) { undo = sentence }
    func showPanels() { shownCount += 1 }
    func forgetUser() { hasForgotten = true }
}
