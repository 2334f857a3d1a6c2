public import Contract

/// A note about the reason for a report.
public typealias ReportText = Text<1, 100>

/// The reason for a report, which only this person's devices see.
public enum PostReportReason: String, Choice { case spam, unpleasant, dangerous, other }

/// The request of `posts draft`. Without a draft it begins one; with one it replaces all of it.
public struct SavePostDraft: CommandRequest {
    /// The draft to replace; a new one without it.
    public var draft: RecordPrefix?
    /// The neighbourhood.
    public var neighbourhood: NameOrKey?
    /// The category.
    public var category: PostCategory?
    /// The title so far.
    public var title: Text<0, 50>?
    /// The text so far.
    public var text: PostText?
    /// Degrees north of the location, with the longitude.
    public var latitude: Latitude?
    /// Degrees east of the location.
    public var longitude: Longitude?
    /// The exactness with which the post would tell the location.
    public var precision: PostPrecision?

    /// Keeps a draft.
    public init(
        draft: RecordPrefix? = nil, neighbourhood: NameOrKey? = nil,
        category: PostCategory? = nil, title: Text<0, 50>? = nil, text: PostText? = nil,
        latitude: Latitude? = nil, longitude: Longitude? = nil, precision: PostPrecision? = nil
    ) {
        self.draft = draft
        self.neighbourhood = neighbourhood
        self.category = category
        self.title = title
        self.text = text
        self.latitude = latitude
        self.longitude = longitude
        self.precision = precision
    }

    /// The help of each property.
    public static let help = [
        "draft": "The draft to replace; six digits of its id are enough.",
        "neighbourhood": "A neighbourhood that you joined.", "category": "What it is about.",
        "title": "At most 50 characters.", "text": "At most 1000 characters.",
        "latitude": "Degrees north.", "longitude": "Degrees east.",
        "precision": "Whether others would read the location as it is; rounded by default.",
    ]
    /// Something to keep.
    public static let memberCountMin = 1
}

/// The request of `posts discard`.
public struct NamePostDraft: CommandRequest {
    /// The draft's id; its first six digits are enough.
    public var draft: RecordPrefix

    /// Names a draft.
    public init(draft: RecordPrefix) { self.draft = draft }

    /// The help of each property.
    public static let help = ["draft": "The draft's id; six digits are enough."]
    /// The properties read by position.
    public static let positional = ["draft"]
}

/// The request of `posts report`.
public struct ReportPost: CommandRequest {
    /// The post's id; its first six digits are enough.
    public var id: RecordPrefix
    /// The reason.
    public var reason: PostReportReason
    /// More about the reason.
    public var text: ReportText?

    /// Reports a post.
    public init(id: RecordPrefix, reason: PostReportReason, text: ReportText? = nil) {
        self.id = id
        self.reason = reason
        self.text = text
    }

    /// The help of each property.
    public static let help = [
        "id": "The post's id; six digits are enough.",
        "reason": "The reason, which only you see.", "text": "A note, at most 100 characters.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `posts edit-settings`.
public struct EditPostSettings: CommandRequest {
    /// Whether I am counted among the people who viewed a post, from now on.
    public var views: Bool

    /// Changes settings.
    public init(views: Bool) { self.views = views }

    /// The help of each property.
    public static let help = ["views": "Whether everyone can see which posts you viewed."]
}
