public import Contract

/// The answer of `walk-log totals`.
public struct WalkTotals: Codable, Hashable, Sendable {
    /// The number of weeks, and that of months.
    public static let spansCount = 12

    /// The last weeks from Monday to Sunday, the present one last.
    public var weeks: [Span]
    /// The last months, the present one last.
    public var months: [Span]

    /// Creates the value.
    public init(weeks: [Span], months: [Span]) {
        self.weeks = weeks
        self.months = months
    }

    /// The walks that began in a week or in a month.
    public struct Span: Codable, Hashable, Sendable {
        /// The beginning of the week or month, in this device's time zone.
        public var startedMs: Timestamp
        /// The number of walks.
        public var walksCount: Count
        /// The length of their ways in metres.
        public var distanceMetres: TotalMetres
        /// Their time without pauses, in seconds.
        public var elapsedSeconds: Count
        /// Their energy in kilocalories.
        public var kilocalories: Count

        /// Creates the value.
        public init(
            startedMs: Timestamp, walksCount: Int, distanceMetres: Double, elapsedSeconds: Int,
            kilocalories: Int
        ) {
            self.startedMs = startedMs
            self.walksCount = Count(clamping: walksCount)
            self.distanceMetres = TotalMetres(clamping: distanceMetres)
            self.elapsedSeconds = Count(clamping: elapsedSeconds)
            self.kilocalories = Count(clamping: kilocalories)
        }
    }
}

/// The length of many ways in metres, at least 0.
public typealias TotalMetres = Bounded<TotalMetresRange>

/// The metres of ``TotalMetres``.
public enum TotalMetresRange: NumberRange {
    /// Up to a million million metres.
    public static let range = 0.0...1e12
}
