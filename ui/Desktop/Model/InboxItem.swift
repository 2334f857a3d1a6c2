/// Something the user was told and has not dealt with yet.
struct InboxItem: Decodable, Equatable, Sendable {
    var id: String
    var kind: String
    var title: String
    var body: String
    /// Milliseconds since 1970.
    var atMs: Int64
    var handled: Bool
    /// The id of what the item speaks of, such as a walk request.
    var ref: String?
}

/// What "inbox list" answers.
struct Inbox: Decodable, Equatable, Sendable {
    var items: [InboxItem]
}
