/// Distances as people read them: "999 m", "1.00 km".
public enum DistanceText {
    /// Beyond this many metres no distance on the Earth lies, and the text is absent.
    public static let metresMax = 1_000_000_000.0

    /// The text of a distance: whole metres where they round to less than 1000, else kilometres
    /// with two decimals; nil for a number that is no distance (negative, infinite, no number).
    public static func text(metres: Double) -> String? {
        guard (0...metresMax).contains(metres) else { return nil }
        let wholeMetres = Int(metres.rounded())
        if wholeMetres < 1000 { return "\(wholeMetres) m" }
        let hundredths = Int((metres / 10).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) km"
    }
}
