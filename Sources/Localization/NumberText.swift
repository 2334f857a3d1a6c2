/// Numbers as each language writes them. English and Korean write a count alike: with a comma
/// before every three digits from the right. A number with decimals has a point and no commas.
///
/// ```swift
/// NumberText.grouped(999)      // "999"
/// NumberText.grouped(1234)     // "1,234"
/// ```
public enum NumberText {
    /// Returns a count with its digits in groups of three.
    public static func grouped(_ count: some BinaryInteger) -> String {
        let digits = String(count.magnitude)
        var text = count < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: groupDigitsCount) {
                text.append(",")
            }
            text.append(digit)
        }
        return text
    }

    /// The digits between two commas.
    private static let groupDigitsCount = 3
}
