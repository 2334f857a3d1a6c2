public import Contract

/// The answer of `posts list`, `posts search` and `posts mine`.
public struct PostPage: Codable, Hashable, Sendable {
    /// The posts, at most ``PostCommands/pageCount``.
    public var posts: [Post]
    /// The cursor of the next page; absent if this is the last one. A page may have fewer posts
    /// and a cursor, if very many are hidden.
    public var after: Cursor?
    /// The number of posts that belong to this page and are left out: their author is blocked,
    /// they are hidden, or contain a muted word.
    public var hiddenCount: Count
    /// The neighbourhoods that this person joined; none if there is nothing to read yet.
    public var neighbourhoods: [PostNeighbourhood]
    /// A sentence that says what to do if there are no posts.
    public var note: ShownSentence?

    /// Creates the value.
    public init(
        posts: [Post], after: Cursor? = nil, hiddenCount: Int = 0,
        neighbourhoods: [PostNeighbourhood], note: Sentence? = nil
    ) {
        self.posts = posts
        self.after = after
        self.hiddenCount = Count(clamping: hiddenCount)
        self.neighbourhoods = neighbourhoods
        self.note = note.map { ShownSentence($0) }
    }
}

/// A neighbourhood in which this person reads and writes posts.
public struct PostNeighbourhood: Codable, Hashable, Sendable {
    /// The id of its space.
    public var id: Key
    /// Its name as this person typed it.
    public var title: NeighbourhoodTitle

    /// Creates the value.
    public init(id: Key, title: String) {
        self.id = id
        self.title = NeighbourhoodTitle(clipping: title)
    }
}

/// The answer of `posts show` and `posts open`.
public struct PostDetail: Codable, Hashable, Sendable {
    /// The post with its whole text.
    public var post: Post
    /// A page of its comments, the oldest first; at most ``PostCommands/commentsPageCount``.
    public var comments: [PostComment]
    /// The cursor of the next page; absent if this is the last one.
    public var after: Cursor?
    /// The number of comments that belong to this page and are left out: their author is blocked,
    /// or they contain a muted word.
    public var hiddenCount: Count
    /// Whether the post is hidden from lists.
    public var hidden: Bool

    /// Creates the value.
    public init(
        post: Post, comments: [PostComment], after: Cursor? = nil, hiddenCount: Int = 0,
        isHidden: Bool = false
    ) {
        self.post = post
        self.comments = comments
        self.after = after
        self.hiddenCount = Count(clamping: hiddenCount)
        hidden = isHidden
    }
}

/// The answer of `posts thumbnails`.
public struct PostThumbnails: Codable, Hashable, Sendable {
    /// The thumbnail of one photo.
    public struct Thumbnail: Codable, Hashable, Sendable {
        /// The photo.
        public var id: RecordKey
        /// A JPEG of 100 × 100 pixels, the middle of the photo.
        public var jpeg: ThumbnailDigits

        /// Creates the value.
        public init(id: RecordKey, jpeg: ThumbnailDigits) {
            self.id = id
            self.jpeg = jpeg
        }
    }

    /// Those of the photos whose thumbnail is here, in no order. An event of the part `photos`
    /// says that another one arrived.
    public var thumbnails: [Thumbnail]

    /// Creates the value.
    public init(thumbnails: [Thumbnail]) { self.thumbnails = thumbnails }
}

/// A draft. Only this person's own devices see it. A draft has no photos.
public struct SavedPostDraft: Codable, Hashable, Sendable {
    /// The id.
    public var id: RecordKey
    /// The id of the neighbourhood's space, if one was chosen.
    public var space: Key?
    /// The category, if one was chosen.
    public var category: PostCategory?
    /// The title so far.
    public var title: PostTitle.Shown
    /// The text so far.
    public var text: PostText.Shown
    /// The location as it was chosen.
    public var location: PostLocation?
    /// The exactness with which the post would tell it.
    public var precision: PostPrecision
    /// The time of the last change.
    public var atMs: Timestamp

    /// Creates the value.
    public init(
        id: RecordKey, space: Key? = nil, category: PostCategory? = nil, title: String,
        text: String, location: PostLocation? = nil, precision: PostPrecision = .rounded,
        atMs: Timestamp
    ) {
        self.id = id
        self.space = space
        self.category = category
        self.title = PostTitle.Shown(clipping: title)
        self.text = PostText.Shown(clipping: text)
        self.location = location
        self.precision = precision
        self.atMs = atMs
    }
}

/// The answer of `posts drafts`.
public struct PostDrafts: Codable, Hashable, Sendable {
    /// The drafts, the newest first.
    public var drafts: [SavedPostDraft]

    /// Creates the value.
    public init(drafts: [SavedPostDraft]) { self.drafts = drafts }
}

/// The answer of `posts hidden`.
public struct HiddenPosts: Codable, Hashable, Sendable {
    /// The posts, the last hidden first.
    public var posts: [Entry]

    /// Creates the value.
    public init(posts: [Entry]) { self.posts = posts }

    /// A post that this person hid.
    public struct Entry: Codable, Hashable, Sendable {
        /// The post's id.
        public var id: RecordKey
        /// The title, while the post is here.
        public var title: PostTitle.Shown?
        /// The time at which it was hidden.
        public var atMs: Timestamp
        /// The reason, if it was reported.
        public var reason: PostReportReason?
        /// More about the reason.
        public var text: ReportText.Shown?

        /// Creates the value.
        public init(
            id: RecordKey, title: String? = nil, atMs: Timestamp,
            reason: PostReportReason? = nil, text: String? = nil
        ) {
            self.id = id
            self.title = title.map(PostTitle.Shown.init(clipping:))
            self.atMs = atMs
            self.reason = reason
            self.text = text.map(ReportText.Shown.init(clipping:))
        }
    }
}

/// The answer of `posts today`.
public struct PostDay: Codable, Hashable, Sendable {
    /// A neighbourhood that this person joined.
    public struct Neighbourhood: Codable, Hashable, Sendable {
        /// The id of the neighbourhood's space.
        public var id: Key
        /// The name, as this person typed it.
        public var name: NeighbourhoodTitle
        /// The number of short posts without photos that this person can still write today, by UTC.
        public var postsLeft: Count
        /// The bytes of posts, comments, likes and views that this person can still write today, by
        /// UTC. A post takes about 400 besides its texts, and about 350 for each photo; an edit
        /// takes as much as the whole post.
        public var bytesLeft: Count
        /// The number of further photos whose thumbnails other devices will keep today, by UTC,
        /// however long they are.
        public var photosLeft: Count

        /// Creates the value.
        public init(id: Key, name: String, postsLeft: Int, bytesLeft: Int, photosLeft: Int) {
            self.id = id
            self.name = NeighbourhoodTitle(clipping: name)
            self.postsLeft = Count(clamping: postsLeft)
            self.bytesLeft = Count(clamping: bytesLeft)
            self.photosLeft = Count(clamping: photosLeft)
        }
    }

    /// The neighbourhoods.
    public var neighbourhoods: [Neighbourhood]

    /// Creates the value.
    public init(neighbourhoods: [Neighbourhood]) { self.neighbourhoods = neighbourhoods }
}

/// The answer of `posts settings` and `posts edit-settings`.
public struct PostSettings: Codable, Hashable, Sendable {
    /// Whether I am counted among the people who viewed a post.
    public var views: Bool

    /// Creates the value.
    public init(views: Bool) { self.views = views }
}
