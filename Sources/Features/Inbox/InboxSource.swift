internal import PluginKit

/// A feature whose inbox items show the text of the feature's own records instead of the text that
/// is stored with the item. A record's text can be edited and erased.
protocol InboxSource: Sendable {
    /// The kind of its items.
    static var inboxKind: InboxKind { get }
    /// Returns the text of items by their references. An item whose reference is missing is not
    /// shown.
    func inboxTexts(
        of references: Set<String>, names: [PersonID: String]
    ) async throws -> [String: InboxText]
}

/// The text of an inbox item.
struct InboxText {
    let title: Sentence
    /// The text below; nil for the text that was stored with the item.
    let body: Sentence?
    /// Whether the item can still be answered.
    let canAct: Bool
}
