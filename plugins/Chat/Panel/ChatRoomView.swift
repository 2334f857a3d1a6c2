import ChatAPI
import Contract
import GtkKit
import PanelKit

/// One room: its header, its messages, and the text field for the next one.
@MainActor
final class ChatRoomView: Box {
    /// An action that the user requests.
    enum Wish {
        case back
        case map
        case older(Cursor)
        case newer(Cursor)
        case newest
        case send(String)
        case choosePhotos
        case sendPhotos([ChatPhotoPick])
        case photo(RecordKey)
        case hide(RecordKey)
        case erase(RecordKey)
    }

    /// Called with an action that the user requests.
    var onWish: @MainActor (Wish) -> Void = { _ in }

    private let header: ChatHeader
    private let list: ChatConversationList
    private let waiting = Label().styled("hint").width(characters: 40)
    private let jump = Button(
        icon: "go-bottom-symbolic", name: localized("Jump to the newest messages"))
    private let strip: Box
    private let entry = TextArea(placeholder: localized("Message")).named(localized("Message"))
        .tooltip(localized("Enter sends, Shift+Enter begins a new line"))
    private let send = Button(icon: "mail-send-symbolic", name: localized("Send")).suggested()
    private let photo = Button(
        icon: "insert-image-symbolic", name: localized("Send photos…")
    ).flat()
    private let progress = Label().styled("hint").width(characters: 40).role(.status).hidden()
    private let closed = Label().styled("dim").width(characters: 40)
    private let fault = Label().styled("fault").width(characters: 40).hidden()
    private var timeline = ChatTimeline()

    /// The greatest height of the text field in pixels; a longer text scrolls.
    private static let entryHeightMax: Int32 = 130
    /// The greatest width of a conversation in pixels, so that both sides of it are seen at once.
    static var pixelsMax: Int32 { Int32(900 * TextScale.now) }
    /// Whether the text field receives the focus once a loaded room enables it.
    private var isFocusWanted = false
    /// The focus when the text field wanted it; nil if there was none.
    private var focusBefore: KeptFocus?

    /// Creates a view without a room.
    /// - Parameters:
    ///   - thumbnails: the thumbnails of its photos.
    ///   - actions: the actions of other panels for a person.
    init(
        thumbnails: ChatThumbnails, actions: @escaping @MainActor (Key) -> [PanelAction]
    ) {
        list = ChatConversationList(thumbnails: thumbnails)
        header = ChatHeader(actions: actions)
        strip = Box(
            .across, spacing: 8,
            [waiting.expanding(across: true), jump.styled("flat").aligned(.end, .centre)])
        super.init(.down)
        append(header)
        append(list.expanding(across: true, down: true))
        let line = Box(
            .across, spacing: 8,
            [
                photo.aligned(.fill, .end),
                entry.framed(growingUpTo: Self.entryHeightMax).expanding(across: true),
                send.aligned(.fill, .end),
            ])
        let foot: [Widget] = [
            strip.margin(across: 12, down: 0),
            progress.margin(across: 12, down: 4),
            fault.role(.alert).margin(across: 12, down: 0),
            closed.margin(12),
        ]
        append(Clamp(Box(.down, foot), pixelsMax: Self.pixelsMax))
        append(
            Box(.down, [Clamp(line, pixelsMax: Self.pixelsMax)]).styled("chat-entry"))
        connect()
    }

    private func connect() {
        header.onBack = { [weak self] in self?.onWish(.back) }
        header.onMap = { [weak self] in self?.onWish(.map) }
        list.onWish = { [weak self] in self?.onWish($0) }
        list.onMove = { [weak self] in self?.showStrip() }
        jump.onClick { [weak self] in self?.onWish(.newest) }
        entry.onEnter { [weak self] in self?.sendText() }
        send.onClick { [weak self] in self?.sendText() }
        photo.onClick { [weak self] in self?.onWish(.choosePhotos) }
        list.onFilesDropped { [weak self] paths in
            self?.sendPhotos(paths.map { .file(path: $0) })
        }
        entry.onPaste { [weak self] in
            Clipboard.requestPictureWithoutText { [weak self] bytes in
                if let bytes { self?.sendPhotos([.pasted(bytes)]) }
            }
        }
    }

