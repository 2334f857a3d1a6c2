import Contract
import MatchingAPI
import PanelKit

/// The wishes as they are typed, before they are saved.
struct WishDraft: Equatable, Sendable {
    /// The typed text.
    var text: String

    /// Begins with the wishes of the user.
    init(_ wishes: [String] = []) { text = wishes.joined(separator: " ") }

    /// Begins with a typed text.
    init(typed text: String) { self.text = text }

    /// The wishes.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that they break.
    func list() throws(CommandFault) -> WishList { try WishList(typed: text) }

    /// The rule that the text breaks; nil if it can be saved.
    var fault: String? {
        do {
            _ = try list()
            return nil
        } catch { return error.shown(labels: ["wish": localized("A wish")]) }
    }

    /// Whether saving would change these wishes.
    func differs(from wishes: [String]) -> Bool {
        guard let list = try? list() else { return true }
        return list.wishes != wishes
    }

    /// Adds a wish after the others, or removes it if it is there.
    mutating func toggle(_ wish: String) {
        let folded = WishList.folded(wish)
        let typed = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let others = typed.filter { WishList.folded($0) != folded }
        text = (others.count < typed.count ? others : typed + [wish]).joined(separator: " ")
    }
}
