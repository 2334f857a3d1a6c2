internal import ChatAPI
internal import PluginKit

/// The notices of messages on the desktop: one for each room, with its newest message.
extension Chat {
    /// Shows that a room has unread messages, in place of the notice about it before.
    func notify(of room: Room, as subject: InboxSubject) async throws {
        let last = room.last.flatMap { $0.author == context.me ? nil : $0 }
        let (count, title) = (room.unreadCount, room.titleInSentence)
        let summary = last?.summary ?? ""
        var body = summary
        if room.person == nil, let last {
            let name = try await names(in: [room.space]).name(of: last.author, in: room.space)
            body =
                name.map { name in
                    last.photo == nil
                        ? Sentence(verbatim: "\(name): \(last.text)") : "\(name): \(summary)"
                } ?? "Someone without a name: \(summary)"
        }
        let isPair = room.person != nil
        let number = NumberText.grouped(count)
        let from = Sentence(
            count: count, one: "New message from \(title)",
            other: "\(number) new messages from \(title)")
        let inside = Sentence(
            count: count, one: "New message in \(title)",
            other: "\(number) new messages in \(title)")
        let inGroup = Sentence(
            count: count, one: "New message in a group",
            other: "\(number) new messages in a group")
        try await context.desktop.notify(
            DesktopNotice(
                about: subject, from: room.person ?? last?.author,
                title: isPair ? from : inside, body: body, withoutText: isPair ? from : inGroup))
    }
}
