public import Contract

/// The commands of the inbox.
///
/// ```swift
/// for item in try await node.call(InboxCommands.list).items where item.kind == "wave" {
///     _ = try await node.call(InboxCommands.handle, InboxReference(id: RecordPrefix(item.id)))
/// }
/// ```
public enum InboxCommands {
    /// Lists the items, the newest first.
    public static let list = Command<NoParameters, InboxList>(
        .query, "inbox", "list", help: "Lists the items of the inbox, newest first.")
    /// Marks an item as handled.
    public static let handle = Command<InboxReference, Done>(
        .action, "inbox", "handle", aliases: ["dismiss"], help: "Marks an item as handled.")
}

/// An inbox item, named by its id.
public struct InboxReference: CommandRequest {
    /// The item's id; its first six digits are enough.
    public var id: RecordPrefix

    /// Creates the value.
    public init(id: RecordPrefix) {
        self.id = id
    }

    /// The help of each property.
    public static let help = ["id": "The id; six digits are enough."]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The answer of `inbox list`.
public struct InboxList: Codable, Hashable, Sendable {
    /// The items, the newest first.
    public var items: [Item]

    /// Creates the value.
    public init(items: [Item]) {
        self.items = items
    }

    /// One item.
    public struct Item: Codable, Hashable, Sendable {
        /// A first line.
        public typealias Title = LimitedSentence<80>
        /// A text below a title.
        public typealias Body = LimitedSentence<200>
        /// The verb of a command.
        public typealias Action = ShownText<32>
        /// An id that commands expect.
        public typealias Reference = ShownText<128>

        /// The item's id, 32 hexadecimal digits.
        public var id: RecordKey
        /// The feature that it belongs to, as in `walk`.
        public var kind: InboxKind
        /// The first line.
        public var title: Title
        /// The text below the title.
        public var body: Body
        /// The time at which it was put into the inbox.
        public var atMs: Timestamp
        /// Whether the item was marked as handled.
        public var handled: Bool
        /// The verbs of the feature's commands that answer it.
        public var actions: [Action]
        /// The id that these commands expect.
        public var ref: Reference?
        /// The person that it comes from, if there is one.
        public var person: Key?

        /// Creates the value.
        public init(
            id: RecordKey, kind: InboxKind, title: Sentence, body: Sentence, atMs: Timestamp,
            handled: Bool, actions: [String], ref: String? = nil, person: Key? = nil
        ) {
            self.id = id
            self.kind = kind
            self.title = Title(title)
            self.body = Body(body)
            self.atMs = atMs
            self.handled = handled
            self.actions = actions.map(Action.init(clipping:))
            self.ref = ref.map(Reference.init(clipping:))
            self.person = person
        }
    }
}

extension InboxList.Item: DetailMembers {
    /// Whether it was handled, since such an item has no actions, and the person in its title.
    public static let detailMembers = ["handled", "person"]
}
