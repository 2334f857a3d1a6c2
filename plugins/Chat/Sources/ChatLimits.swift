internal import PluginKit

/// The bounds of the chat.
enum ChatLimits {
    /// The text of a message. Its characters are what a person counts; what a field of a record
    /// holds bounds their bytes too.
    static let text = TextRule(what: "A message", characters: 1...2000, hasLines: true)
    /// What is searched for.
    static let question = TextRule(what: "What is searched for", characters: 1...100)
    /// The title of a room, as it is shown.
    static let title = TextRule(what: "A title", characters: 1...40)
    /// Messages of a page, unless another number is asked for.
    static let pageCount = 50
    /// Messages that a page or an answer to a search may have.
    static let pageCounts = 1...100
    /// Unread messages that are counted; of more it is said that there are so many.
    static let unreadCountMax = 1000
    /// Messages of the time since the node's start that those who follow can still ask for.
    static let arrivalsCountMax = 1000
    /// Messages that are asked for by one read.
    static let askedCountMax = 100
    /// The fewest digits of a key or an id that may stand for it.
    static let digitsMin = 6
}
