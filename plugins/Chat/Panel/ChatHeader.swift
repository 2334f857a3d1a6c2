import ChatAPI
import Contract
import GtkKit
import PanelKit

/// The top of a conversation: whom it is with, where they are, and what can be done about them.
@MainActor
final class ChatHeader: Box {
    /// Called when the list of rooms is wanted.
    var onBack: @MainActor () -> Void = {}
    /// Called when the map is to be shown, or hidden if it is shown.
    var onMap: @MainActor () -> Void = {}

    private let back = Button(icon: "go-previous-symbolic", name: localized("All chats"))
    private let picture = Box(.across)
    private let title = Label().styled("row-title").width(characters: 24)
    private let presence = Label().styled("hint").width(characters: 24)
    private let map = Button(
        icon: "find-location-symbolic", name: localized("Show or hide the map"))
    private let actions: @MainActor (Key) -> [PanelAction]
    private lazy var more = MenuButton { [weak self] in
        guard let self, let person = room?.person else { return [] }
        return actions(person)
    }
    private var avatarKey: String?
    private var room: ChatRoom?

    /// Creates an empty header.
    /// - Parameter actions: the actions of other panels for a person.
    init(actions: @escaping @MainActor (Key) -> [PanelAction]) {
        self.actions = actions
        super.init(.across, spacing: 10)
        styled("chat-header")
        append(back.styled("flat"))
        append(picture)
        let texts = Box(.down, spacing: 2, [title, presence])
        append(texts.expanding(across: true).aligned(.fill, .centre))
        append(map.styled("flat").aligned(.end, .centre))
        append(more.flat().aligned(.end, .centre))
        back.onClick { [weak self] in self?.onBack() }
        map.onClick { [weak self] in self?.onMap() }
    }

    /// Whether the list of rooms is shown in place of the conversation, not beside it.
    var hasBack: Bool {
        get { back.isVisible }
        set { back.isVisible = newValue }
    }

    /// Shows a room, and where its other person is.
    func show(_ room: ChatRoom, presence text: String) {
        presence.text = text
        more.update()
        guard room != self.room else { return }
        self.room = room
        title.text = room.title.string
        if room.avatarKey != avatarKey {
            avatarKey = room.avatarKey
            let avatar = Avatar(key: room.avatarKey, pixels: 36)
            avatar.show(name: room.title.string)
            picture.replaceChildren(with: [avatar])
        }
        more.isVisible = room.person != nil
        more.titled(localized("More for \(room.title)")).update()
    }

    /// Moves the keyboard focus to the button that shows the list of rooms.
    func focusBack() { back.grabFocus() }
}
