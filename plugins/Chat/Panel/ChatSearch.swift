import ChatAPI
import Contract
import ControlAPI
import PanelKit

/// The search of all messages, whose answers the list of rooms shows.
@MainActor
final class ChatSearch {
    /// The text of the latest search.
    private var wanted = ""
    private let context: PanelContext
    private let view: ChatRoomsView
    private let hidden: HiddenMessages

    /// Creates a search whose answers this view shows, without the messages that are hidden.
    init(_ context: PanelContext, in view: ChatRoomsView, without hidden: HiddenMessages) {
        self.context = context
        self.view = view
        self.hidden = hidden
    }

    /// Searches for the messages that contain these words.
    func search(_ text: String) {
        guard text != wanted else { return }
        wanted = text
        searchAgain()
    }

    /// Shows the messages that contain the words now.
    func searchAgain() {
        let text = wanted
        guard text.contains(where: { !$0.isWhitespace }) else {
            return view.show(FoundMessages?.none, now: context.clock.nodeTime)
        }
        Task { [weak self, context] in
            let found = try? await context.node.call(
                ChatCommands.search, SearchMessages(text: SearchText(text)))
            self?.show(found?.messages ?? [], of: text)
        }
    }

    /// Shows the messages that were found, if nothing else was searched for meanwhile.
    private func show(_ found: [MessageInRoom], of text: String) {
        guard wanted == text else { return }
        view.show(
            FoundMessages(messages: found.filter { !hidden.ids.contains($0.id) }),
            now: context.clock.nodeTime)
    }
}
