public import Contract
public import ControlAPI
public import FeaturesAPI
public import GtkKit

/// One feature's part of the window: a page, sheets, bars and a layer of the map.
///
/// The window makes each panel once, from the list in `PanelCatalogue`, and knows no panel by name.
/// Everything but ``id``, ``title``, ``icon`` and the initialiser has a default, so a small panel
/// is small:
///
/// ```swift
/// public final class WavePanel: Panel {
///     public static let id = "wave"
///     public static let title = "Waves"
///     public static let icon = "emoji-people-symbolic"
///     public var page: Widget? { list }
///     public var queries: (any PanelQueries)? { asked }
///
///     private let list = WaveList()
///     private let asked: StaleQueries<WaveQuery>
///
///     public init(context: PanelContext) {
///         let (node, list) = (context.node, list)
///         asked = StaleQueries(.after(WaveEvents.changed, .list)) { _ in
///             list.show(try await node.call(WaveCommands.list))
///         }
///     }
/// }
/// ```
@MainActor
public protocol Panel: AnyObject {
    /// A short lower-case word that no other panel has.
    static var id: String { get }
    /// The name of the page.
    static var title: String { get }
    /// The panel's icon, from the theme.
    static var icon: String { get }
    /// The position of the page in the window.
    static var layout: PanelLayout { get }
    /// The kinds of values that other panels may pass to this one, each with the title that their
    /// menus show, such as "Make a post". See ``Offer``.
    static var accepts: [Offer.Kind: String] { get }
    /// Shorter titles for the buttons in the rows of other panels, such as "Walk…".
    static var shortTitles: [Offer.Kind: String] { get }
    /// The endings of the files that may be dropped on the window, in lower case without a dot.
    static var fileTypes: Set<String> { get }
    /// The kind of the inbox items that belong to the panel, by default its id. The inbox marks
    /// those that come from no person with the panel's icon.
    static var inboxKind: InboxKind? { get }

    /// Makes the panel. It asks the node nothing before the window is connected.
    init(context: PanelContext)

    /// The page; nil if the panel has none.
    var page: Widget? { get }
    /// The number of things that wait for the user on the page, such as unread messages; 0 shows
    /// none.
    var badge: Int { get }
    /// The bars that are shown at the top of the window now.
    var bars: [PanelBar] { get }
    /// The part of the map that the panel shows now.
    var mapLayer: MapLayer { get }
    /// The keys that the panel listens to, whether or not it has the focus.
    var shortcuts: [Shortcut] { get }
    /// The controls for the panel's preferences, made whenever they are shown; nil if there are
    /// none.
    var preferences: Widget? { get }
    /// The panel's queries to the node, with the events that make an answer stale.
    var queries: (any PanelQueries)? { get }
    /// The actions with which a person without mates can find some.
    var waysToMeet: [PanelAction] { get }
    /// The entries of the map's menu that concern no single point, such as "Forget my location".
    var mapActions: [PanelAction] { get }
    /// The line under the window's title, such as the user's name; the first panel that has one
    /// decides.
    var subtitle: String? { get }
    /// The content of the page's entry under the list of pages, such as the user's name, if its
    /// layout is ``PanelLayout/front``; nil shows the icon and the title.
    var entry: Box? { get }
    /// Whether the page is shown before all others when the window opens. It is read once.
    var comesFirst: Bool { get }
    /// Whether the user is on a walk that the panel records.
    var isWalking: Bool { get }

