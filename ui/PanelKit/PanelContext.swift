public import Contract
public import ControlAPI
public import FeaturesAPI

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
    /// Reads photos to show them.
    public let photos: WindowPhotos
    /// The small photos of the user and the mates.
    public let personPhotos: PersonPhotos
    private weak var shell: (any PanelShell)?

    /// Creates the context of the panel `id`.
    public init(
        id: String, node: any NodeConnection, clock: PanelClock, people: People,
        map: any PanelMap, photos: WindowPhotos,
        personPhotos: PersonPhotos, shell: any PanelShell
    ) {
        self.id = id
        self.node = node
        self.clock = clock
        self.people = people
        self.map = map
        self.photos = photos
        self.personPhotos = personPhotos
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

    /// Shows the map beside this panel's page, or hides it again, if the layout is
    /// ``PanelLayout/wide``. A narrow window shows it in place of the page.
    public func showMap(_ isShown: Bool) { shell?.showMap(isShown) }

    /// Tells the window that the badge, the bars or the map layer have changed.
    public func changed() { shell?.panelsChanged() }

    /// Shows a fault in a bar at the top of the window.
    public func report(_ fault: any Error) { shell?.say(fault: CommandFault(fault).shown()) }

    /// Asks before an action that cannot be undone. The button that performs it is red.
    /// - Parameters:
    ///   - sentence: the consequences.
    ///   - button: the text of the red button, such as "Block".
    ///   - name: a text that the user has to type first; nil asks for none.
    public func confirm(
        _ title: String, _ sentence: String, button: String, typing name: String? = nil,
        _ action: @escaping @MainActor () -> Void
    ) {
        let sheet = ConfirmSheet(
            title: title, sentence: sentence, button: button, typing: name)
        sheet.onDone = { [weak self, weak sheet] isConfirmed in
            sheet.map { self?.dismiss($0) }
            if isConfirmed { action() }
        }
        present(sheet)
        sheet.focusFirst()
    }

    /// Performs an action of the node. A refusal is shown in a bar, in the node's own words.
    /// - Parameter ended: called after the answer; false says that the action was refused.
    public func perform<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request,
        then ended: @escaping @MainActor (_ isDone: Bool) -> Void = { _ in }
    ) {
        obtain(command, request) { ended($0 != nil) }
    }

    /// Performs an action of the node, as ``perform(_:_:then:)`` does, for a panel that needs the
    /// answer.
    /// - Parameter ended: receives the answer; nil says that the action was refused.
    public func obtain<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request,
        then ended: @escaping @MainActor (Answer?) -> Void
    ) {
        shell?.perform { [node, weak shell] in
            do {
                let answer = try await node.call(command, request)
                shell?.say(fault: nil)
                ended(answer)
            } catch {
                shell?.say(fault: CommandFault(error).shown())
                ended(nil)
            }
        }
    }

    /// Performs an action of the node that has no parameters.
    public func perform<Answer>(_ command: Command<NoParameters, Answer>) {
        perform(command, NoParameters())
    }

    /// Begins to write a file that is dragged out of the window, into a folder for the user alone
    /// that is removed with the window. A refusal is shown in a bar.
    /// - Returns: the path, where the file is as soon as the node has written it; nil if there is
    ///   no folder for it.
    public func draggedFile<Request>(_ export: Export<Request>) -> String? {
        guard let path = shell?.newDraggedFile(named: export.fileName),
            let file = try? FilePath(path)
        else { return nil }
        perform(export.command, export.request(file))
        return path
    }

    /// Returns what a row does when it is dragged out of the window, which is ``draggedFile(_:)``;
    /// nil if there is nothing to export.
    public func dragging<Request>(_ export: Export<Request>?) -> (@MainActor () -> String?)? {
        guard let export else { return nil }
        return { [weak self] in self?.draggedFile(export) }
    }

    /// Returns the menu entries for a value: one for each other panel that accepts its kind and can
    /// use the value now, in the order of the pages.
    ///
    /// ```swift
    /// context.actions(for: .person(mate)).map(\.title)  // ["Ask for a walk…", "Message"]
    /// ```
    public func actions(for offer: Offer) -> [PanelAction] {
        shell?.actions(for: offer, from: id) ?? []
    }

    /// The actions of all panels with which a person without mates can find some.
    public var waysToMeet: [PanelAction] { shell?.waysToMeet ?? [] }

    /// Returns the actions with which panels answer an item of the inbox.
    public func answers(to item: InboxList.Item) -> [PanelAction] {
        shell?.answers(to: item) ?? []
    }

    /// Returns the icon of the panel that an item of the inbox belongs to; nil if none is known.
    public func icon(of item: InboxList.Item) -> String? { shell?.icon(of: item) }

    /// Shows nothing of the user any more, because the user is deleted. The window goes on when the
    /// node has another one.
    public func forgetUser() { shell?.forgetUser() }

    /// Shows a bar for a few seconds in which something can be undone. An earlier offer is settled.
    public func offerUndo(_ offer: UndoOffer) { shell?.offerUndo(offer) }

    /// Whether a tip is still shown.
    public func isOpen(_ tip: Tip) -> Bool { shell?.tips?.isOpen(tip) ?? false }

    /// Shows a tip never again: the user has closed it, or has done what it is about.
    public func close(_ tip: Tip) { shell?.tips?.close(tip) }

    /// The offer to try everything with a practice mate, or to end it.
    public var practice: PracticeOffer? { shell?.practice }

    /// Whether this panel's page is in front, or under the map of a narrow window, so that the map
    /// shows what belongs to it.
    public var isPageInFront: Bool { shell?.frontPage == id }

    /// Whether the user is on a walk that a panel records.
    public var isWalking: Bool { shell?.isWalking ?? false }

    /// Shows the recovery words; nil if the user has confirmed that they wrote them down.
    public var recoveryWords: PanelAction? { shell?.recoveryWords }

    /// Returns the location for a new meeting: the chosen one, else the mate's, else the user's
    /// own; nil if none is known, so that the user is asked for one.
    public func meetingPoint(with person: Key? = nil) -> MeetingPoint? {
        let mate = person.flatMap { person in people.mates.first { $0.person == person } }
        return MeetingPoint(
            chosen: map.chosen, mate: mate?.location?.coordinate,
            mateName: person.flatMap { people.names[$0] }, mine: people.myLocation)
    }
}
