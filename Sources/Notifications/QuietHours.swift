/// A time of each day in which nothing is shown on the desktop, by the local clock. It may pass
/// midnight: 22:00-07:00 is the night. The end is not part of it.
public struct QuietHours: Hashable, Sendable {
    /// The first minute of the day, from 0.
    public let from: Int
    /// The minute of the day at which it is over.
    public let to: Int

    /// The number of minutes in a day.
    public static let dayMinutes = 24 * 60

    /// Creates the hours from two minutes of the day; nil if one is not in a day, or if they are
    /// the same.
    public init?(from: Int, to: Int) {
        guard (0..<Self.dayMinutes).contains(from), (0..<Self.dayMinutes).contains(to), from != to
        else { return nil }
        self.from = from
        self.to = to
    }

    /// Reads a text such as `22:00-07:00`; nil for any other.
    public init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = Self.minute(ends[0]), let to = Self.minute(ends[1])
        else { return nil }
        self.init(from: from, to: to)
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Whether a minute of the day is quiet.
    public func contains(_ minute: Int) -> Bool {
        from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }
}

extension QuietHours: CustomStringConvertible {
    /// The text that ``init(_:)`` reads.
    public var description: String { Self.text(from) + "-" + Self.text(to) }

    private static func text(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
