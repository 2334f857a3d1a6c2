import Contract
import GtkKit
import PanelKit
import WalkLogAPI

/// The page of the recording, the sums of weeks and months, and the recorded walks.
@MainActor
final class WalkListView: Box {
    /// Called with a walk to open.
    var onOpen: @MainActor (RecordedWalk) -> Void = { _ in }
    /// Called when older walks are to be shown.
    var onMore: @MainActor () -> Void = {}
    /// Begins to make the file as which a walk is dragged out of the window; returns its path.
    var onDrag: @MainActor (RecordedWalk) -> String? = { _ in nil }
    /// The recording.
    let recording = WalkRecordingView()

    /// The walks that mates show.
    let shared = SharedWalksView()

    private let weeks = WalkSumsView(.week)
    private let months = WalkSumsView(.month)
    private let list: VirtualList<RecordKey, WalkRow>
    private let shown: ShownWalks
    private let heading = Label(localized("Your walks")).styled("heading")
    private let more = Button(localized("Older walks")).aligned(.start)

    /// The walks that the rows show, and the time.
    @MainActor
    private final class ShownWalks {
        var byID: [RecordKey: RecordedWalk] = [:]
        var now = Timestamp.min
        var onOpen: @MainActor (RecordedWalk) -> Void = { _ in }
        var onDrag: @MainActor (RecordedWalk) -> String? = { _ in nil }
    }

    init() {
        let (rows, shown) = (
            RowList().offeringFiles().role(.list).named(localized("Your walks")), ShownWalks()
        )
        self.shown = shown
        list = VirtualList(rows, place: rows.replaceRows) { id in
            WalkRow { if let walk = shown.byID[id] { shown.onOpen(walk) } }
        } show: { row, id in
            guard let walk = shown.byID[id] else { return }
            row.show(walk, now: shown.now)
            row.fileToDrag = { shown.onDrag(walk) }
        }
        super.init(.down, spacing: 16)
        styled("page")
        let title = Label(localized("Walks")).styled("page-title")
        for view in [title, recording, weeks, months, shared, heading, list, more] {
            append(view)
        }
        shown.onOpen = { [weak self] in self?.onOpen($0) }
        shown.onDrag = { [weak self] in self?.onDrag($0) }
        more.onClick { [weak self] in self?.onMore() }
    }

    /// Shows the walks and their sums.
    func show(_ model: WalkLogModel, now: Timestamp) {
        recording.show(
            WalkLogScreen(model.status, passed: model.passed), offers: model.status?.offers ?? [])
        shown.byID = Dictionary(
            model.walks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        shown.now = now
        list.show(model.walks.map(\.id))
        shared.show(model.sharesOfOthers, now: now)
        weeks.show(model.totals?.weeks ?? [])
        months.show(model.totals?.months ?? [])
        heading.isVisible = !model.walks.isEmpty
        more.isVisible = model.hasMore
    }

    /// Moves the keyboard focus to a walk, after its page was closed.
    func focus(_ id: RecordKey) { if !list.focus(id) { shared.focus(id) } }
}

/// One walk in the list: a press opens it.
@MainActor
final class WalkRow: ActionRow {
    init(onOpen: @escaping @MainActor () -> Void) {
        super.init()
        addSuffix(Icon("go-next-symbolic"))
        onActivate(onOpen)
    }

    /// Shows a walk.
    func show(_ walk: RecordedWalk, now: Timestamp) {
        title = walk.startedMs.dayAndTime(now: now)
        subtitle = WalkText.line(of: walk)
        named(title).described(subtitle)
    }
}
