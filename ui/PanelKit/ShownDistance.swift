import Location

/// Distances as people read them.
public enum ShownDistance {
    /// Returns "999 m" or "1.00 km". A negative number is 0; one beyond a million kilometres is a
    /// million.
    public static func text(metres: Double) -> String {
        DistanceText.text(metres: min(max(metres, 0), DistanceText.metresMax)) ?? ""
    }
}
