import Contract
import ControlAPI
import FeaturesAPI
import PanelKit
import PostsAPI

/// The panel's knowledge of posts, and its queries to the node.
@MainActor
final class PostsModel {
    /// A query of the panel, in the order in which they are asked.
    enum Query: CaseIterable, Sendable {
        /// The joined neighbourhoods.
        case places
        /// The listed posts.
        case list
        /// The post that is open, with its comments.
        case open
        /// The user's own posts.
        case mine
        /// The drafts.
        case drafts
        /// The hidden posts.
        case hidden
        /// The muted words.
        case muted
        /// The requests to authors and the conversations with them.
        case messages
        /// The thumbnails that were not here.
        case photos
    }

    /// The map and the user, as the list follows them.
    struct Sight: Equatable, Sendable {
        /// The visible part of the map; nil before it was on the screen.
        var map: MapArea?
        /// The user's location.
        var location: Coordinate?
        /// Whether the user records a walk.
        var isWalking = false
    }

    /// Called when another state is to be shown.
    var onChange: @MainActor () -> Void = {}
    /// Called when the photos of a post may have arrived.
    var onPhotos: @MainActor () -> Void = {}
    /// Called when the open post is not there any more.
    var onGone: @MainActor () -> Void = {}

    /// The joined neighbourhoods; nil before the first answer.
    private(set) var places: [NeighbourhoodList.Entry]?
    /// The listed posts; nil before the first answer.
    private(set) var loaded: LoadedPosts? {
        didSet { if loaded != oldValue { revision += 1 } }
    }
    /// A number that changes with the listed posts.
    private(set) var revision = 0
    /// The subject of ``loaded``.
    private var loadedSubject: Subject?
    /// The choice of posts.
    private(set) var filter = PostFilter()
    /// The area of the list.
    private(set) var listing = PostListing()
    /// The map and the user as they were last.
    private(set) var sight = Sight()
    /// The post that is open.
    private(set) var opened: OpenPost?
    /// The user's own posts; nil before the first answer.
    private(set) var mine: LoadedPosts?
    /// The drafts; nil before the first answer.
    private(set) var drafts: [SavedPostDraft]?
    /// The posts that the user hid.
    private(set) var hidden: [HiddenPosts.Entry] = []
    /// The words that the user muted.
    private(set) var muted: [MutedWord.Shown] = []
    /// The requests to authors and the conversations with them.
    private(set) var messages: [PostMessage] = []
    /// Whether the next page is being loaded.
    private(set) var isLoadingMore = false

    /// The queries that are repeated after an event.
    private(set) lazy var queries = StaleQueries<Query>(
        .after(NeighbourhoodEvents.changed, .places),
        .after(PostEvents.changed, .places) { $0.concerns(.neighbourhoods) },
        .after(PostEvents.changed, .list) { [weak self] in
            $0.concerns(.posts, .hidden, .neighbourhoods)
                || $0.concerns(.comments, .counts) && self?.isListed($0.post) ?? false
        },
        .after(PostEvents.changed, .open) { [weak self] in
            $0.concerns(.hidden)
                || $0.concerns(.posts, .comments, .counts, .photos)
                    && self?.isOpen($0.post) ?? false
        },
        .after(PostEvents.changed, .mine) { [weak self] in
            $0.concerns(.posts, .neighbourhoods)
                || $0.concerns(.comments, .counts) && self?.isMine($0.post) ?? true
        },
        .after(PostEvents.changed, .drafts) { $0.concerns(.drafts) },
        .after(PostEvents.changed, .hidden) { $0.concerns(.hidden) },
        .after(MutedWordEvents.changed, .muted),
        .after(PostEvents.changed, .messages) { $0.concerns(.messages) },
        .after(PostEvents.changed, .photos) { $0.concerns(.photos) },
        .after(MateEvents.changed, .list, .open, .messages) { $0.concernsNames }
    ) { [weak self] in try await self?.ask($0) }

    private let node: any NodeConnection

    /// A model that knows nothing before its queries are asked.
    init(node: any NodeConnection) {
        self.node = node
        queries.onSettled = { [weak self] in self?.onChange() }
    }

    private func isListed(_ post: RecordKey?) -> Bool {
        post.map { id in loaded?.posts.contains { $0.id == id } ?? false } ?? true
    }

    private func isMine(_ post: RecordKey?) -> Bool {
        post.map { id in mine?.posts.contains { $0.id == id } ?? false } ?? true
    }

