internal import PluginKit
internal import PostsAPI

/// A draft as it is stored.
struct StoredDraft: Hashable, Sendable {
    let id: EntityID
    let neighbourhood: SpaceID?
    let category: PostCategory?
    let title: String
    let text: String
    let location: Point?
    let precision: PostPrecision
    let at: Timestamp

    /// Reads a row of `posts_draft`.
    init?(_ row: Row) {
        guard let id = row.entity("entity") else { return nil }
        self.id = id
        neighbourhood = row.bytes("neighbourhood").flatMap { SpaceID(bytes: $0) }
        category = row.text("category").flatMap(PostCategory.init)
        title = row.text("title") ?? ""
        text = row.text("text") ?? ""
        location = row.point
        precision = row.isTrue("is_exact") ? .exact : .rounded
        at = row.integer("at_ms").flatMap { Timestamp(exactly: $0) } ?? .min
    }

    /// The draft as answers have it.
    var answer: SavedPostDraft {
        SavedPostDraft(
            id: RecordKey(id), space: neighbourhood.map { Key($0) }, category: category,
            title: title, text: text, location: location.map(PostLocation.init),
            precision: precision, atMs: at)
    }
}

/// Drafts, which only this person's own devices have.
extension Posts {
    /// Answers `posts drafts`.
    func drafts() async throws -> PostDrafts {
        PostDrafts(drafts: try await storedDrafts().map(\.answer))
    }

    /// Performs `posts draft`.
    func save(_ request: SavePostDraft) async throws -> SavedPostDraft {
        let reader = try await reader()
        let location = try Self.point(request.latitude, request.longitude)
        let space = try request.neighbourhood.map { try neighbourhood($0, reader).space.id }
        let fields: [String: Value] = [
            "neighbourhood": space.map { .bytes($0.bytes) } ?? .null,
            "category": request.category.map { .text($0.rawValue) } ?? .null,
            "title": .text(request.title?.string ?? ""),
            "text": .text(request.text?.string ?? ""),
            "latitude": location.map { .real($0.latitude) } ?? .null,
            "longitude": location.map { .real($0.longitude) } ?? .null,
            "is_exact": .boolean(request.precision == .exact),
            "at_ms": .integer(context.clock.wallTime.milliseconds),
        ]
        if let named = request.draft {
            let id = try await findDraft(named).id
            try await context.replica.author(
                [.set(collection: Self.draft.name, entity: id, fields: fields)],
                in: .own(context.me))
            return try await findDraft(RecordPrefix(RecordKey(id))).answer
        }
        guard try await storedDrafts().count < PostCommands.draftsCountMax else {
            throw CommandFault.refused(
                "You have \(PostCommands.draftsCountMax) drafts; delete one first.")
        }
        let ids = try await context.replica.author(
            [
                .create(
                    collection: Self.draft.name, nonce: context.random.nonce(),
                    fields: fields.filter { $0.value != .null })
            ], in: .own(context.me))
        guard let id = ids.first else {
            throw CommandFault.failed("The draft was not stored; try again.")
        }
        return try await findDraft(RecordPrefix(RecordKey(id))).answer
    }

    /// Performs `posts discard`.
    func discard(_ request: NamePostDraft) async throws -> Done {
        try await erase(try await findDraft(request.draft))
        return Done()
    }

    /// Deletes a draft.
    func erase(_ draft: StoredDraft) async throws {
        try await context.replica.author(
            [.erase(collection: Self.draft.name, entity: draft.id)], in: .own(context.me))
    }

    /// Finds the draft that a command names.
    func findDraft(_ wanted: RecordPrefix) async throws -> StoredDraft {
        let ids = wanted.entities
        return try wanted.onlyMatch(
            in: try await storedDrafts().filter { ids.contains($0.id) }, of: "draft",
            listedBy: "posts drafts")
    }

    private func storedDrafts() async throws -> [StoredDraft] {
        try await context.replica.rows(
            "SELECT * FROM posts_draft ORDER BY at_ms DESC, entity DESC"
        ).compactMap(StoredDraft.init)
    }
}
