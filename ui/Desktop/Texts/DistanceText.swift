import Foundation

/// A distance as people read it.
enum DistanceText {
    /// "999 m" below a kilometre, "1.00 km" from there on; "far" where it is no number.
    static func spell(metres: Double) -> String {
        guard metres.isFinite, metres >= 0 else { return "far" }
        if metres < 1000 { return "\(Int(metres)) m" }
        return String(format: "%.2f km", metres / 1000)
    }
}
