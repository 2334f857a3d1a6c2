public import Contract

/// The commands of posts.
///
/// ```swift
/// let page = try await node.call(PostCommands.list, .init())
/// if let post = page.posts.first {
///     let shown = try await node.call(PostCommands.show, .init(id: RecordPrefix(post.id)))
///     print(shown.post.text, shown.comments.count)
/// }
/// ```
public enum PostCommands {
    /// Lists posts.
    public static let list = Command<ListPosts, PostPage>(
        .query, "posts", "list",
        help: "Lists the posts of your neighbourhoods, 20 at a time.",
        follows: [PostEvents.changed.declaration])
    /// Finds posts by words.
    public static let search = Command<SearchPosts, PostPage>(
        .query, "posts", "search",
        help: "Finds posts with all these words or parts of words, the newest first.",
        follows: [PostEvents.changed.declaration])
    /// Shows a post with a page of its comments.
    public static let show = Command<ShowPost, PostDetail>(
        .query, "posts", "show", help: "Shows a post and its comments, the oldest first.",
        follows: [PostEvents.changed.declaration])
    /// Counts this person as one who viewed a post, if they chose to be counted, and withdraws the
    /// notice about its comments.
    public static let open = Command<NamePost, PostDetail>(
        .action, "posts", "open",
        help: "Marks a post as read: settles the notice of its comments, and counts your view if "
            + "'posts settings' says so.")
    /// Lists own posts.
    public static let mine = Command<ListOwnPosts, PostPage>(
        .query, "posts", "mine", help: "Lists your own posts, the newest first.",
        follows: [PostEvents.changed.declaration])
    /// Writes a post.
    public static let write = Command<WritePost, Post>(
        .action, "posts", "write",
        help: "Writes a post to a neighbourhood. Everyone who joined it can read it for 30 days.",
        topics: [
            .example(
                .people,
                command: "waggle posts write --category question --title Vet?",
                effect: "asks everyone in your neighbourhood"),
            .text(
                .privacy,
                "A post shows everyone in the neighbourhood your nickname."),
        ])
    /// Changes a post.
    public static let edit = Command<EditPost, Post>(
        .action, "posts", "edit",
        help: "Changes one of your posts, which also renews it for 30 days.")
    /// Deletes a post.
    public static let delete = Command<NamePost, Done>(
        .action, "posts", "delete",
        help: "Deletes one of your posts and its photos on every device.")
    /// Keeps a post for 30 more days.
    public static let renew = Command<NamePost, Post>(
        .action, "posts", "renew", help: "Keeps one of your posts for 30 days from now.")

    /// Says how much of what this person writes today others still keep.
    public static let today = Command<NoParameters, PostDay>(
        .query, "posts", "today",
        help: "Shows how many more of your posts and photos other devices will keep today (UTC).",
        follows: [PostEvents.changed.declaration])

    /// Comments on a post.
    public static let comment = Command<WriteComment, PostComment>(
        .action, "posts", "comment", help: "Comments on a post.")
    /// Deletes a comment.
    public static let uncomment = Command<NameComment, Done>(
        .action, "posts", "uncomment", help: "Deletes one of your comments on every device.")
    /// Likes a post.
    public static let like = Command<NamePost, Post>(
        .action, "posts", "like", help: "Likes a post; everyone can see that you do.")
    /// Takes a like back.
    public static let unlike = Command<NamePost, Post>(
        .action, "posts", "unlike", help: "Takes back that you like a post.")

    /// Returns thumbnails of photos.
    public static let thumbnails = Command<ListPostThumbnails, PostThumbnails>(
        .query, "posts", "thumbnails",
        help: "Returns the thumbnails of photos of posts, for programs.")
    /// Shows or saves a photo.
    public static let photo = Command<ShowPostPhoto, PhotoContent>(
        .action, "posts", "photo",
        help: "Shows which file has a photo of a post, or saves a copy of it. A photo that is not "
            + "here is asked of devices nearby.")

