import Contract
import MatchingAPI
import PanelKit

/// A review as it is written, before it is sent.
struct ReviewDraft: Equatable, Sendable {
    /// The ticked marks.
    var marks: Set<ReviewMark> = []
    /// The typed text.
    var text = ""

    /// The maximum number of characters of the text.
    static let charactersMax = 300

    /// The number of characters of the text, as the rule counts them, of the admitted number.
    var countText: String {
        localized("\(text.trimmed.count) of \(Self.charactersMax) characters")
    }

    /// The part that is missing or too long; nil if the review can be sent.
    var fault: String? {
        if marks.isEmpty, text.trimmed.isEmpty { return localized("Tick a mark or write a text.") }
        do {
            _ = try checkedText()
            return nil
        } catch { return error.shown(labels: ["text": localized("The text")]) }
    }

    /// The request that sends it.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that the text breaks.
    func request(for person: Key) throws(CommandFault) -> WriteReview {
        WriteReview(
            person: NameOrKey(person),
            mark: marks.isEmpty ? nil : ReviewMark.allCases.filter(marks.contains),
            text: try checkedText())
    }

    private func checkedText() throws(CommandFault) -> ReviewText? {
        text.trimmed.isEmpty ? nil : try ReviewText(text)
    }
}
