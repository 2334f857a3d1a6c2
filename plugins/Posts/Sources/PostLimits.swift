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
    /// The number of people who make a post popular by viewing it, liking it or commenting on it.
    static let popularCountMin = 3
    /// The maximum number of new likes of one person and day, and of new views.
    static let dailyMarksMax = 200
    /// The most bytes of the day's allowance that a post takes besides its texts.
    static let shortPostBytes = 512
    /// The most bytes of the day's allowance that a photo takes.
    static let photoBytes = 512
    /// The bytes of the day's allowance that views leave for what the person writes.
    static let bytesLeftForViewsMin = Limits.openDayBytesMax / 2
    /// The longest duration of a walk that a post shows, in seconds.
    static let walkSecondsMax: Int64 = 1_000_000
    /// The longest distance of a walk that a post shows, in metres: twice around the Earth.
    static let walkMetresMax = 80_000_000.0
    /// The numbers of posts that the reads for one page consider, one after the other. So a page
    /// ends after 400 hidden posts in a row.
    static let consideredCounts = [40, 200, 160]
    /// The maximum number of reads that look for comments on one post to report. So 400 comments
    /// are considered, as for a page of posts, however many of them contain a muted word.
    static let readsCountMax = 4
    /// The step of distances by which lists are sorted, in metres.
    static let stepMetres = 10.0
    /// The largest radius of an area, half of the equator, in metres.
    static let radiusMetresMax = 20_037_508.0
    /// The highest position of a photo in its post. A new photo gets the next position.
    static let photoPlaceMax: Int64 = 1_000_000
    /// The pixels of either side of a photo.
    static let photoSides: ClosedRange<Int64> = 1...Int64(PhotoSides.sideMax)
    /// The largest number of thumbnails in an answer.
    static let thumbnailsCountMax = 100
    /// The number of records with one short id that are read, so that those that show nothing can
    /// be skipped.
    static let matchesCountMax = 20
    /// The number of seen comments on a post that are remembered one by one.
    static let seenCountMax = 256
    /// The maximum number of records that are looked up together after a change.
    static let askedCountMax = 100
}

/// Thresholds that choose how a list is read, so that a page costs little however the posts are
/// distributed. None changes the posts of a list.
struct PostBounds: Hashable, Sendable {
    /// The largest number of posts that are sorted because the R-Tree has another order.
    var sorted = 400
    /// The nearest posts of a category with at most so many are found by sorting all of them.
    var category = 10_000
    /// The largest number of steps with more than ``sorted`` posts that are read one by one for a
    /// page.
    var fullSteps = 4
    /// The largest number of posts whose texts are compared with the words of a search, instead of
    /// asking the full-text index.
    var texts = 100
    /// The number of found posts that a page compares with an area, a category and a neighbourhood.
    /// If too few of them belong to these, it ends with fewer posts, and the next one goes on.
    var compared = 1500
    /// If so many posts have the words of a search, the texts of the newest posts of its area or
    /// category are compared instead: at least one in some dozens of them has the words.
    var frequent = 5000
}
