import Contract
import PanelKit
import PostsAPI

/// A request to an author as it is typed.
struct PostMessageDraft: Equatable, Sendable {
    /// The typed text.
    var text = ""

    /// The maximum number of characters.
    static var charactersMax: Int { PostMessageText.rule.characters.upperBound }

    /// The number of characters, of the admitted number.
    var countText: String {
        localized("\(text.trimmed.count) of \(Self.charactersMax) characters")
    }

    /// The part that is missing or too long; nil if it can be sent.
    var fault: String? {
        if text.trimmed.isEmpty { return localized("Type what you want to ask.") }
        do {
            _ = try checked()
            return nil
        } catch { return error.shown(labels: ["text": localized("The text")]) }
    }

    /// The text for the request.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that it breaks.
    func checked() throws(CommandFault) -> PostMessageText { try PostMessageText(text) }
}
