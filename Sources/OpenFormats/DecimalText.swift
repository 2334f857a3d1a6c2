/// Numbers as decimals without an exponent, which some formats do not have.
enum DecimalText {
    /// Returns degrees with at most seven decimals, which are a centimetre on the Earth.
    static func degrees(_ degrees: Double) -> String {
        let units = Int((degrees * 10_000_000).rounded())
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
        let digits = String(rest)
        var decimals = Substring(String(repeating: "0", count: 7 - digits.count) + digits)
        while decimals.last == "0" { decimals.removeLast() }
        let sign = units < 0 ? "-" : ""
        return decimals.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(decimals)"
    }
}
