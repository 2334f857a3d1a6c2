import Contract
import GtkKit
import PanelKit
import PromisesAPI

/// The page of all promises: invitations, the promises to come, standings, and the past ones.
@MainActor
final class PromiseListView: Box {
    /// Called when a promise is to be made.
    var onMake: @MainActor () -> Void = {}
    /// Called with the id of a promise to open.
    var onOpen: @MainActor (Key) -> Void = { _ in }
    /// Called with an answer to an invitation.
    var onAction: @MainActor (PromiseAction, PromiseSummary) -> Void = { _, _ in }
    /// Called when the list of who owes whom is to be shown.
    var onLedger: @MainActor () -> Void = {}
    /// Called when the next page of past promises is to be shown.
    var onMorePast: @MainActor () -> Void = {}
    /// Begins to make the file as which a promise is dragged out of the window; returns its path.
    var onDrag: @MainActor (PromiseSummary) -> String? = { _ in nil }

    private let make = Button(icon: "list-add-symbolic", name: localized("Make a promise"))
        .suggested()
        .aligned(.end, .centre)
    private let heading = Label().styled("page-title").width(characters: 18)
    private let empty = Label(
        localized(
            "Agree on a time and a place with your mates; you see each other on the way.")
    )
    .styled("dim").width(characters: 34).role(.status)
    private let invitations = Box(.down).styled("list-box").role(.list)
        .named(localized("Waiting for your answer"))
    private lazy var invited = PageSection(localized("Waiting for your answer"), invitations)
    private lazy var today = makeSection(localized("Today"))
    private lazy var later = makeSection(localized("Later"))
    private lazy var past = makeSection(localized("Past promises"))
    private let standings = StandingList()
    private lazy var standing = PageSection(localized("Your record"), standings)
    private let more = Button(localized("Past promises")).aligned(.start)
    private var invitationRows: [Key: InvitationRow] = [:]

    init() {
        super.init(.down, spacing: 16)
        styled("page")
        for view in [
            Box(.across, spacing: 8, [heading.expanding(across: true), make]), empty, invited,
            today, later, standing, past,
            more,
        ] { append(view) }
        make.onClick { [weak self] in self?.onMake() }
        standings.onOpen = { [weak self] in self?.onLedger() }
        more.onClick { [weak self] in self?.onMorePast() }
    }

    private func makeSection(_ title: String) -> PromiseSection {
        PromiseSection(title) { [weak self] in
            self?.onOpen($0)
        } onDrag: { [weak self] in
            self?.onDrag($0)
        }
    }

    /// Shows the promises and standings.
    func show(_ state: PromisesState, now: Timestamp) {
        heading.text = state.heading
        empty.isVisible = state.open.isEmpty
        show(state.invitations, now: now)
        today.show(state.ofToday, now: now)
        later.show(state.ofLaterDays, now: now)
        past.show(state.past, now: now)
        standings.show(state.standings)
        standing.isVisible = !state.standings.isEmpty
        more.isVisible = !state.hasAskedPast || state.nextPast != nil
        more.text =
            state.hasAskedPast ? localized("More past promises") : localized("Past promises")
    }

    private func show(_ promises: [PromiseSummary], now: Timestamp) {
        let ids = Set(promises.map(\.id))
        invitationRows = invitationRows.filter { ids.contains($0.key) }
        invitations.replaceChildren(
            with: promises.map { promise in
                let row = invitationRows[promise.id] ?? InvitationRow()
                invitationRows[promise.id] = row
                row.show(promise, now: now)
                row.onOpen = { [weak self] in self?.onOpen(promise.id) }
                row.onAction = { [weak self] in self?.onAction($0, promise) }
                return row
            })
        invited.isVisible = !promises.isEmpty
    }

    /// Moves the keyboard focus to a promise, after its page was closed.
    func focus(_ id: Key) {
        let isFocused = [today, later, past].contains { $0.focus(id) }
        if !isFocused { make.grabFocus() }
    }
}

