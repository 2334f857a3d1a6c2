import ChatAPI
import Contract
import GtkKit

/// A message that a search found: its text, author, room and time. It shows the message among those
/// around it.
@MainActor
final class ChatHitRow: RowButton {
    private let text = Label().width(characters: 28)
    private let place = Label().styled("hint").width(characters: 28)

    /// Creates a row without a message; `onShow` shows the message among those around it.
    init(onShow: @escaping @MainActor () -> Void) {
        super.init(Box(.down, spacing: 2, [text, place]), onShow)
    }

    /// Shows a found message.
    func show(_ message: MessageInRoom, now: Timestamp) {
        let who = message.isMine ? localized("You") : message.name?.string ?? localized("Someone")
        text.text = ChatText.oneLine(message.text.string, photo: message.photo)
        place.text = localized(
            "\(who) in \(message.room), \(ChatText.brief(message.atMs, now: now))")
        named(localized("Show this message from \(who)")).described("\(text.text). \(place.text)")
    }
}