    private func sendPhotos(_ picks: [ChatPhotoPick]) {
        guard photo.isEnabled, !picks.isEmpty else { return }
        onWish(.sendPhotos(picks))
    }

    /// The text that is typed and not sent.
    var draft: String {
        get { entry.text }
        set { entry.text = newValue }
    }

    /// Whether the newest message is in view.
    var isAtEnd: Bool { list.isAtEnd }

    /// Whether the list of rooms is shown in place of the conversation, not beside it.
    var hasBack: Bool {
        get { header.hasBack }
        set { header.hasBack = newValue }
    }

    /// Empties the view for another room.
    func beginRoom() {
        timeline = ChatTimeline()
        isFocusWanted = false
        list.beginRoom()
        entry.isEnabled = false
        send.isEnabled = false
        photo.isEnabled = false
        closed.isVisible = false
        say(nil)
        showStrip()
    }

    /// Shows the loaded part of the room; rows that stay keep their position and focus.
    func show(_ timeline: ChatTimeline, _ people: People, now: Timestamp) {
        self.timeline = timeline
        list.show(timeline, now: now)
        showStrip()
        guard let room = timeline.room else { return }
        header.show(room, presence: PresenceText.line(for: room, people, now: now))
        closed.text = room.reason?.string ?? ""
        closed.isVisible = room.reason != nil
        entry.isEnabled = room.canSend
        send.isEnabled = room.canSend
        photo.isEnabled = room.canSend
        moveWantedFocus()
    }

    /// Shows a room in the header before its messages are loaded.
    func announce(_ room: ChatRoom, _ people: People, now: Timestamp) {
        header.show(room, presence: PresenceText.line(for: room, people, now: now))
    }

    /// Shows presence and days as they are now.
    func update(_ people: People, now: Timestamp) {
        guard let room = timeline.room else { return }
        header.show(room, presence: PresenceText.line(for: room, people, now: now))
    }

    /// Shows the names of the days as they are now.
    func updateDays(now: Timestamp) { list.update(now: now) }

    /// Shows the newest loaded message, and those that are added.
    func goToEnd() { list.goToEnd() }

    /// Moves the keyboard focus to the text field, at once or when the room is loaded.
    func focusEntry() {
        isFocusWanted = timeline.room == nil
        focusBefore = isFocusWanted ? KeptFocus(around: self) : nil
        if !isFocusWanted { entry.grabFocus() }
    }

    /// Moves the keyboard focus to the text field if it waits for it, unless something else, such
    /// as a menu, has taken the focus meanwhile.
    private func moveWantedFocus() {
        guard isFocusWanted else { return }
        isFocusWanted = false
        if isFocusLost || focusBefore?.isCurrent == true { entry.grabFocus() }
        focusBefore = nil
    }

    /// Shows a fault; nil removes it.
    func say(_ sentence: String?) {
        fault.text = sentence.map { "⚠ \($0)" } ?? ""
        fault.isVisible = sentence != nil
    }

    /// Shows how far the sending of photos is; nil removes it.
    func show(progress text: String?) {
        progress.text = text ?? ""
        progress.isVisible = text != nil
    }

    private func showStrip() {
        let text = ChatText.waiting(timeline.waitingCount)
        waiting.text = text ?? ""
        jump.isVisible = timeline.room != nil && list.isScrolledUp
        strip.isVisible = text != nil || jump.isVisible
    }

    private func sendText() {
        let text = entry.text
        guard send.isEnabled, text.contains(where: { !$0.isWhitespace }) else { return }
        entry.text = ""
        onWish(.send(text))
    }
}
