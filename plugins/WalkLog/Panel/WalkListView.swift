import Contract
import GtkKit
import PanelKit
import WalkLogAPI

/// The page of the recording, the sums of weeks, and the recorded walks.
@MainActor
final class WalkListView: Box {
    /// Called with a walk to open.
    var onOpen: @MainActor (RecordedWalk) -> Void = { _ in }
    /// Called when older walks are to be shown.
    var onMore: @MainActor () -> Void = {}
    /// The recording.
    let recording = WalkRecordingView()

    /// The walks that mates show.
    let shared = SharedWalksView()

    private let bars = WalkBars()
    private let week = Label().width(characters: 34)
    private lazy var sums = Box(
        .down, spacing: 8,
        [Label(localized("Last 12 weeks")).styled("heading"), bars, week])
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
    }

    init() {
        let (rows, shown) = (RowList().role(.list).named(localized("Your walks")), ShownWalks())
        self.shown = shown
        list = VirtualList(rows, place: rows.replaceRows) { id in
            WalkRow { if let walk = shown.byID[id] { shown.onOpen(walk) } }
        } show: { row, id in
            if let walk = shown.byID[id] { row.show(walk, now: shown.now) }
        }
        super.init(.down, spacing: 16)
        styled("page")
        let title = Label(localized("Walks")).styled("page-title")
        for view in [title, recording, sums, shared, heading, list, more] { append(view) }
        shown.onOpen = { [weak self] in self?.onOpen($0) }
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
        let weeks = model.totals?.weeks ?? []
        bars.show(weeks)
        week.text = weeks.last.map(WalkText.week) ?? ""
        sums.isVisible = weeks.contains { $0.walksCount.value > 0 }
        heading.isVisible = !model.walks.isEmpty
        more.isVisible = model.hasMore
    }

    /// Moves the keyboard focus to a walk, after its page was closed.
    func focus(_ id: RecordKey) { _ = list.focus(id) }
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
