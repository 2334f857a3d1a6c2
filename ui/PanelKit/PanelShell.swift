public import FeaturesAPI

/// The window as a panel's context sees it. Tests have one without widgets.
@MainActor
public protocol PanelShell: AnyObject {
    /// Shows a sheet of a panel.
    func present(_ sheet: PresentedSheet)
    /// Removes a sheet, and the sheets above it.
    func dismiss(_ sheet: any PanelSheet)
    /// Brings the page of a panel to the front.
    func show(page id: String)
    /// Leaves a page with the layout ``PanelLayout/front``.
    func leaveFront()
    /// Shows the map beside the page in front, or hides it beside a page that is wide.
    func showMap(_ isShown: Bool)
    /// Shows a fault in a bar; nil removes the bar.
    func say(fault: String?)
    /// Shows the badges, bars and map layers of all panels again.
    func panelsChanged()
    /// Returns the entries of a menu for a value, from all panels but the one that offers it.
    func actions(for offer: Offer, from id: String) -> [PanelAction]
    /// Returns the actions of all panels that answer an item of the inbox.
    func answers(to item: InboxList.Item) -> [PanelAction]
    /// Returns the icon of the panel that an item of the inbox belongs to; nil if none is known.
    func icon(of item: InboxList.Item) -> String?
    /// Shows nothing of the user any more, because the user is deleted.
    func forgetUser()
    /// Performs an action of the user, which is finished even if the window is closed meanwhile.
    func perform(_ action: @escaping @MainActor () async -> Void)
    /// Returns the path for a file that is dragged out of the window; nil if there can be none.
    func newDraggedFile(named name: String) -> String?
    /// Shows a bar for a few seconds in which something can be undone.
    func offerUndo(_ offer: UndoOffer)
    /// The actions with which a person without mates can find some.
    var waysToMeet: [PanelAction] { get }
    /// Shows the recovery words; nil if the user has confirmed that they wrote them down.
    var recoveryWords: PanelAction? { get }
    /// The memory of the tips that are shown no longer.
    var tips: (any TipStore)? { get }
    /// The offer to try everything with a practice mate, or to end it.
    var practice: PracticeOffer? { get }
    /// Whether the user is on a walk that a panel records.
    var isWalking: Bool { get }
    /// The id of the panel whose page is in front, or under the map of a narrow window.
    var frontPage: String? { get }
}

/// A sheet that a panel has presented, with its callbacks.
public struct PresentedSheet {
    /// The id of the panel.
    public var owner: String
    /// The sheet.
    public var sheet: any PanelSheet
    /// Called for the Escape key; nil removes the sheet.
    public var onEscape: (@MainActor () -> Void)?
    /// Called when the sheet was removed, for any reason.
    public var onDismiss: @MainActor () -> Void

    /// Creates a sheet of a panel.
    public init(
        owner: String, sheet: any PanelSheet, onEscape: (@MainActor () -> Void)? = nil,
        onDismiss: @escaping @MainActor () -> Void = {}
    ) {
        self.owner = owner
        self.sheet = sheet
        self.onEscape = onEscape
        self.onDismiss = onDismiss
    }
}
