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

    /// Returns the text in lines of a width in columns, broken at spaces and within words that are
    /// wider. Only the last of the lines that are allowed is cut.
    func broken(to width: Int, linesMax: Int) -> [String] {
        var (lines, words): ([String], [Substring]) = ([], split(separator: " "))
        while !words.isEmpty {
            guard lines.count + 1 < linesMax else {
                return lines + [words.joined(separator: " ").cut(to: width)]
            }
            lines.append(Self.line(of: &words, width: width))
        }
        return lines
    }

    /// Removes the first words that fit on a line, or the part of a single word that does, and
    /// returns the line.
    private static func line(of words: inout [Substring], width: Int) -> String {
        var line = String(words[0])
        guard line.displayWidth <= width else {
            let part = words[0].prefix(fitting: width)
            words[0] = words[0].dropFirst(part.count)
            return part
        }
        words.removeFirst()
        while let next = words.first, line.displayWidth + 1 + String(next).displayWidth <= width {
            line += " " + words.removeFirst()
        }
        return line
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

extension Substring {
    /// Returns the first characters that fit into a width in columns, at least one.
    fileprivate func prefix(fitting width: Int) -> String {
        var (kept, room) = ("", width)
        for character in self {
            room -= character.displayWidth
            guard room >= 0 || kept.isEmpty else { break }
            kept.append(character)
        }
        return kept
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
