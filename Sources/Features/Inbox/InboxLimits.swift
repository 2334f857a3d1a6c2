internal import FeaturesAPI
internal import PluginKit

/// The bounds of an inbox item.
enum InboxLimits {
    /// An action, in bytes of UTF-8.
    static let wordBytesMax = InboxList.Item.Action.max
    /// A reference, in bytes of UTF-8.
    static let referenceBytesMax = InboxList.Item.Reference.max
    /// An occasion, in bytes of UTF-8.
    static let occasionBytesMax = 64
    /// The number of postings of one item.
    static let postingMax: Int64 = 1 << 40
    /// The number of open items whose truth this device remembers.
    static let foundCountMax = 4096
    /// The number of actions that an item offers.
    static let actionsCountMax = 4
    /// The title, in characters.
    static let title = TextRule(characters: 1...InboxList.Item.Title.max)
    /// The body, in characters.
    static let body = TextRule(characters: 1...InboxList.Item.Body.max)
    /// The title and the body as sentences in JSON, in bytes.
    static let sentencesBytesMax = 4096
    /// The number of items that are shown without being stored; a new one replaces the oldest.
    static let shownCountMax = 16
    /// The number of one person's items that wait in memory until they may be stored; the oldest is
    /// dropped for a new one. See ``CausedWrites``.
    static let waitingPerPersonMax = 48
    /// The number of all items that wait in memory.
    static let waitingCountMax = 512
    /// The bytes of the waiting items that one batch stores.
    static let storedTogetherBytesMax = 40 * 1024
    /// The bytes of an item in a batch besides its title, body and sentences.
    static let fieldsBytesMax = 1024
    /// The number of items that a list shows, newest first.
    static let listedCountMax = 200
}