    private func isOpen(_ post: RecordKey?) -> Bool {
        guard let opened else { return false }
        return post.map { $0 == opened.id } ?? true
    }

    // MARK: - The list

    /// The choice and the area that a list is about.
    private struct Subject: Equatable {
        var filter: PostFilter
        var area: MapArea?
    }

    private var subject: Subject { Subject(filter: filter, area: listing.area) }

    /// Whether the user joined no neighbourhood; nil before the first answer.
    var isOutside: Bool? { places.map(\.isEmpty) }

    /// Follows the map and the location of the user. Another area is listed from its first page on.
    func follow(_ sight: Sight) {
        self.sight = sight
        let changed = listing.follow(sight.map, location: sight.location)
        if changed, !filter.isEverywhere || filter.order == .nearest { listAnew() }
    }

    /// Whether the visible part of the map can be searched.
    var offersSearch: Bool {
        !filter.isEverywhere && isOutside == false
            && listing.offersSearch(
                sight.map, location: sight.location, isWalking: sight.isWalking)
    }

    /// Lists the visible part of the map.
    func searchArea() {
        if listing.search(sight.map) { listAnew() }
    }

    /// Lists other posts.
    func choose(_ filter: PostFilter) {
        guard filter != self.filter else { return }
        self.filter = filter
        listAnew()
    }

    /// Lists from the first page on, because the list is about something else. The rows stay until
    /// the node has answered.
    private func listAnew() {
        if isOutside == false { queries.askAgain([.list]) }
        onChange()
    }

    /// Asks for the next page if a row that is in sight is near the end.
    func sees(row: Int) {
        guard let loaded,
            PostListing.asksNextPage(
                rowInSight: row, loadedCount: loaded.posts.count, hasMore: loaded.after != nil)
        else { return }
        loadMore()
    }

    /// Asks for the next page.
    func loadMore() {
        guard let before = loaded, before.after != nil, !isLoadingMore, loadedSubject == subject
        else { return }
        isLoadingMore = true
        let subject = subject
        Task {
            do {
                var more = before
                try await more.loadNext { try await page(of: subject, after: $0) }
                // The list may be another one now, or have other posts above this page.
                if loadedSubject == subject { loaded?.keepRest(of: more) }
            } catch { queries.onFault(error) }
            isLoadingMore = false
            onChange()
        }
    }

    private func page(of subject: Subject, after cursor: Cursor?) async throws -> PostPage {
        let (filter, area) = (subject.filter, subject.area)
        if let words = filter.search {
            return try await node.call(
                PostCommands.search, filter.request(for: words, in: area, after: cursor))
        }
        return try await node.call(
            PostCommands.list, filter.request(in: area, after: cursor))
    }

    /// Asks for the next page of the user's own posts.
    func loadMoreOwn() {
        guard let before = mine, before.after != nil else { return }
        Task {
            do {
                var more = before
                try await more.loadNext {
                    try await node.call(PostCommands.mine, ListOwnPosts(after: $0))
                }
                mine?.keepRest(of: more)
            } catch { queries.onFault(error) }
            onChange()
        }
    }

    // MARK: - One post

    /// Opens a post, which counts as viewed if the user chose that.
    func open(_ id: RecordKey) async throws {
        let known = (loaded?.posts ?? []) + (mine?.posts ?? [])
        let post = known.first { $0.id == id }
        opened = OpenPost(id: id, post: post)
        onChange()
        do {
            let detail = try await node.call(
                PostCommands.open, NamePost(id: RecordPrefix(id)))
            guard opened?.id == id else { return }
            opened?.show(detail)
            loaded?.replace(detail.post)
            onChange()
        } catch {
            if opened?.id == id { close() }
            throw error
        }
    }

    /// The request or conversation with the author of the open post.
    var message: PostMessage? {
        guard let author = opened?.post?.author else { return nil }
        return messages.first { $0.person == author }
    }

    /// The number of people who ask to write to the user.
    var askingCount: Int { messages.count { $0.state == .asking } }

    /// Closes the open post.
    func close() {
        opened = nil
        onChange()
    }

    /// Loads the next page of comments.
    func loadMoreComments() {
        guard let opened, let cursor = opened.after else { return }
        let id = opened.id
        Task {
            do {
                let page = try await node.call(
                    PostCommands.show, ShowPost(id: RecordPrefix(id), after: cursor))
                if self.opened?.id == id, self.opened?.after == cursor {
                    self.opened?.append(page)
                }
            } catch { queries.onFault(error) }
            onChange()
        }
    }

