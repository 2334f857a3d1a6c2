internal import ChatAPI
internal import PluginKit

/// The notices of messages on the desktop: one for each room, with its newest message.
extension Chat {
    /// Shows that a room has unread messages, in place of the notice about it before.
    func notify(of room: Room, as subject: InboxSubject) async throws {
        let last = room.last.flatMap { $0.author == context.me ? nil : $0 }
        let count = room.unreadCount == 1 ? "New message" : "\(room.unreadCount) new messages"
        var body = last?.text ?? ""
        if room.person == nil, let author = last?.author {
            let names = try await names(in: [room.space])
            body = "\(names.name(of: author, in: room.space) ?? author.suffix): \(body)"
        }
        let isPair = room.person != nil
        try await context.desktop.notify(
            DesktopNotice(
                about: subject, from: room.person ?? last?.author,
                title: "\(count) \(isPair ? "from" : "in") \(room.title)", body: body,
                withoutText: isPair ? "\(count) from \(room.title)" : "\(count) in a group"))
    }
}
