internal import PluginKit

/// The bounds of an inbox item.
enum InboxLimits {
    /// A kind or an action, in bytes of UTF-8.
    static let wordBytesMax = 32
    /// A reference, in bytes of UTF-8.
    static let referenceBytesMax = 128
    /// How many actions an item offers.
    static let actionsCountMax = 4
    /// The title, in characters.
    static let title = TextRule(what: "A title", characters: 1...80)
    /// The body, in characters.
    static let body = TextRule(what: "A body", characters: 1...200)
    /// How many items a list shows, newest first.
    static let listedCountMax = 200
}
