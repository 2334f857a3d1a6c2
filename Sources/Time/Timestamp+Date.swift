package import Foundation

extension Date {
    /// Creates the date of a moment.
    package init(_ moment: Timestamp) {
        self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
    }
}

extension Timestamp {
    /// Creates the moment of a date, rounded to a millisecond; one before 1970 becomes 1970, one
    /// after the latest moment becomes the latest.
    package init(_ date: Date) {
        let nearest = date.timeIntervalSince1970 < 0 ? Timestamp.min : .max
        self = Timestamp(exactly: date) ?? nearest
    }

    /// Creates the moment of a date, rounded to a millisecond; nil if it is out of range.
    package init?(exactly date: Date) {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        guard let milliseconds = Int64(exactly: rounded) else { return nil }
        self.init(exactly: milliseconds)
    }
}
