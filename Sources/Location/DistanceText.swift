/// Distances as text for people: "999 m", "1.00 km".
public enum DistanceText {
    /// The longest distance that has a text, in metres; it is larger than any distance on Earth.
    public static let metresMax = 1_000_000_000.0

    /// Returns the text of a measured distance: whole centimetres if it is below one metre,
    /// else as ``text(metres:)``.
    public static func measured(metres: Double) -> String? {
        guard (0..<0.995).contains(metres) else { return text(metres: metres) }
        return "\(Int((metres * 100).rounded())) cm"
    }

    /// Returns the text of a distance: whole metres if they round to less than 1000, otherwise
    /// kilometres with two decimals; nil for a negative, infinite or undefined number.
    public static func text(metres: Double) -> String? {
        guard (0...metresMax).contains(metres) else { return nil }
        let wholeMetres = Int(metres.rounded())
        if wholeMetres < 1000 { return "\(wholeMetres) m" }
        let hundredths = Int((metres / 10).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) km"
    }
}
