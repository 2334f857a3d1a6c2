extension String {
    /// The number of terminal columns that the text needs: two for a wide character, as in Hangul
    /// or an emoji, one for any other.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// Returns the text padded with spaces to a width in columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth))
    }

    /// Returns the text cut to a width in columns, with "…" for the omitted part.
    func cut(to width: Int) -> String {
        guard displayWidth > width else { return self }
        var (kept, room) = ("", width - 1)
        for character in self {
            room -= character.displayWidth
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// The text without characters that a terminal would obey instead of showing. Names and
    /// messages are written by other people.
    var harmless: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    case .format where scalar != "\u{200D}": "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}

extension Character {
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        let isWide = Self.wide.contains { $0.contains(first.value) }
        return isWide || first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
            ? 2 : 1
    }

    /// The blocks of East Asian wide characters, from Unicode's EastAsianWidth.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
