import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// A plugin that lists recorded walks, as the walk log does.
struct Walker: Plugin {
    static let manifest = Manifest(
        id: "walker", version: 1,
        views: [
            Manifest.View(
                "walker_walks",
                """
                SELECT x'11111111111111111111111111111111' AS walk, 1 AS started_ms,
                    1800500 AS elapsed_ms, 2100.5 AS distance_m
                """)
        ], shares: [.walks: "walker_walks"])
    init(context: PluginContext) {}
}

extension TestNetwork {
    /// Creates people in a chain, each linked with the next one, who joined a neighbourhood.
    func town(_ names: String..., joining place: String? = "Seongsu") async throws -> [TestHost] {
        var people: [TestHost] = []
        for (index, name) in names.enumerated() {
            let host = try await host(
                seed: UInt64(index + 1), [CoreFeatures.self, Posts.self, Walker.self])
            try await host.call(ProfileCommands.edit, .init(nickname: Nickname(name)))
            if let place { try await host.join(place) }
            if let last = people.last { try await setLink(last, host, isUp: true) }
            people.append(host)
        }
        try await settle()
        for host in people { _ = host.drainEvents() }
        return people
    }
}

extension TestHost {
    /// Joins a neighbourhood.
    func join(_ name: String) async throws {
        try await call(
            NeighbourhoodCommands.join, .init(name: NeighbourhoodName(name), yes: true))
    }

    /// Writes a post.
    @discardableResult
    func write(
        _ title: String, _ text: String = "", category: PostCategory = .free,
        at place: (Double, Double)? = nil, precision: PostPrecision? = nil,
        in neighbourhood: String? = nil
    ) async throws -> Post {
        try await call(
            PostCommands.write,
            .init(
                category: category, title: PostTitle(title), text: PostText(text),
                neighbourhood: neighbourhood.map { try NameOrKey($0) },
                latitude: place.map { try Latitude($0.0) },
                longitude: place.map { try Longitude($0.1) }, precision: precision))
    }

    /// Returns the titles of the first page.
    func titles(_ request: ListPosts = ListPosts()) async throws -> [String] {
        try await call(PostCommands.list, request).posts.map(\.title.string)
    }

    /// Returns the pages of a list.
    func pages(
        _ request: ListPosts, between: () async throws -> Void = {}
    ) async throws -> [PostPage] {
        var (request, pages) = (request, [PostPage]())
        repeat {
            let page = try await call(PostCommands.list, request)
            pages.append(page)
            request.after = page.after
            try await between()
        } while request.after != nil && pages.count < 100
        return pages
    }

    /// Shows a post.
    func show(_ post: Post) async throws -> PostDetail {
        try await call(PostCommands.show, .init(id: RecordPrefix(post.id)))
    }

    @discardableResult
    func comment(_ text: String, on post: Post) async throws -> PostComment {
        try await call(
            PostCommands.comment, .init(id: RecordPrefix(post.id), text: CommentText(text)))
    }

    /// Whether each of my reported posts was handled.
    func reports() async throws -> [String: Bool] {
        let core = try #require(plugin(CoreFeatures.self))
        return try await core.inboxReferences(ofKind: Posts.inboxKind, among: nil)
    }
}

extension Post {
    /// The request that names this post.
    var named: NamePost { NamePost(id: RecordPrefix(id)) }
}

/// The middle of the city.
let middle = (latitude: 37.5665, longitude: 126.9780)
