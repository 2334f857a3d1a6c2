public import Contract

/// A word that this person mutes, or several that follow each other.
public typealias MutedWord = Text<1, 30>

/// The commands of muted words. Texts of others that contain one are not shown to this person.
///
/// ```swift
/// let muted = try await node.call(
///     MutedWordCommands.add, NameMutedWord(word: try MutedWord("casino")))
/// print(muted.words.map(\.string))
/// ```
public enum MutedWordCommands {
    /// Lists muted words.
    public static let list = Command<NoParameters, MutedWordList>(
        .query, "muted", "list", help: "Lists the words that you muted.",
        follows: [MutedWordEvents.changed.declaration])
    /// Mutes a word.
    public static let add = Command<NameMutedWord, MutedWordList>(
        .action, "muted", "add",
        help: "Hides posts, comments, nicknames, wishes and reviews that contain a word.",
        topics: [
            .example(
                .people, command: "waggle muted add casino",
                effect: "hides what others wrote that contains this word")
        ])
    /// Ends the muting of a word.
    public static let remove = Command<NameMutedWord, MutedWordList>(
        .action, "muted", "remove", help: "Stops muting a word.")

    /// The maximum number of muted words.
    public static let countMax = 100
}

/// The event of muted words.
public enum MutedWordEvents {
    /// A word was muted, or is no longer muted, on any device of this person.
    public static let changed = Event<MutedWordChange>(
        "muted", help: "You muted or unmuted a word.")
}

/// The body of ``MutedWordEvents/changed``.
public struct MutedWordChange: EventBody {
    /// Creates the value.
    public init() {}

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? { "Your muted words changed." }
}

/// The request of `muted add` and `muted remove`.
public struct NameMutedWord: CommandRequest {
    /// The word, or several that follow each other.
    public var word: MutedWord

    /// Names a word.
    public init(word: MutedWord) { self.word = word }

    /// The help of each property.
    public static let help = [
        "word": "1 to 30 characters; capitals and small letters are the same."
    ]
    /// The properties read by position.
    public static let positional = ["word"]
}

/// The answer of each command of muted words.
public struct MutedWordList: Codable, Hashable, Sendable {
    /// The words, in the order of the alphabet.
    public var words: [MutedWord.Shown]

    /// Creates the value.
    public init(words: [String]) { self.words = words.map(MutedWord.Shown.init(clipping:)) }
}
