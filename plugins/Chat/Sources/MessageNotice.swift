internal import ChatAPI
internal import PluginKit

/// The notices of messages on the desktop: one for each room, with its newest message.
extension Chat {
    /// Shows that a room has unread messages, in place of the notice about it before.
    func notify(of room: Room, as subject: InboxSubject) async throws {
        let last = room.last.flatMap { $0.author == context.me ? nil : $0 }
        let (count, title) = (room.unreadCount, room.titleInSentence)
        var body = Sentence(verbatim: last?.text ?? "")
        if room.person == nil, let author = last?.author {
            let names = try await names(in: [room.space])
            let text = last?.text ?? ""
            body =
                names.name(of: author, in: room.space).map { Sentence(verbatim: "\($0): \(text)") }
                ?? "Someone without a name: \(text)"
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
