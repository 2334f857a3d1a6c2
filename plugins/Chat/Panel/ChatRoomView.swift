import ChatAPI
import Contract
import GtkKit

/// One room: its messages, and the text field for the next one.
@MainActor
final class ChatRoomView: Box {
    /// An action that the user requests.
    enum Wish {
        case back
        case older(Cursor)
        case newer(Cursor)
        case newest
        case send(String)
        case hide(RecordKey)
        case erase(RecordKey)
    }

    /// Called with an action that the user requests.
    var onWish: @MainActor (Wish) -> Void = { _ in }

    private let title = Label().styled("heading").width(characters: 24)
    private let older = Button("Older messages").aligned(.centre)
    private let newer = Button("Newer messages")
    private let newest = Button("Newest messages")
    private let ways: Box
    private let list = Box(.down)
    private let divider = Label("You read up to here").styled("hint", "divider").centred()
    private let entry = TextArea(placeholder: "Message").named("Message")
        .tooltip("Enter sends, Shift+Enter begins a new line")
    private let send = Button("Send").suggested()
    private let scroller: Scroller
    private let closed = Label().styled("dim").width(characters: 34)
    private let fault = Label().styled("fault").width(characters: 34).hidden()
    private var rows: [RecordKey: ChatMessageRow] = [:]
    private var timeline = ChatTimeline()
    private var shownFound: RecordKey?

    /// The greatest height of the text field in pixels; a longer text scrolls.
    private static let entryHeightMax: Int32 = 130
    /// Whether the text field receives the focus once a loaded room enables it.
    private var isFocusWanted = false

    init() {
        ways = Box(.across, spacing: 6, [newer, newest]).aligned(.centre)
        list.role(.list).named("Messages")
        scroller = Scroller(Box(.down, [older.margin(8), list, ways.margin(8)])).followingEnd()
            .expanding(down: true)
        super.init(.down)
        let back = Button(icon: "go-previous-symbolic", name: "All rooms")
        back.onClick { [weak self] in self?.onWish(.back) }
        append(Box(.across, spacing: 8, [back, title.expanding(across: true)]).margin(8))
        append(scroller)
        append(fault.role(.alert).margin(across: 8, down: 0))
        append(closed.margin(8))
        append(
            Box(
                .across, spacing: 6,
                [
                    entry.framed(growingUpTo: Self.entryHeightMax).expanding(across: true),
                    send.aligned(.fill, .end),
                ]
            ).margin(8))
        connect()
    }

    private func connect() {
        older.onClick { [weak self] in
            if let before = self?.timeline.before { self?.onWish(.older(before)) }
        }
        newer.onClick { [weak self] in
            if let after = self?.timeline.after { self?.onWish(.newer(after)) }
        }
        newest.onClick { [weak self] in self?.onWish(.newest) }
        entry.onEnter { [weak self] in self?.sendText() }
        send.onClick { [weak self] in self?.sendText() }
    }

    /// Shows the loaded part of the room; rows that stay keep their position and focus.
    func show(_ timeline: ChatTimeline) {
        self.timeline = timeline
        let room = timeline.room
        title.text = room?.title.string ?? ""
        older.isVisible = timeline.before != nil
        ways.isVisible = timeline.after != nil
        closed.text = room?.reason?.string ?? ""
        closed.isVisible = room?.reason != nil
        entry.isEnabled = room?.canSend ?? false
        send.isEnabled = room?.canSend ?? false
        if room != nil, isFocusWanted { focusEntry() }
        rows = rows.filter { id, _ in timeline.messages.contains { $0.id == id } }
        list.replaceChildren(with: timeline.rows.map(widget))
        for (id, row) in rows { row.setStyle("found", on: id == timeline.found) }
        let isNew = timeline.found != shownFound
        shownFound = timeline.found
        if isNew, let row = timeline.found.flatMap({ rows[$0] }) { scroller.reveal(row) }
    }

    /// Clears the text field after its text was sent.
    func clearEntry() { entry.text = "" }

    /// Moves the keyboard focus to the text field, at once or when the room is loaded.
    func focusEntry() {
        isFocusWanted = timeline.room == nil
        if !isFocusWanted { entry.grabFocus() }
    }

    /// Shows a fault; nil removes it.
    func say(_ sentence: String?) {
        fault.text = sentence.map { "⚠ \($0)" } ?? ""
        fault.isVisible = sentence != nil
    }

    private func sendText() {
        guard entry.text.contains(where: { !$0.isWhitespace }) else { return }
        onWish(.send(entry.text))
    }

    private func widget(_ row: ChatTimeline.Row) -> Widget {
        switch row {
        case .divider: divider
        case .message(let message): messageRow(message)
        }
    }

    private func messageRow(_ message: ChatMessage) -> ChatMessageRow {
        if let row = rows[message.id] {
            row.update(message)
            return row
        }
        let row = ChatMessageRow(
            message, onHide: { [weak self] in self?.onWish(.hide(message.id)) },
            onErase: { [weak self] in self?.onWish(.erase(message.id)) })
        rows[message.id] = row
        return row
    }
}
