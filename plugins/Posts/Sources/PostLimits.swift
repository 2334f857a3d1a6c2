internal import PluginKit
internal import PostsAPI

/// The limits of posts.
enum PostLimits {
    /// The rule for a title.
    static let title = PostTitle.rule
    /// The rule for a text.
    static let text = PostText.rule
    /// The rule for a comment.
    static let comment = CommentText.rule
    /// The side of a cell of the grid to which locations are moved, in metres.
    static let gridMetres = 100.0
    /// A post is popular with so many views, likes or comments, each kind by different people.
    static let popularCountMin = 3
    /// The largest number of likes that one person begins in a day, and of views.
    static let dailyMarksMax = 200
    /// The longest walk that a post tells of, in seconds.
    static let walkSecondsMax: Int64 = 1_000_000
    /// The longest way of a walk that a post tells of: twice around the Earth, in metres.
    static let walkMetresMax = 80_000_000.0
    /// The number of posts that one read of a list considers.
    static let consideredCount = 40
    /// The largest number of such reads for one page: 400 hidden posts in a row end a page.
    static let readsCountMax = 10
    /// An area with more posts than this is searched in the order of time.
    static let areaCountMax = 1000
    /// The largest radius of an area, half of the equator, in metres.
    static let radiusMetresMax = 20_037_508.0
    /// The largest number for the order of photos. A photo that is added gets the next one.
    static let photoPlaceMax: Int64 = 1_000_000
    /// The pixels of either side of a photo.
    static let photoSides: ClosedRange<Int64> = 1...Int64(PhotoSides.sideMax)
    /// The largest number of thumbnails in an answer.
    static let thumbnailsCountMax = 100
    /// The number of records that a short id may match, so that some which show nothing can be
    /// passed over.
    static let matchesCountMax = 20
    /// The number of seen comments on a post that are remembered one by one.
    static let seenCountMax = 256
    /// The largest number of posts of which comments and the like are looked up after a change.
    static let askedCountMax = 100
}