/// A heading and what stands under it.
@MainActor
class PageSection: Box {
    init(_ title: String, _ content: Widget) {
        super.init(.down, spacing: 8)
        append(Label(title).styled("heading"))
        append(content)
    }
}

/// Promises under a heading; nothing is shown while there are none.
@MainActor
final class PromiseSection: PageSection {
    private let list: VirtualList<Key, PromiseRow>
    private let content: ShownPromises

    /// The promises that the rows show, and the time.
    @MainActor
    private final class ShownPromises {
        var byID: [Key: PromiseSummary] = [:]
        var now = Timestamp.min
    }

    init(
        _ title: String, onOpen: @escaping @MainActor (Key) -> Void,
        onDrag: @escaping @MainActor (PromiseSummary) -> String?
    ) {
        let (rows, content) = (RowList().offeringFiles().named(title), ShownPromises())
        self.content = content
        list = VirtualList(rows, place: rows.replaceRows) { id in
            PromiseRow(maker: content.byID[id]?.maker ?? id) { onOpen(id) }
        } show: { row, id in
            guard let promise = content.byID[id] else { return }
            row.show(promise, now: content.now)
            row.fileToDrag = { onDrag(promise) }
        }
        super.init(title, list)
        hidden()
    }

    /// Shows promises; rows that stay keep their position and focus.
    func show(_ promises: [PromiseSummary], now: Timestamp) {
        content.byID = Dictionary(
            promises.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        content.now = now
        list.show(promises.map(\.id))
        isVisible = !promises.isEmpty
    }

    /// Moves the keyboard focus to a promise.
    /// - Returns: false if it is not in the list.
    func focus(_ id: Key) -> Bool { list.focus(id) }
}

/// One promise in a list: a press opens it.
@MainActor
final class PromiseRow: ActionRow {
    private let avatar: Avatar

    init(maker: Key, onOpen: @escaping @MainActor () -> Void) {
        avatar = Avatar(key: maker.string)
        super.init()
        addPrefix(avatar)
        addSuffix(Icon("go-next-symbolic"))
        onActivate(onOpen)
    }

    /// Shows a promise.
    func show(_ promise: PromiseSummary, now: Timestamp) {
        avatar.show(name: promise.makerName.string)
        title = promise.title.string
        subtitle = PromiseText.line(of: promise, now: now)
        named(promise.title.string).described(subtitle)
    }
}

/// An invitation in the list, with its answers.
@MainActor
final class InvitationRow: Box {
    /// Called when the page of the promise is to be shown.
    var onOpen: @MainActor () -> Void = {}
    /// Called with the answer.
    var onAction: @MainActor (PromiseAction) -> Void = { _ in }

    private let title = Label().styled("row-title").width(characters: 30)
    private let line = Label().styled("dim").width(characters: 30)
    private let detail = Label().styled("dim").width(characters: 30)
    private let buttons = Box(.across, spacing: 6)
    private var actions: [PromiseAction] = []

    init() {
        super.init(.down, spacing: 2)
        styled("item").role(.listItem)
        for view in [title, line, detail, buttons.margin(across: 0, down: 4)] { append(view) }
    }

    /// Shows an invitation.
    func show(_ promise: PromiseSummary, now: Timestamp) {
        title.text = promise.title.string
        line.text = PromiseText.line(of: promise, now: now)
        detail.text = PromiseText.detail(of: promise)
        named("\(promise.title). \(line.text)")
        let wanted = PromiseAction.all(for: promise, now: now)
        guard wanted != actions || buttons.children.isEmpty else { return }
        actions = wanted
        let show = Button(localized("Show")) { [weak self] in self?.onOpen() }
            .named(localized("Show \(promise.title)"))
        buttons.replaceChildren(
            with: [show]
                + actions.map { action in
                    Button(action.title) { [weak self] in self?.onAction(action) }
                        .named("\(action.title): \(promise.title)")
                })
    }
}