    /// Lists drafts.
    public static let drafts = Command<NoParameters, PostDrafts>(
        .query, "posts", "drafts", help: "Lists your drafts, the newest first.",
        follows: [PostEvents.changed.declaration])
    /// Keeps a draft.
    public static let draft = Command<SavePostDraft, SavedPostDraft>(
        .action, "posts", "draft",
        help: "Keeps a draft of a post, which only your own devices see.")
    /// Deletes a draft.
    public static let discard = Command<NamePostDraft, Done>(
        .action, "posts", "discard", help: "Deletes a draft.")

    /// Hides a post.
    public static let hide = Command<NamePost, Done>(
        .action, "posts", "hide",
        help: "Hides a post from your lists; nobody else learns that.")
    /// Shows a hidden post again.
    public static let unhide = Command<NamePost, Done>(
        .action, "posts", "unhide", help: "Shows a post again that you hid.")
    /// Lists hidden posts.
    public static let hidden = Command<NoParameters, HiddenPosts>(
        .query, "posts", "hidden", help: "Lists the posts that you hid or reported.",
        follows: [PostEvents.changed.declaration])
    /// Reports a post, for this person alone.
    public static let report = Command<ReportPost, Done>(
        .action, "posts", "report",
        help: "Hides a post and records why. Waggle has no moderators, so the report stays on your "
            + "devices.")
    /// Shows the settings of posts.
    public static let settings = Command<NoParameters, PostSettings>(
        .query, "posts", "settings",
        help: "Shows whether you are counted among the people who viewed a post.",
        follows: [PostEvents.changed.declaration])
    /// Changes the settings of posts.
    public static let editSettings = Command<EditPostSettings, PostSettings>(
        .action, "posts", "edit-settings",
        help: "Changes whether you are counted among the people who viewed a post. You are not at "
            + "first, because views tell everyone what you read.")

    /// The number of posts in a page.
    public static let pageCount = 20
    /// The number of comments in a page.
    public static let commentsPageCount = 50
    /// The maximum number of new posts of one person and day.
    public static let dailyPostsMax = 20
    /// The number at which likes, views and comments of a post are no longer counted on: it stands
    /// for itself and all larger numbers.
    public static let countedMax = 1000
    /// The maximum number of new comments of one person and day.
    public static let dailyCommentsMax = 200
    /// The maximum number of photos of one post.
    public static let photosCountMax = 10
    /// The maximum number of drafts.
    public static let draftsCountMax = 50
}

/// The events of posts.
public enum PostEvents {
    /// Posts, or what belongs to them, changed.
    public static let changed = Event<PostChange>(
        "posts", help: "A post, its comments or likes, your drafts, or what you hide changed.")
}

/// The body of ``PostEvents/changed``.
public struct PostChange: EventBody {
    /// A part of the answers.
    public enum Part: String, OpenChoice {
        /// A post was written, edited, renewed or deleted.
        case posts
        /// The comments on a post.
        case comments
        /// The likes or views of a post.
        case counts
        /// A photo of a post arrived, or its thumbnail.
        case photos
        /// The drafts.
        case drafts
        /// The hidden posts, or what muted words hide: lists differ.
        case hidden
        /// The settings.
        case settings
        /// The joined neighbourhoods: lists differ.
        case neighbourhoods
        /// Requests to authors, or the conversations that began with them.
        case messages
        /// A part that a newer node added.
        case unknown
    }

    /// The part that changed; nil if any may have.
    public var part: Part?
    /// The post that changed; nil if several may have.
    public var post: RecordKey?

    /// Creates the value.
    public init(part: Part? = nil, post: RecordKey? = nil) {
        self.part = part
        self.post = post
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        switch part {
        case .posts: "Posts of your neighbourhoods changed."
        case .comments: "The comments on a post changed."
        case .counts: "The likes or views of a post changed."
        case .photos: "A photo of a post arrived."
        case .drafts: "Your drafts changed."
        case .hidden: "The posts or words that you hide changed."
        case .settings: "Your settings of posts changed."
        case .neighbourhoods: "The neighbourhoods of your posts changed."
        case .messages: "Your conversations about posts changed."
        case .unknown, nil: nil
        }
    }
}
