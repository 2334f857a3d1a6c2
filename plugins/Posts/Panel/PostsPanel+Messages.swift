import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit
import PostsAPI

// MARK: - Messages to authors

extension PostsPanel {
    func perform(_ action: PostConversation.Action) {
        guard let post = model.opened?.post else { return }
        switch action {
        case .ask: ask(about: post)
        case .openChat: openChat(about: post)
        case .takeBack: end(with: post.author)
        case .accept: accept(post.author)
        case .decline: decline(post.author)
        case .end:
            let name = PostWords.author(post.name, post.suffix, isMine: false)
            context.confirm(
                localized("End the conversation with \(name)?"),
                localized("Neither of you can write any more. The messages stay."),
                button: localized("End the conversation")
            ) { [weak self] in self?.end(with: post.author) }
        }
    }

    private func ask(about post: Post) {
        let sheet = MessageSheet(to: PostWords.author(post.name, post.suffix, isMine: false))
        sheet.onClose = { [context, weak sheet] in sheet.map(context.dismiss) }
        sheet.onSend = { [weak self] text in
            let sent = try await self?.context.node.call(
                PostMessageCommands.message,
                MessageAuthor(id: RecordPrefix(post.id), text: text))
            self?.show(sent)
        }
        context.present(
            sheet,
            onDismiss: { [weak sheet] in
                // The closures hold the sheet.
                sheet?.onSend = { _ in }
            })
        sheet.focusFirst()
    }

    private func openChat(about post: Post) {
        context.obtain(
            PostMessageCommands.message, MessageAuthor(id: RecordPrefix(post.id))
        ) { [weak self] in self?.show($0) }
    }

    private func end(with person: Key) {
        context.perform(PostMessageCommands.end, NamePostPerson(person: NameOrKey(person))) {
            [weak self] _ in self?.model.queries.askAgain([.messages])
        }
    }

    /// The answers to a person who asks to write to the user.
    func answers(toRequestBy person: Key) -> [PanelAction] {
        guard model.messages.contains(where: { $0.person == person && $0.state == .asking })
        else { return [] }
        return [
            PanelAction(PostConversation.Action.decline.title) { [weak self] in
                self?.decline(person)
            },
            PanelAction(PostConversation.Action.accept.title, isSuggested: true) { [weak self] in
                self?.accept(person)
            },
        ]
    }

    /// A button that opens the chat of a conversation.
    func chat(with person: Key) -> [PanelAction] {
        guard let message = model.messages.first(where: { $0.person == person }),
            message.room != nil
        else { return [] }
        return [
            PanelAction(PostConversation.Action.openChat.title) { [weak self] in
                self?.show(message)
            }
        ]
    }

    /// Opens the post about which a person asks.
    func openPost(ofRequestBy person: Key) {
        guard let post = model.messages.first(where: { $0.person == person })?.post else { return }
        open(post)
    }

    private func decline(_ person: Key) {
        context.perform(PostMessageCommands.decline, NamePostPerson(person: NameOrKey(person))) {
            [weak self] _ in self?.model.queries.askAgain([.messages])
        }
    }

    private func accept(_ person: Key) {
        context.obtain(PostMessageCommands.accept, NamePostPerson(person: NameOrKey(person))) {
            [weak self] in self?.show($0)
        }
    }

    /// Opens the chat of a conversation that is open, else shows how far it is.
    private func show(_ message: PostMessage?) {
        model.queries.askAgain([.messages])
        guard let room = message?.room else { return }
        context.actions(for: .room(room)).first?.perform()
    }
}
