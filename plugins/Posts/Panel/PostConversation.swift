import Contract
import PanelKit
import PostsAPI

/// The user's conversation with the author of the open post, at one moment.
struct PostConversation: Equatable, Sendable {
    /// An action about the author.
    enum Action: Equatable, Sendable {
        case ask, takeBack, decline, accept, openChat, end

        /// The text of the button.
        var title: String {
            switch self {
            case .ask: localized("Message the author…")
            case .takeBack: localized("Take the request back")
            case .decline: localized("Decline")
            case .accept: localized("Accept")
            case .openChat: localized("Open the chat")
            case .end: localized("End the conversation…")
            }
        }
    }

    /// The state in a sentence; nil if nothing is between the two.
    var note: String?
    /// The buttons, from the safe one to the one that most users want.
    var actions: [Action]

    /// The conversation with an author.
    /// - Parameters:
    ///   - message: the request or conversation with the author; nil if there is none.
    ///   - isMate: whether the author is a mate, with whom there is a chat.
    init(_ message: PostMessage?, isMate: Bool) {
        note = message?.note?.string
        switch message?.state {
        case .waiting: actions = [.takeBack]
        case .asking:
            actions = [.decline, .accept]
            note =
                message?.text.flatMap { PostMessageText.rule.clip($0.string) }
                .map { localized("They ask you: “\($0)”") } ?? localized("They ask you.")
        case .accepted: actions = []
        case .open: actions = [.end, .openChat]
        case .mate: actions = [.openChat]
        case .unknown, nil: actions = isMate ? [.openChat] : [.ask]
        }
    }
}
