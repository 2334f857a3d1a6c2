import Location

/// Distances as people read them.
public enum ShownDistance {
    /// Returns "999 m" or "1.00 km". A negative number is 0; one beyond a million kilometres is a
    /// million.
    public static func text(metres: Double) -> String {
        DistanceText.text(metres: clamped(metres)) ?? ""
    }

    /// Returns the radius of an area in a round number: "470 m", "2.1 km" or "187 km". Its limits
    /// are those of ``text(metres:)``.
    public static func radius(metres: Double) -> String {
        let metres = clamped(metres)
        if metres < 100 { return "\(Int(metres.rounded())) m" }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((metres / 100).rounded())
        return tenths < 100 && tenths % 10 != 0
            ? "\(tenths / 10).\(tenths % 10) km" : "\(Int((metres / 1000).rounded())) km"
    }

    private static func clamped(_ metres: Double) -> Double {
        min(max(metres, 0), DistanceText.metresMax)
    }
}
