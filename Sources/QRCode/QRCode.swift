internal import CQREncode

/// A text as a square of dark and light modules.
///
/// ```swift
/// if let code = QRCode("waggle:join/lusab-babad") { print(code.halfBlocks) }
/// ```
public struct QRCode: Hashable, Sendable {
    /// The modules of one side, without the light margin.
    public let width: Int
    private let modules: [Bool]

    /// The light modules that a reader needs on each side.
    public static let marginCount = 4
    /// The longest text, in bytes of UTF-8.
    public static let textBytesMax = 512

    /// Encodes a text so that it can be read with up to 15 % of the square damaged.
    /// - Returns: nil if the text is empty, longer than ``textBytesMax``, or has a zero.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...QRCode.textBytesMax).contains(bytes.count), !bytes.contains(0),
            let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { unsafe QRcode_free(code) }
        width = Int(unsafe code.pointee.width)
        // The lowest bit of each byte is the module.
        modules = (0..<width * width).map { unsafe code.pointee.data[$0] & 1 == 1 }
    }

    /// Whether a module is dark; those outside of the square are light.
    public func isDark(row: Int, column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column]
    }

    /// The code for a terminal: each character is two modules, one above the other. Light modules
    /// are drawn, so it is right on dark terminals; most readers also take the reverse.
    public var halfBlocks: String {
        let range = -QRCode.marginCount..<width + QRCode.marginCount
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            String(
                range.map { column -> Character in
                    let below = row + 1 < range.upperBound && !isDark(row: row + 1, column: column)
                    switch (!isDark(row: row, column: column), below) {
                    case (true, true): return "█"
                    case (true, false): return "▀"
                    case (false, true): return "▄"
                    case (false, false): return " "
                    }
                })
        }.joined(separator: "\n")
    }
}
