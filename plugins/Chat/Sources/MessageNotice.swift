internal import ChatAPI
internal import PluginKit

/// The notices of messages on the desktop: one for each room, with its newest message.
extension Chat {
    /// Shows that a room has unread messages, in place of the notice about it before.
    func notify(of room: Room, as subject: InboxSubject) async throws {
        let last = room.last.flatMap { $0.author == context.me ? nil : $0 }
        let count = Sentence(
            count: room.unreadCount, one: "New message", other: "\(room.unreadCount) new messages")
        var body = Sentence(verbatim: last?.text ?? "")
        if room.person == nil, let author = last?.author {
            let names = try await names(in: [room.space])
            let name = names.name(of: author, in: room.space) ?? author.suffix
            body = Sentence(verbatim: "\(name): \(last?.text ?? "")")
        }
        let isPair = room.person != nil
        try await context.desktop.notify(
            DesktopNotice(
                about: subject, from: room.person ?? last?.author,
                title: isPair ? "\(count) from \(room.title)" : "\(count) in \(room.title)",
                body: body,
                withoutText: isPair ? "\(count) from \(room.title)" : "\(count) in a group"))
    }
}
