public import Contract

private let postHelp = "The post's id; six digits are enough."
private let neighbourhoodHelp = "A neighbourhood that you joined, by name or id; all by default."
private let latitudeHelp = "Degrees north."
private let longitudeHelp = "Degrees east."
private let afterHelp = "The cursor of the page before."
private let categoryHelp = "Only posts in this category."
private let radiusHelp =
    "Only posts within this many metres of the given location, or of yours."

/// The request of `posts list`.
public struct ListPosts: CommandRequest {
    /// The neighbourhood; all joined ones without it.
    public var neighbourhood: NameOrKey?
    /// The category; all without it.
    public var category: PostCategory?
    /// The order; the newest first without it.
    public var order: PostOrder?
    /// Degrees north of the middle of the area; with the longitude, or neither. Without them the
    /// middle is this device's location.
    public var latitude: Latitude?
    /// Degrees east of the middle of the area.
    public var longitude: Longitude?
    /// The radius of the area; without it, posts everywhere, also those without a location.
    public var radiusMetres: DistanceMetres?
    /// The `after` of the page before.
    public var after: Cursor?

    /// Asks for a page.
    public init(
        neighbourhood: NameOrKey? = nil, category: PostCategory? = nil, order: PostOrder? = nil,
        latitude: Latitude? = nil, longitude: Longitude? = nil,
        radiusMetres: DistanceMetres? = nil, after: Cursor? = nil
    ) {
        self.neighbourhood = neighbourhood
        self.category = category
        self.order = order
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
        self.after = after
    }

    /// The help of each property.
    public static let help = [
        "neighbourhood": neighbourhoodHelp, "category": categoryHelp,
        "order": "The newest or the nearest first; the newest by default.",
        "latitude": latitudeHelp, "longitude": longitudeHelp, "radiusMetres": radiusHelp,
        "after": afterHelp,
    ]
}

/// The request of `posts search`.
public struct SearchPosts: CommandRequest {
    /// Words or parts of words; a post is found if its title and text have all of them.
    public var text: Text<1, 100>
    /// The neighbourhood; all joined ones without it.
    public var neighbourhood: NameOrKey?
    /// The category; all without it.
    public var category: PostCategory?
    /// Degrees north of the middle of the area.
    public var latitude: Latitude?
    /// Degrees east of the middle of the area.
    public var longitude: Longitude?
    /// The radius of the area; posts everywhere without it.
    public var radiusMetres: DistanceMetres?
    /// The `after` of the page before.
    public var after: Cursor?

    /// Looks for words.
    public init(
        text: Text<1, 100>, neighbourhood: NameOrKey? = nil, category: PostCategory? = nil,
        latitude: Latitude? = nil, longitude: Longitude? = nil,
        radiusMetres: DistanceMetres? = nil, after: Cursor? = nil
    ) {
        self.text = text
        self.neighbourhood = neighbourhood
        self.category = category
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
        self.after = after
    }

    /// The help of each property.
    public static let help = [
        "text": "1 to 100 characters.", "neighbourhood": neighbourhoodHelp,
        "category": categoryHelp, "latitude": latitudeHelp, "longitude": longitudeHelp,
        "radiusMetres": radiusHelp, "after": afterHelp,
    ]
    /// The properties read by position.
    public static let positional = ["text"]
}

/// The request of `posts mine`.
public struct ListOwnPosts: CommandRequest {
    /// The `after` of the page before.
    public var after: Cursor?

    /// Asks for a page.
    public init(after: Cursor? = nil) { self.after = after }

    /// The help of each property.
    public static let help = ["after": afterHelp]
}

/// The request of `posts show`.
public struct ShowPost: CommandRequest {
    /// The post's id; its first six digits are enough.
    public var id: RecordPrefix
    /// The `after` of the page of comments before.
    public var after: Cursor?

    /// Names a post.
    public init(id: RecordPrefix, after: Cursor? = nil) {
        self.id = id
        self.after = after
    }

    /// The help of each property.
    public static let help = ["id": postHelp, "after": afterHelp]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of commands that name a post and nothing else.
public struct NamePost: CommandRequest {
    /// The post's id; its first six digits are enough.
    public var id: RecordPrefix

    /// Names a post.
    public init(id: RecordPrefix) { self.id = id }

    /// The help of each property.
    public static let help = ["id": postHelp]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `posts write`.
public struct WritePost: CommandRequest {
    /// The category; `walk` with a walk, if it is left out.
    public var category: PostCategory?
    /// The title; that of the draft without it.
    public var title: PostTitle?
    /// The text.
    public var text: PostText?
    /// The neighbourhood; needed if more than one is joined.
    public var neighbourhood: NameOrKey?
    /// Degrees north of the location, with the longitude; no location without them.
    public var latitude: Latitude?
    /// Degrees east of the location.
    public var longitude: Longitude?
    /// The exactness of the location that others read; rounded without it.
    public var precision: PostPrecision?
    /// Files of pictures, at most ``PostCommands/photosCountMax``.
    public var photo: [FilePath]?
    /// A recorded walk whose distance and time the post tells.
    public var walk: RecordPrefix?
    /// A draft that the post replaces: it gives what this request leaves out, and is deleted.
    public var draft: RecordPrefix?

