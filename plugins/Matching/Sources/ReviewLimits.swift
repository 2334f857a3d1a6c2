/// The limits of reviews.
enum ReviewLimits {
    /// The number of reviews that a person shows, and that are read of one.
    static let shownMax = 16
    /// The length of the text of a review, in bytes: 300 characters of ten bytes.
    static let textBytesMax = 3000
    /// The length of a signed review, in bytes.
    static let statementBytesMax = 8 * 1024
}
