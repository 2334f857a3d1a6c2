import ChatAPI
import Contract
import GtkKit

/// The lines of a conversation. It keeps its place while lines come and go, and changes only the
/// widgets of lines that say something else.
@MainActor
final class ChatConversationList: Box {
    /// Called when the messages before the first or after the last one are wanted.
    var onWish: @MainActor (ChatRoomView.Wish) -> Void = { _ in }
    /// Called when the view was scrolled or laid out.
    var onMove: @MainActor () -> Void = {}

    private let thumbnails: ChatThumbnails
    private let older = Button(localized("Older messages")).styled("flat").aligned(.centre)
    private let newer = Button(localized("Newer messages")).styled("flat").aligned(.centre)
    private let rows = Box(.down)
    private let scroller: AnchoredScroller
    private let divider = Label(localized("You read up to here")).styled("read-divider").centred()
    private var lines: [ChatLine] = []
    private var widgets: [ChatLine.ID: Widget] = [:]
    private var timeline = ChatTimeline()
    private var shownFound: RecordKey?
    /// Whether the room was opened and none of its messages was shown yet.
    private var isOpening = true
    private var isMoveTold = false

    /// Messages are loaded when less than this part of the view's height is hidden before them.
    private static let reserve = 0.5

    init(thumbnails: ChatThumbnails) {
        self.thumbnails = thumbnails
        rows.role(.list).named(localized("Messages"))
        scroller = AnchoredScroller(
            of: rows.margin(across: 12, down: 8), pixelsMax: ChatRoomView.pixelsMax,
            above: [older.margin(8)], below: [newer.margin(8)])
        super.init(.down)
        append(scroller.expanding(across: true, down: true))
        // A day may move up when older messages of it are loaded.
        scroller.isAnchor = { $0 is ChatBubbleRow }
        scroller.onMove = { [weak self] in self?.moved() }
        older.onClick { [weak self] in self?.wishOlder() }
        newer.onClick { [weak self] in self?.wishNewer() }
        thumbnails.onLoad = { [weak self] id, picture in
            (self?.widgets[.message(id)] as? ChatBubbleRow)?.show(picture)
        }
    }

    /// Whether the newest message is in view.
    var isAtEnd: Bool { timeline.after == nil && scroller.isAtEnd }

    /// Whether so much is hidden below that a button to the newest message helps.
    var isScrolledUp: Bool {
        timeline.after != nil || scroller.hidden.below > Self.reserve && !scroller.isAtEnd
    }

    /// Empties the list for another room.
    func beginRoom() {
        isOpening = true
        shownFound = nil
        timeline = ChatTimeline()
        lines = []
        widgets = [:]
        rows.replaceChildren(with: [])
    }

    /// Shows the loaded part of the room.
    func show(_ timeline: ChatTimeline, now: Timestamp) {
        self.timeline = timeline
        scroller.stayAtEnd()
        older.isVisible = timeline.before != nil
        newer.isVisible = timeline.after != nil
        show(timeline.lines(now: now))
        guard timeline.room != nil else { return }
        if let found = timeline.found, found != shownFound, let row = widgets[.message(found)] {
            scroller.go(to: .middle(row))
        } else if isOpening {
            scroller.go(to: widgets[.divider].map { .top($0) } ?? .end)
        }
        shownFound = timeline.found
        isOpening = false
    }

    /// Shows the days as they are called now.
    func update(now: Timestamp) { show(timeline.lines(now: now)) }

    /// Shows the last loaded message, and those that are added.
    func goToEnd() { scroller.go(to: .end) }

    private func show(_ new: [ChatLine]) {
        guard new != lines else { return }
        let changes = ChatLineChanges(from: lines, to: new)
        lines = new
        for id in changes.removed { widgets[id] = nil }
        for line in changes.made { widgets[line.id] = makeWidget(for: line) }
        for line in changes.changed { update(line) }
        rows.replaceChildren(with: new.compactMap { widgets[$0.id] })
    }

    private func makeWidget(for line: ChatLine) -> Widget {
        switch line {
        case .day(_, let text): return Label(text).styled("day-divider").centred()
        case .divider: return divider
        case .message(let bubble):
            let id = bubble.message.id
            let isMine = bubble.message.isMine
            let row = ChatBubbleRow(bubble) { [weak self] in
                self?.onWish(.photo(id))
            } actions: { [weak self] in
                let hide = PopupMenu.Entry(localized("Delete for me")) { self?.onWish(.hide(id)) }
                let erase = PopupMenu.Entry(localized("Delete for everyone…")) {
                    self?.onWish(.erase(id))
                }
                return isMine ? [hide, erase] : [hide]
            }
            if bubble.message.photo != nil, let kept = thumbnails.picture(of: id) {
                row.show(kept)
            }
            return row
        }
    }

    private func update(_ line: ChatLine) {
        switch (line, widgets[line.id]) {
        case (.day(_, let text), let label as Label): label.text = text
        case (.message(let bubble), let row as ChatBubbleRow): row.update(bubble)
        default: break
        }
    }

    // MARK: Scrolling

    /// Loads the messages that the view comes near to, once GTK has ended a layout.
    private func moved() {
        guard !isMoveTold else { return }
        isMoveTold = true
        Task { [weak self] in
            guard let self else { return }
            isMoveTold = false
            onMove()
            guard isMapped, !isOpening else { return }
            if scroller.hidden.above < Self.reserve { wishOlder() }
            if scroller.hidden.below < Self.reserve { wishNewer() }
        }
    }

    private func wishOlder() {
        if let before = timeline.before { onWish(.older(before)) }
    }

    private func wishNewer() {
        if let after = timeline.after { onWish(.newer(after)) }
    }
}
