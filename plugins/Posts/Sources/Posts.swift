internal import PostsAPI
public import PluginKit

/// Posts of the neighbourhood: anybody who joined it reads and writes them, comments and likes.
///
/// Everything is in the replica. This actor holds nothing that a start could not read again.
public actor Posts: Plugin {
    let context: PluginContext
    /// Requests to authors, and the conversations that begin with them.
    nonisolated let correspondences: Correspondences

    /// Creates the plugin with everything it may use.
    public init(context: PluginContext) {
        self.context = context
        correspondences = Correspondences(context: context)
    }

    /// Forgets records about posts that are gone, shows comments on own posts that arrived while
    /// the node was down, and then lets requests to authors wait and lapse.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        try await forgetGone()
        try await tellComments(on: nil)
        try await correspondences.run()
    }

    /// Publishes what changed, and reports comments on own posts.
    public func applied(_ changes: [RecordChange]) async throws {
        await context.events.publish(try await messages(about: changes))
        try await tellComments(after: changes)
        if changes.contains(where: { $0.collection == Correspondences.declined.name }) {
            await correspondences.recordsChanged()
        }
        if changes.contains(where: {
            $0.collection == Self.muted.name
                || $0.collection == Self.post.name && $0.author == context.me
        }) {
            try await correspondences.forgetUnwelcome()
        }
    }

    /// Publishes that lists differ, and withdraws what is about posts that are gone.
    public func neighbourhoodsChanged() async throws {
        await publish(PostChange(part: .neighbourhoods))
        try await settleGone()
        try await correspondences.forgetUnwelcome()
    }

    /// Publishes a change.
    func publish(_ change: PostChange) async {
        await context.events.publish(PostEvents.changed, change)
    }

    /// Returns the events about changes: one for each part, with the post if it is only one.
    private func messages(about changes: [RecordChange]) async throws -> [EventMessage] {
        var found: [(part: PostChange.Part, post: RecordKey?)] = []
        for (name, group) in Dictionary(grouping: changes, by: \.collection) {
            guard let part = Self.parts[name] else { continue }
            let posts = try await posts(of: group.map(\.entity), in: name)
            found.append((part, posts.count == 1 ? posts.first.map { RecordKey($0) } : nil))
        }
        // Likes and views are one part; two different posts are several.
        return Dictionary(grouping: found, by: \.part)
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .map { part, entries in
                let posts = Set(entries.map(\.post))
                let change = PostChange(
                    part: part, post: posts.count == 1 ? posts.first ?? nil : nil)
                return EventMessage(PostEvents.changed, change)
            }
    }

    private static let parts: [String: PostChange.Part] = [
        post.name: .posts, photo.name: .photos, comment.name: .comments, like.name: .counts,
        view.name: .counts,
        draft.name: .drafts, hidden.name: .hidden, muted.name: .hidden, settings.name: .settings,
    ]

    /// Returns the posts to which records belong, as far as the records are here; none if they are
    /// too many to ask.
    private func posts(of entities: [EntityID], in collection: String) async throws -> Set<EntityID>
    {
        let entities = Set(entities)
        if collection == Self.post.name { return entities }
        let table = [Self.photo, Self.comment, Self.like, Self.view].first {
            $0.name == collection
        }?.table
        guard let table, entities.count <= PostLimits.askedCountMax else { return [] }
        let rows = try await context.replica.rows(
            """
            SELECT DISTINCT c.post AS post FROM waggle_space s
            CROSS JOIN \(table) c ON c.space = s.space
                AND c.entity IN (\(entities.map { _ in "?" }.joined(separator: ", ")))
            WHERE s.kind = 'open'
            """, entities.map { .bytes($0.bytes) })
        // A record that is gone belonged to some post.
        return rows.count == 1 && entities.count > 1
            ? [] : Set(rows.compactMap { $0.entity("post") })
    }
}
