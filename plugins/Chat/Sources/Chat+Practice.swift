internal import ChatAPI
public import PluginKit

extension Chat {
    /// The most messages of the user that are erased at the end of a practice.
    private static let practiceErasedCountMax = 1000

    /// The practice mate answers messages. At the end, those of the user to it are erased.
    public static var practice: PracticePart? {
        PracticePart { mate in
            for room in try await mate.node.call(ChatCommands.rooms).rooms
            where room.unread.value > 0 && room.canSend {
                try await Self.answer(in: room, as: mate)
            }
        } erase: { yours, mate in
            var before: Cursor?
            var erasedCount = 0
            repeat {
                let page = try await yours.call(
                    ChatCommands.page, ShowPage(room: NameOrKey(mate), before: before))
                for message in page.messages where message.isMine {
                    try await yours.call(
                        ChatCommands.delete,
                        DeleteMessage(id: RecordPrefix(message.id), forEveryone: true))
                    erasedCount += 1
                }
                before = page.before
            } while before != nil && erasedCount < Self.practiceErasedCountMax
        }
    }

    private static func answer(in room: ChatRoom, as mate: any PracticePlayer) async throws {
        let matter = "room \(room.id.string)"
        guard await mate.hasThought(about: matter) else { return }
        await mate.forget(matter)
        let name = NameOrKey(room.id)
        let page = try await mate.node.call(ChatCommands.open, OpenRoom(room: name))
        guard let last = page.messages.last, !last.isMine else { return }
        let text = last.text.string.prefix(100)
        let echo = last.photo == nil ? "You wrote: “\(text)”" : "You sent a photo."
        try await mate.node.call(
            ChatCommands.send,
            SendMessage(
                room: name,
                text: MessageText("Woof! I am a practice mate. \(echo)")))
    }
}
