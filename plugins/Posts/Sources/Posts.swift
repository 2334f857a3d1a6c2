internal import PostsAPI
public import PluginKit

/// Posts of the neighbourhood: anybody who joined it reads and writes them, comments and likes.
///
/// This actor keeps no state of posts: everything is in the replica.
public actor Posts: Plugin {
    let context: PluginContext
    /// Requests to authors, and the conversations that begin with them.
    nonisolated let correspondences: Correspondences

    /// Creates the plugin with everything it may use.
    public init(context: PluginContext) {
        self.context = context
        correspondences = Correspondences(context: context)
    }

    /// Erases records about posts that are gone, finishes taking back likes, reports comments on
    /// own posts that arrived while the node was down, and then runs the requests to authors until
    /// the node ends. A step that fails, such as on a full disk, does not stop those after it.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        await attempt("Erasing records about posts that are gone") { try await forgetGone() }
        await attempt("Erasing likes that were taken back") { try await settleLikes() }
        await attempt("Reporting comments") { try await tellComments(on: nil) }
        try await correspondences.run()
    }

    /// Performs a step, and logs its failure.
    private func attempt(_ step: String, _ perform: () async throws -> Void) async {
        do {
            try await perform()
        } catch {
            context.logger.warning("\(step) failed: \(error)")
        }
    }

    /// Publishes what changed, and reports comments on own posts.
    public func applied(_ changes: [RecordChange]) async throws {
        await context.events.publish(try await messages(about: changes))
        try await settleLikes(after: changes)
        try await tellComments(after: changes)
        if changes.contains(where: { $0.collection == Correspondences.declined.name }) {
            await correspondences.recordsChanged()
        }
        if changes.contains(where: {
            $0.collection == Self.post.name && $0.author == context.me
        }) {
            try await correspondences.forgetUnwelcome()
        }
    }

    /// Publishes that lists differ, withdraws reports about comments that contain a muted word, and
    /// forgets requests that contain one.
    public func mutedWordsChanged() async throws {
        await publish(PostChange(part: .hidden))
        try await settleMuted()
        try await correspondences.forgetUnwelcome()
    }

    /// Publishes that lists differ, and withdraws reports and requests about posts that are gone.
    public func neighbourhoodsChanged() async throws {
        await publish(PostChange(part: .neighbourhoods))
        try await settleGone()
        try await correspondences.forgetUnwelcome()
    }

    /// Erases a record of mine, unless another device of mine has just erased it.
    func erase(
        _ record: EntityID, of collection: RecordCollection, in space: SpaceDescriptor
    ) async throws {
        do {
            try await context.replica.author(
                [.erase(collection: collection.name, entity: record)], in: space)
        } catch EditFault.unknownEntity {
            // It is gone, as it should be.
        }
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
        draft.name: .drafts, hidden.name: .hidden, settings.name: .settings,
    ]

    /// Returns the posts to which records belong, if the records are here; none if there are too
    /// many records to look up.
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
