import Contract
import PostsAPI

/// The pages of posts that are loaded, in their order.
///
/// The next page begins after the cursor of the last one, so a post that arrives meanwhile neither
/// repeats nor hides another. After an event, the first pages are loaded anew, and those after them
/// stay, so that a reader far down the list keeps their place.
struct LoadedPosts: Equatable, Sendable {
    /// The posts, each once.
    private(set) var posts: [Post] = []
    /// The cursor of the next page; nil after the last one.
    private(set) var after: Cursor?
    /// The number of posts that are left out.
    private(set) var hiddenCount = 0
    /// The number of loaded pages.
    private(set) var pagesCount = 0
    private var known: Set<RecordKey> = []
    /// The posts that were removed. An answer that was asked for before has them still.
    private var removed: Set<RecordKey> = []

    /// The largest number of pages that an event loads anew.
    static let pagesRepeatedMax = 10
    /// The largest number of pages without a new post that are asked for in a row.
    static let emptyPagesMax = 5

    /// Adds a page after the others.
    /// - Returns: the number of posts that are new.
    @discardableResult
    mutating func append(_ page: PostPage) -> Int {
        after = page.after
        hiddenCount += page.hiddenCount.value
        pagesCount += 1
        return add(page.posts)
    }

    private mutating func add(_ more: [Post]) -> Int {
        let before = posts.count
        for post in more where known.insert(post.id).inserted {
            removed.remove(post.id)
            posts.append(post)
        }
        return posts.count - before
    }

    /// Replaces a post, if it is loaded.
    mutating func replace(_ post: Post) {
        guard let index = posts.firstIndex(where: { $0.id == post.id }) else { return }
        // The distance belongs to the list.
        var changed = post
        changed.distanceMetres = posts[index].distanceMetres
        posts[index] = changed
    }

    /// Removes a post. A page that is loaded later can have it again.
    mutating func remove(_ id: RecordKey) {
        guard known.remove(id) != nil else { return }
        removed.insert(id)
        posts.removeAll { $0.id == id }
    }

    /// Loads the next page, and those after it while they have no new post, because very many are
    /// left out.
    /// - Parameter ask: returns the page after a cursor.
    mutating func loadNext(_ ask: (Cursor?) async throws -> PostPage) async throws {
        for _ in 0..<Self.emptyPagesMax {
            let count = append(try await ask(after))
            guard count == 0, after != nil else { return }
        }
    }

    /// Loads the first pages anew, at most ``pagesRepeatedMax``, and keeps those after them.
    /// - Parameter ask: returns the page after a cursor.
    func reloaded(_ ask: (Cursor?) async throws -> PostPage) async throws -> LoadedPosts {
        var loaded = LoadedPosts()
        repeat {
            try await loaded.loadNext(ask)
        } while loaded.after != nil
            && loaded.pagesCount < min(pagesCount, Self.pagesRepeatedMax)
        loaded.removed = removed.subtracting(loaded.known)
        if pagesCount > loaded.pagesCount, loaded.after != nil { loaded.keepRest(of: self) }
        return loaded
    }

    /// Adds the posts of this list at another time that come after those in both, without those
    /// removed since.
    mutating func keepRest(of other: LoadedPosts) {
        let last = other.posts.lastIndex { known.contains($0.id) }
        _ = add(other.posts[(last.map { $0 + 1 } ?? 0)...].filter { !removed.contains($0.id) })
        (after, pagesCount) = (other.after, other.pagesCount)
        hiddenCount = max(hiddenCount, other.hiddenCount)
    }
}