    /// Records what is typed as a comment, which is kept while other posts are read.
    func typeComment(_ text: String) {
        guard let id = opened?.id, text != typedComments[id, default: ""] else { return }
        typedComments[id] = text.isEmpty ? nil : text
        onChange()
    }

    /// The comments that are typed and not sent, by post.
    private var typedComments: [RecordKey: String] = [:]

    /// The comment on the open post as it is typed.
    var comment: CommentDraft {
        CommentDraft(text: opened.flatMap { typedComments[$0.id] } ?? "")
    }

    /// Sends the typed comment.
    func sendComment() async throws {
        guard let id = opened?.id else { return }
        let draft = comment
        let sent = try await node.call(
            PostCommands.comment,
            WriteComment(id: RecordPrefix(id), text: try draft.checked()))
        if typedComments[id] == draft.text { typedComments[id] = nil }
        if opened?.id == id { opened?.append(sent) }
        onChange()
    }

    /// Likes the open post, or takes that back.
    func like(_ isOn: Bool) async throws {
        guard let id = opened?.id else { return }
        let post = try await node.call(
            isOn ? PostCommands.like : PostCommands.unlike, NamePost(id: RecordPrefix(id)))
        receive(post)
    }

    /// Keeps the open post for 30 days from now.
    func renew() async throws {
        guard let id = opened?.id else { return }
        receive(try await node.call(PostCommands.renew, NamePost(id: RecordPrefix(id))))
    }

    /// Shows a post as the node answered it.
    func receive(_ post: Post) {
        if opened?.id == post.id { opened?.show(post) }
        loaded?.replace(post)
        mine?.replace(post)
        onChange()
    }

    /// Leaves a post out of the lists until the node has answered.
    func leaveOut(_ id: RecordKey) {
        loaded?.remove(id)
        mine?.remove(id)
        if opened?.id == id { opened = nil }
        onChange()
    }

    // MARK: - Answers

    private func ask(_ query: Query) async throws {
        switch query {
        case .places:
            let before = isOutside
            places = try await node.call(NeighbourhoodCommands.list).neighbourhoods
            if let space = filter.space, places?.contains(where: { $0.id == space }) != true {
                filter.space = nil
            }
            if isOutside == true { forget() }
            if before == true, isOutside == false { queries.askAgain([.list, .mine, .drafts]) }
        case .list:
            guard isOutside == false else { return }
            let subject = subject
            let before = loadedSubject == subject ? loaded : nil
            let answer = try await (before ?? LoadedPosts()).reloaded {
                try await page(of: subject, after: $0)
            }
            guard subject == self.subject else { return queries.askAgain([.list]) }
            (loaded, loadedSubject) = (answer, subject)
        case .open: try await askOpen()
        case .mine:
            guard isOutside == false else { return }
            mine = try await (mine ?? LoadedPosts()).reloaded {
                try await node.call(PostCommands.mine, ListOwnPosts(after: $0))
            }
        case .drafts: drafts = try await node.call(PostCommands.drafts).drafts
        case .hidden: hidden = try await node.call(PostCommands.hidden).posts
        case .muted: muted = try await node.call(MutedWordCommands.list).words
        case .messages: messages = try await node.call(PostMessageCommands.messages).messages
        case .photos: onPhotos()
        }
    }

    private func askOpen() async throws {
        guard let opened else { return }
        do {
            let answer = try await opened.reloaded { cursor in
                try await node.call(
                    PostCommands.show, ShowPost(id: RecordPrefix(opened.id), after: cursor))
            }
            if self.opened?.id == opened.id { self.opened = answer }
        } catch {
            // Its author deleted it, it expired, or its author is blocked now.
            guard CommandFault(error).code == CommandFault.notFound("").code else { throw error }
            guard self.opened?.id == opened.id else { return }
            close()
            onGone()
        }
    }

    /// Forgets what a neighbourhood brought that was left.
    private func forget() {
        loaded = nil
        mine = nil
        opened = nil
    }
}

extension PostChange {
    /// Whether one of the parts may have changed.
    func concerns(_ parts: Part...) -> Bool {
        part.map { $0 == .unknown || parts.contains($0) } ?? true
    }
}