    /// Processes an event under one of the topics of ``queries``. The default repeats the
    /// queries that the event made stale.
    func receive(_ event: NodeEvent)
    /// Shows times and ages as they are now; called once a second and when ``People`` change,
    /// while the page or a sheet of the panel is on the screen, and before the page comes to the
    /// front.
    func update()
    /// Called when the page has come to the front.
    func didShow()
    /// Leaves what is in front on the page, such as one thing of a list, for the Escape key.
    /// - Returns: false if there is nothing to leave.
    func back() -> Bool
    /// Called when another location was chosen on the map, or the choice was cleared.
    func chose(_ location: Coordinate?)
    /// Called when the visible part of the map has changed, at most once for each of its frames.
    func mapMoved()
    /// Opens what a marker, a circle or a track on the map belongs to.
    /// - Returns: false if the panel does not know it; other panels are tried then.
    func open(_ item: MapItem) -> Bool
    /// Opens what an inbox item is about, after a click on a notice of the desktop.
    /// - Returns: false if the item is not one of this panel's; other panels are tried then.
    func open(_ subject: InboxSubject) -> Bool
    /// Whether the panel can use this value now; its title is in no menu otherwise. It is asked for
    /// the kinds in ``accepts`` when a menu opens.
    ///
    /// ```swift
    /// func canAccept(_ offer: Offer) -> Bool { offer.person.map(context.people.isMate) ?? false }
    /// ```
    func canAccept(_ offer: Offer) -> Bool
    /// Receives a value of one of the kinds in ``accepts``.
    func accept(_ offer: Offer)
    /// Returns the actions that answer or open an item of the inbox, from the safe one to the
    /// suggested one; the item of another feature has none. The inbox shows them in the item's row.
    ///
    /// ```swift
    /// func answers(to item: InboxList.Item) -> [PanelAction] {
    ///     guard item.kind == "wave" else { return [] }
    ///     return [PanelAction("Wave back") { … }]
    /// }
    /// ```
    func answers(to item: InboxList.Item) -> [PanelAction]
    /// Opens a file that was dropped and ends in one of ``fileTypes``. The drop may be a slip, so
    /// ask before acting on it, in a bar or a sheet.
    func open(file path: String)
}

extension Panel {
    /// Beside the map.
    public static var layout: PanelLayout { .beside }
    /// Nothing.
    public static var accepts: [Offer.Kind: String] { [:] }
    /// None.
    public static var shortTitles: [Offer.Kind: String] { [:] }
    /// None.
    public static var fileTypes: Set<String> { [] }
    /// The panel's id.
    public static var inboxKind: InboxKind? { try? InboxKind(id) }
    /// No page.
    public var page: Widget? { nil }
    /// No number.
    public var badge: Int { 0 }
    /// No bars.
    public var bars: [PanelBar] { [] }
    /// Nothing.
    public var mapLayer: MapLayer { MapLayer() }
    /// None.
    public var shortcuts: [Shortcut] { [] }
    /// None.
    public var preferences: Widget? { nil }
    /// Nothing.
    public var queries: (any PanelQueries)? { nil }
    /// None.
    public var waysToMeet: [PanelAction] { [] }
    /// None.
    public var mapActions: [PanelAction] { [] }
    /// None.
    public var subtitle: String? { nil }
    /// The icon and the title.
    public var entry: Box? { nil }
    /// False.
    public var comesFirst: Bool { false }
    /// False.
    public var isWalking: Bool { false }

    /// Repeats the queries that the event made stale.
    public func receive(_ event: NodeEvent) { queries?.receive(event) }
    /// Does nothing.
    public func update() {}
    /// Does nothing.
    public func didShow() {}
    /// There is nothing to leave.
    public func back() -> Bool { false }
    /// Does nothing.
    public func chose(_ location: Coordinate?) {}
    /// Does nothing.
    public func mapMoved() {}
    /// Knows nothing on the map.
    public func open(_ item: MapItem) -> Bool { false }
    /// Has no inbox items.
    public func open(_ subject: InboxSubject) -> Bool { false }
    /// Every value can be used.
    public func canAccept(_ offer: Offer) -> Bool { true }
    /// Does nothing.
    public func accept(_ offer: Offer) {}
    /// None.
    public func answers(to item: InboxList.Item) -> [PanelAction] { [] }
    /// Does nothing.
    public func open(file path: String) {}
}

/// The position of a panel's page in the window.
public enum PanelLayout: Sendable {
    /// Beside the map, with an entry in the list of pages.
    case beside
    /// Over the whole width in place of the map, with an entry in the list of pages. The page may
    /// show the map beside itself with ``PanelContext/showMap(_:)``.
    case wide
    /// In the header bar, always in reach: the page is one small control.
    case header
    /// Under the map, always in sight.
    case underMap
    /// In place of everything else; an entry under the list of pages shows it.
    case front
}