    /// Writes a post.
    public init(
        category: PostCategory? = nil, title: PostTitle? = nil, text: PostText? = nil,
        neighbourhood: NameOrKey? = nil, latitude: Latitude? = nil, longitude: Longitude? = nil,
        precision: PostPrecision? = nil, photo: [FilePath]? = nil, walk: RecordPrefix? = nil,
        draft: RecordPrefix? = nil
    ) {
        self.category = category
        self.title = title
        self.text = text
        self.neighbourhood = neighbourhood
        self.latitude = latitude
        self.longitude = longitude
        self.precision = precision
        self.photo = photo
        self.walk = walk
        self.draft = draft
    }

    /// The help of each property.
    public static let help = [
        "category": "What the post is about.", "title": "1 to 50 characters.",
        "text": "At most 1000 characters.",
        "neighbourhood": "A neighbourhood that you joined; needed if you joined several.",
        "latitude": "Degrees north of its location; without one, the post has none.",
        "longitude": longitudeHelp,
        "precision": "Whether others read the location as it is; rounded by default.",
        "photo": "A JPEG or PNG picture, at most 10 of them. Metadata, such as where it was taken, "
            + "is not sent.",
        "walk": "A walk of 'walk-log list' whose distance and time the post tells.",
        "draft": "A draft of 'posts drafts' that becomes the post.",
    ]
    /// At least a title or a draft.
    public static let memberCountMin = 1
}

/// The request of `posts edit`: the post and what changes.
public struct EditPost: CommandRequest {
    /// The post's id; its first six digits are enough.
    public var id: RecordPrefix
    /// The category from now on.
    public var category: PostCategory?
    /// The title from now on.
    public var title: PostTitle?
    /// The text from now on.
    public var text: PostText?
    /// Degrees north of the location from now on, with the longitude.
    public var latitude: Latitude?
    /// Degrees east of the location from now on.
    public var longitude: Longitude?
    /// The exactness of the new location that others read; rounded without it.
    public var precision: PostPrecision?
    /// Whether the location is removed.
    public var withoutLocation: Bool?
    /// Files of pictures to add.
    public var photo: [FilePath]?
    /// Photos to remove.
    public var withoutPhoto: [RecordPrefix]?

    /// Changes a post.
    public init(
        id: RecordPrefix, category: PostCategory? = nil, title: PostTitle? = nil,
        text: PostText? = nil, latitude: Latitude? = nil, longitude: Longitude? = nil,
        precision: PostPrecision? = nil, withoutLocation: Bool? = nil, photo: [FilePath]? = nil,
        withoutPhoto: [RecordPrefix]? = nil
    ) {
        self.id = id
        self.category = category
        self.title = title
        self.text = text
        self.latitude = latitude
        self.longitude = longitude
        self.precision = precision
        self.withoutLocation = withoutLocation
        self.photo = photo
        self.withoutPhoto = withoutPhoto
    }

    /// The help of each property.
    public static let help = [
        "id": postHelp, "category": "What the post is about.", "title": "1 to 50 characters.",
        "text": "At most 1000 characters.", "latitude": "Degrees north of its new location.",
        "longitude": longitudeHelp,
        "precision": "Whether others read the location as it is; rounded by default.",
        "withoutLocation": "Removes the location.", "photo": "A picture to add.",
        "withoutPhoto": "The id of a photo to remove.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
    /// The post, and at least one change.
    public static let memberCountMin = 2
}

/// The request of `posts comment`.
public struct WriteComment: CommandRequest {
    /// The post's id; its first six digits are enough.
    public var id: RecordPrefix
    /// The text.
    public var text: CommentText

    /// Comments on a post.
    public init(id: RecordPrefix, text: CommentText) {
        self.id = id
        self.text = text
    }

    /// The help of each property.
    public static let help = ["id": postHelp, "text": "1 to 300 characters."]
    /// The properties read by position.
    public static let positional = ["id", "text"]
}

/// The request of `posts uncomment`.
public struct NameComment: CommandRequest {
    /// The comment's id; its first six digits are enough.
    public var id: RecordPrefix

    /// Names a comment.
    public init(id: RecordPrefix) { self.id = id }

    /// The help of each property.
    public static let help = ["id": "The comment's id; six digits are enough."]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `posts thumbnails`.
public struct ListPostThumbnails: CommandRequest {
    /// At most 100 photos.
    public var ids: [RecordKey]

    /// Names photos.
    public init(ids: [RecordKey]) { self.ids = ids }

    /// The help of each property.
    public static let help = ["ids": "At most 100 photos of posts."]
    /// The properties read by position.
    public static let positional = ["ids"]
}

/// The request of `posts photo`.
public struct ShowPostPhoto: CommandRequest {
    /// The photo's id; its first six digits are enough.
    public var id: RecordPrefix
    /// A path at which there is no file yet, to which the photo is copied.
    public var save: FilePath?

    /// Names a photo.
    public init(id: RecordPrefix, save: FilePath? = nil) {
        self.id = id
        self.save = save
    }

    /// The help of each property.
    public static let help = [
        "id": "The photo's id; six digits are enough.",
        "save": "The file to create with the photo.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
}
