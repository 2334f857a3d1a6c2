internal import MatchingAPI
internal import PluginKit

/// The one place through which texts of other people pass before they are kept: nicknames, wishes
/// and reviews. What contains a muted word is kept, since a word can be unmuted; answers leave it
/// out by ``MutedWords``.
enum TextsOfOthers {
    /// Returns a nickname cut to its limits; nil if nothing is left.
    static func nickname(_ text: String?) -> String? { text.flatMap(TextRule.nickname.clip) }

    /// Returns the wishes that keep the rules, each once.
    static func wishes(_ texts: [String]) -> [String] {
        let wishes = texts.compactMap { try? WishList(typed: $0).wishes }
        // A text with a space in it is more than one wish.
        let single = wishes.filter { $0.count == 1 }.flatMap { $0 }
        return (try? WishList(typed: single.joined(separator: " ")).wishes) ?? []
    }

    /// Returns the text of a review cut to its limits; nil if nothing is left.
    static func review(_ text: String) -> String? { ReviewText.rule.clip(text) }
}
