public import Contract

/// A post as a list shows it. A property that is not known is absent.
public struct Post: Codable, Hashable, Sendable {
    /// The id.
    public var id: RecordKey
    /// The id of the neighbourhood's space.
    public var space: Key
    /// The neighbourhood's name, as this person typed it.
    public var neighbourhood: NeighbourhoodTitle
    /// The author.
    public var author: Key
    /// The first digits of the author's key.
    public var suffix: KeySuffix
    /// The author's name: of a mate as it is known, of others as they wrote it, with the first
    /// digits of their key.
    public var name: PersonName?
    /// Whether I wrote it.
    public var mine: Bool
    /// Whether the author is a mate.
    public var mate: Bool
    /// The category.
    public var category: PostCategory
    /// The title.
    public var title: PostTitle.Shown
    /// The text; in a list its first 200 characters.
    public var text: PostText.Shown
    /// Whether the text is longer than what is shown here.
    public var shortened: Bool
    /// The location, if the author gave one.
    public var location: PostLocation?
    /// The distance from the middle of the listed area, in metres.
    public var distanceMetres: DistanceMetres?
    /// The time at which it was written, by the author's clock.
    public var atMs: Timestamp
    /// The time at which it was last edited or renewed; absent if it never was.
    public var changedMs: Timestamp?
    /// The time at which it disappears, unless it is renewed.
    public var expiresMs: Timestamp
    /// The number of people who like it; at most ``PostCommands/countedMax``, as the next two.
    public var likes: Count
    /// The number of comments that are here and not hidden.
    public var comments: Count
    /// The number of people who viewed it and chose to be counted.
    public var views: Count
    /// Whether at least three people other than the author viewed it, like it, or commented.
    public var popular: Bool
    /// Whether I like it.
    public var liked: Bool
    /// Its photos, in their order.
    public var photos: [PostPhoto]
    /// The recorded walk that the post describes.
    public var walk: PostWalk?
    /// A sentence for its author about the last change; absent in lists.
    public var note: ShownSentence?

    /// The maximum number of characters of a text in a list.
    public static let listedCharactersMax = 200

    /// Creates the value.
    public init(
        id: RecordKey, space: Key, neighbourhood: String, author: Key, name: String? = nil,
        isMine: Bool, isMate: Bool, category: PostCategory, title: String, text: String,
        isShortened: Bool, location: PostLocation? = nil, distanceMetres: Double? = nil,
        atMs: Timestamp, changedMs: Timestamp? = nil, expiresMs: Timestamp, likes: Int = 0,
        comments: Int = 0, views: Int = 0, isPopular: Bool = false, isLiked: Bool = false,
        photos: [PostPhoto] = [], walk: PostWalk? = nil
    ) {
        self.id = id
        self.space = space
        self.neighbourhood = NeighbourhoodTitle(clipping: neighbourhood)
        self.author = author
        suffix = KeySuffix(author)
        self.name = name.map(PersonName.init(clipping:))
        mine = isMine
        mate = isMate
        self.category = category
        self.title = PostTitle.Shown(clipping: title)
        self.text = PostText.Shown(clipping: text)
        shortened = isShortened
        self.location = location
        self.distanceMetres = distanceMetres.map(DistanceMetres.init(clamping:))
        self.atMs = atMs
        self.changedMs = changedMs
        self.expiresMs = expiresMs
        self.likes = Count(clamping: likes)
        self.comments = Count(clamping: comments)
        self.views = Count(clamping: views)
        popular = isPopular
        liked = isLiked
        self.photos = photos
        self.walk = walk
    }
}

extension Post: DetailMembers {
    /// The members that a list can do without.
    public static let detailMembers = [
        "space", "author", "mate", "shortened", "changedMs", "expiresMs", "views", "liked",
        "location", "photos", "walk", "note",
    ]
}

/// The name of a neighbourhood in an answer.
public typealias NeighbourhoodTitle = ShownText<64>

/// The location of a post.
public struct PostLocation: Codable, Hashable, Sendable {
    /// Degrees north.
    public var latitude: Latitude
    /// Degrees east.
    public var longitude: Longitude

    /// Creates the value.
    public init(latitude: Double, longitude: Double) {
        self.latitude = Latitude(clamping: latitude)
        self.longitude = Longitude(clamping: longitude)
    }
}

/// A photo of a post. Its thumbnail is in the answer of `posts thumbnails`, its content in that of
/// `posts photo`.
public struct PostPhoto: Codable, Hashable, Sendable {
    /// The id.
    public var id: RecordKey
    /// The size of the whole photo.
    public var sides: PhotoSides

    /// Creates the value.
    public init(id: RecordKey, sides: PhotoSides) {
        self.id = id
        self.sides = sides
    }
}

/// The numbers of a recorded walk that a post tells of. The route is not part of it.
public struct PostWalk: Codable, Hashable, Sendable {
    /// The length of the way in metres.
    public var distanceMetres: DistanceMetres
    /// The time of the walk without pauses, in seconds.
    public var elapsedSeconds: Count

    /// Creates the value.
    public init(distanceMetres: Double, elapsedSeconds: Int) {
        self.distanceMetres = DistanceMetres(clamping: distanceMetres)
        self.elapsedSeconds = Count(clamping: elapsedSeconds)
    }
}

/// A comment on a post.
public struct PostComment: Codable, Hashable, Sendable {
    /// The id.
    public var id: RecordKey
    /// The author.
    public var author: Key
    /// The first digits of the author's key.
    public var suffix: KeySuffix
    /// The author's name: of a mate as it is known, of others as they wrote it, with the first
    /// digits of their key.
    public var name: PersonName?
    /// Whether I wrote it.
    public var mine: Bool
    /// Whether the author is a mate.
    public var mate: Bool
    /// Whether the author of the post wrote it.
    public var byAuthor: Bool
    /// The text.
    public var text: CommentText.Shown
    /// The time at which it was written, by its author's clock.
    public var atMs: Timestamp

    /// Creates the value.
    public init(
        id: RecordKey, author: Key, name: String? = nil, isMine: Bool, isMate: Bool = false,
        isByAuthor: Bool, text: String, atMs: Timestamp
    ) {
        self.id = id
        self.author = author
        suffix = KeySuffix(author)
        self.name = name.map(PersonName.init(clipping:))
        mine = isMine
        mate = isMate
        byAuthor = isByAuthor
        self.text = CommentText.Shown(clipping: text)
        self.atMs = atMs
    }
}

extension PostComment: DetailMembers {
    /// The members that a list can do without.
    public static let detailMembers = ["author", "mine", "mate", "byAuthor"]
}
