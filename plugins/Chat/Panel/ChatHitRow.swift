import ChatAPI
import Contract
import GtkKit

/// A message that a search found: its text, author, room and time. It shows the message among those
/// around it.
@MainActor
final class ChatHitRow: RowButton {
    /// The id of the message.
    let id: RecordKey

    /// Creates a row for a found message.
    init(_ message: MessageInRoom, now: Timestamp, onShow: @escaping @MainActor () -> Void) {
        id = message.id
        let who = message.isMine ? localized("You") : message.name?.string ?? localized("Someone")
        let place = localized(
            "\(who) in \(message.room), \(ChatText.brief(message.atMs, now: now))")
        let text = ChatText.oneLine(ChatText.shown(message.text.string))
        super.init(
            Box(
                .down, spacing: 2,
                [
                    Label(text).width(characters: 28),
                    Label(place).styled("hint").width(characters: 28),
                ]), onShow)
        named(localized("Show this message of \(who)")).described("\(text). \(place)")
    }
}
