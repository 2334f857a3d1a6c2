public import Contract

/// The commands of messages to the authors of posts.
///
/// ```swift
/// let sent = try await node.call(
///     PostMessageCommands.message, .init(id: RecordPrefix(post.id), text: Text("Is it free?")))
/// if let room = sent.room { open(room) }
/// ```
public enum PostMessageCommands {
    /// Asks the author of a post to write to each other.
    public static let message = Command<MessageAuthor, PostMessage>(
        .action, "posts", "message",
        help: "Asks the author of a post whether the two of you can write to each other. It "
            + "reaches them when their device is near, within 7 days. If you are mates, or write "
            + "to each other already, it answers with your chat instead.",
        topics: [
            .example(
                .people, command: "waggle posts message 3fa2c1 --text Hello",
                effect: "asks the author for a chat"),
            .text(
                .privacy,
                "A message to an author shows them your nickname and key at once."),
        ])
    /// Lists requests and open conversations.
    public static let messages = Command<NoParameters, PostMessages>(
        .query, "posts", "messages",
        help: "Lists the conversations about posts: those you asked for, those others ask you "
            + "for, and the open ones.",
        follows: [PostEvents.changed.declaration])
    /// Accepts a person's request.
    public static let accept = Command<NamePostPerson, PostMessage>(
        .action, "posts", "accept",
        help: "Accepts a request to write to each other, which opens a chat of the two of you.")
    /// Declines a person's request.
    public static let decline = Command<NamePostPerson, Done>(
        .action, "posts", "decline",
        help: "Declines a request to write to each other. The other person is not told.")
    /// Ends a conversation, or takes a request back.
    public static let end = Command<NamePostPerson, Done>(
        .action, "posts", "end",
        help: "Ends a conversation about a post, or takes your request back. The messages stay.")

    /// The time for which a request waits.
    public static let waitMax = Duration.seconds(7 * 24 * 60 * 60)
    /// The maximum number of requests of mine that wait, one for each author.
    public static let requestsCountMax = 20
    /// The maximum number of people whose requests wait for my answer.
    public static let askedCountMax = 32
}

/// The text of a request to an author.
public typealias PostMessageText = Text<1, 100>

/// The request of `posts message`.
public struct MessageAuthor: CommandRequest {
    /// The post's id; its first six digits are enough.
    public var id: RecordPrefix
    /// The text. It is not needed for a person with whom I have a chat.
    public var text: PostMessageText?

    /// Asks the author of a post.
    public init(id: RecordPrefix, text: PostMessageText? = nil) {
        self.id = id
        self.text = text
    }

    /// The help of each property.
    public static let help = [
        "id": "The post's id; six digits are enough.",
        "text": "One line of 1 to 100 characters, which the author reads before they answer.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `posts accept`, `decline` and `end`.
public struct NamePostPerson: CommandRequest {
    /// The person.
    public var person: NameOrKey

    /// Names a person.
    public init(person: NameOrKey) { self.person = person }

    /// The help of each property.
    public static let help = [
        "person": "A person of 'posts messages': their name, or six digits of their key."
    ]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The answer of `posts messages`.
public struct PostMessages: Codable, Hashable, Sendable {
    /// One entry for each person, the newest first.
    public var messages: [PostMessage]

    /// Creates the value.
    public init(messages: [PostMessage]) { self.messages = messages }
}

/// A request or a conversation about a post.
public struct PostMessage: Codable, Hashable, Sendable {
    /// A step of a conversation. A state that a newer node adds is read as ``unknown``.
    public enum State: String, OpenChoice {
        /// I asked. Whether the other person declined is not known.
        case waiting
        /// The other person asks me.
        case asking
        /// I accepted; the chat opens when the other person's device is linked.
        case accepted
        /// The two write to each other.
        case open
        /// The person is a mate, so there is a chat without a request.
        case mate
        case unknown
    }

    /// The other person.
    public var person: Key
    /// The first digits of the person's key.
    public var suffix: KeySuffix
    /// The person's name, as far as it is known.
    public var name: PersonName?
    /// The step that it has reached.
    public var state: State
    /// The post, unless this device does not know which one it is.
    public var post: RecordKey?
    /// The post's title, if the post is here.
    public var title: PostTitle.Shown?
    /// The text of the request.
    public var text: PostMessageText.Shown?
    /// The time of the request, or of the acceptance; absent for a mate.
    public var atMs: Timestamp?
    /// The time until which it waits.
    public var untilMs: Timestamp?
    /// The chat, if the two can write to each other.
    public var room: Key?
    /// A sentence about what it waits for.
    public var note: ShownSentence?

    /// Creates the value.
    public init(
        person: Key, name: String? = nil, state: State, post: RecordKey? = nil,
        title: String? = nil, text: String? = nil, atMs: Timestamp? = nil,
        untilMs: Timestamp? = nil, room: Key? = nil, note: Sentence? = nil
    ) {
        self.person = person
        suffix = KeySuffix(person)
        self.name = name.map(PersonName.init(clipping:))
        self.state = state
        self.post = post
        self.title = title.map(PostTitle.Shown.init(clipping:))
        self.text = text.map(PostMessageText.Shown.init(clipping:))
        self.atMs = atMs
        self.untilMs = untilMs
        self.room = room
        self.note = note.map(ShownSentence.init(_:))
    }
}

extension PostMessage: DetailMembers {
    /// Members that a list can do without.
    public static let detailMembers = ["person", "post", "untilMs", "room"]
}
