public import Contract
public import ControlAPI

/// Everything a panel may use: the node, the clock, the people, the map and the window around it.
@MainActor
public final class PanelContext {
    /// The id of the panel.
    public let id: String
    /// The connection to the node.
    public let node: any NodeConnection
    /// The window's clock and the node's time.
    public let clock: PanelClock
    /// The user and the user's mates.
    public let people: People
    /// The map.
    public let map: any PanelMap
    private weak var shell: (any PanelShell)?

    /// Creates the context of the panel `id`.
    public init(
        id: String, node: any NodeConnection, clock: PanelClock, people: People,
        map: any PanelMap, shell: any PanelShell
    ) {
        self.id = id
        self.node = node
        self.clock = clock
        self.people = people
        self.map = map
        self.shell = shell
    }

    /// Shows a sheet over the window. While it is shown, the window cannot be used. A sheet of
    /// another panel is removed; one of this panel stays underneath.
    /// - Parameters:
    ///   - onDismiss: Called when the sheet was removed, for any reason.
    ///   - onEscape: Called for the Escape key; nil removes the sheet.
    public func present(
        _ sheet: any PanelSheet, onDismiss: @escaping @MainActor () -> Void = {},
        onEscape: (@MainActor () -> Void)? = nil
    ) {
        shell?.present(
            PresentedSheet(owner: id, sheet: sheet, onEscape: onEscape, onDismiss: onDismiss))
    }

    /// Removes a sheet; one that is not shown is ignored.
    public func dismiss(_ sheet: any PanelSheet) { shell?.dismiss(sheet) }

    /// Brings this panel's page to the front.
    public func showPage() { shell?.show(page: id) }

    /// Leaves this panel's page, if its layout is ``PanelLayout/front``.
    public func leavePage() { shell?.leaveFront() }

    /// Tells the window that the badge, the bars or the map layer have changed.
    public func changed() { shell?.panelsChanged() }

    /// Shows a fault in a bar at the top of the window.
    public func report(_ fault: any Error) { shell?.say(fault: CommandFault(fault).sentence) }

    /// Performs an action of the node. A refusal is shown in a bar, in the node's own words.
    public func perform<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request
    ) {
        Task { [node, weak shell] in
            do {
                _ = try await node.call(command, request)
                shell?.say(fault: nil)
            } catch {
                shell?.say(fault: CommandFault(error).sentence)
            }
        }
    }

    /// Performs an action of the node that has no parameters.
    public func perform<Answer>(_ command: Command<NoParameters, Answer>) {
        perform(command, NoParameters())
    }

    /// Returns the menu entries for a value: one for each other panel that accepts its kind and can
    /// use the value now, in the order of the pages.
    ///
    /// ```swift
    /// context.actions(for: .person(mate)).map(\.title)  // ["Ask for a walk…", "Write…"]
    /// ```
    public func actions(for offer: Offer) -> [PanelAction] {
        shell?.actions(for: offer, from: id) ?? []
    }

    /// The actions of all panels with which a person without mates can find some.
    public var waysToMeet: [PanelAction] { shell?.waysToMeet ?? [] }

    /// Returns the location for a new meeting: the chosen one, else the mate's, else the user's
    /// own, else the middle of the map.
    public func meetingPoint(with mate: Coordinate? = nil) -> MeetingPoint {
        MeetingPoint(
            chosen: map.chosen, mate: mate, mine: people.myLocation, middle: map.middle)
    }
}
