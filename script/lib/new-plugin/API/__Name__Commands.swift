public import Contract

/// The text of an entry.
public typealias EntryText = Text<1, 100>

/// The commands of __name__.
public enum __Name__Commands {
    /// Adds an entry.
    public static let add = Command<Add__Name__, __Name__Entry>(
        .action, "__name__", "add", help: "Adds an entry.")
    /// Lists the entries.
    public static let list = Command<NoParameters, __Name__List>(
        .query, "__name__", "list", help: "Lists the entries, newest first.")
}

/// The events of __name__.
public enum __Name__Events {
    /// An entry was added.
    public static let changed = Event<__Name__Change>("__name__", help: "An entry was added.")
}

/// The body of ``__Name__Events/changed``.
public struct __Name__Change: EventBody {
    /// The entry's id; nil if any may have changed.
    public var id: RecordKey?

    /// Names an entry.
    public init(id: RecordKey? = nil) { self.id = id }
}

/// The request of `__name__ add`.
public struct Add__Name__: CommandRequest {
    /// The entry's text.
    public var text: EntryText

    /// Adds an entry with a text.
    public init(text: EntryText) { self.text = text }

    /// The help of each property.
    public static let help = ["text": "The text of the entry, 1 to 100 characters."]
    /// The properties read by position.
    public static let positional = ["text"]
}

/// One entry.
public struct __Name__Entry: Codable, Hashable, Sendable {
    /// Its id.
    public var id: RecordKey
    /// Its text.
    public var text: EntryText.Shown
    /// When it was added.
    public var atMs: Timestamp

    /// Creates an entry.
    public init(id: RecordKey, text: String, atMs: Timestamp) {
        self.id = id
        self.text = EntryText.Shown(clipping: text)
        self.atMs = atMs
    }
}

/// The answer of `__name__ list`.
public struct __Name__List: Codable, Hashable, Sendable {
    /// The newest first.
    public var entries: [__Name__Entry]

    /// Lists entries.
    public init(entries: [__Name__Entry]) { self.entries = entries }
}
