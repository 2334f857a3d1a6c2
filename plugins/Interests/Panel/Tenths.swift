extension Double {
    /// The number with one decimal, such as "1.6"; only for numbers that are shown to people, which
    /// have a range.
    var inTenths: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
