import Contract

/// The subject of an item of the inbox, as its kind and its reference name it.
enum PostItem: Equatable, Sendable {
    /// Comments on a post of the user's.
    case comments(RecordKey)
    /// The request of a person who wants to write to the user about a post.
    case message(Key)
    /// A conversation that has begun.
    case opened

    /// The kind of items about posts.
    static let postsKind = "posts"
    /// The kind of items about messages to authors.
    static let messagesKind = "correspondence"

    /// Reads a kind and a reference; nil if they are none of these.
    init?(_ kind: InboxKind, _ reference: String?) {
        guard let reference else { return nil }
        let word = reference.prefix { $0 != "-" }
        let rest = String(reference.dropFirst(word.count + 1))
        switch (kind.string, word) {
        case (Self.postsKind, "posts"):
            guard let post = try? RecordKey(rest) else { return nil }
            self = .comments(post)
        case (Self.messagesKind, "message"):
            guard let person = try? Key(rest) else { return nil }
            self = .message(person)
        case (Self.messagesKind, "opened"): self = .opened
        default: return nil
        }
    }
}
