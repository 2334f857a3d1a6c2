/// The lines of a vCard or iCalendar file.
enum ContentLines {
    /// Reads and unfolds the lines of a file: a line that begins with a space or tab continues the
    /// one before it. A file may fold a line between the bytes of one character, so bytes are
    /// joined before they are decoded. A line that has no name or value is left out.
    /// - Throws: ``FormatFault/notText(line:)``, ``FormatFault/tooManyLines(limit:)``
    static func read(_ bytes: [UInt8]) throws(FormatFault) -> [ContentLine] {
        let mark = Array("\u{FEFF}".utf8)
        var rest = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        var lines: [ContentLine] = []
        var (open, openNumber, number): ([UInt8], Int, Int) = ([], 1, 0)
        while let line = nextLine(&rest) {
            number += 1
            guard number <= FormatLimits.linesCountMax else {
                throw .tooManyLines(limit: FormatLimits.linesCountMax)
            }
            if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
                open += line.dropFirst()
            } else if isSoftlyBroken(open) {
                // Quoted-printable of vCard 2.1: the line ends with "=" and goes on in the next.
                open.removeLast()
                open += line
            } else {
                try append(open, openNumber, to: &lines)
                (open, openNumber) = (Array(line), number)
            }
        }
        try append(open, openNumber, to: &lines)
        return lines
    }

    private static func append(
        _ bytes: [UInt8], _ number: Int, to lines: inout [ContentLine]
    ) throws(FormatFault) {
        guard !bytes.isEmpty else { return }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .notText(line: number)
        }
        if let line = ContentLine(text, number: number) { lines.append(line) }
    }

    /// Removes and returns the next line, without its end; nil after the last one.
    private static func nextLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        guard let end = rest.firstIndex(where: { $0 == lineFeed || $0 == carriageReturn }) else {
            defer { rest = [] }
            return rest
        }
        let line = rest[..<end]
        let isPair = rest[end] == carriageReturn && rest[(end + 1)...].first == lineFeed
        rest = rest[(end + (isPair ? 2 : 1))...]
        return line
    }

    /// The part of a line in which its name and parameters are looked for, in bytes.
    private static let headBytesMax = 1024

    private static func isSoftlyBroken(_ line: [UInt8]) -> Bool {
        let start = line.prefix(headBytesMax)
        guard line.last == UInt8(ascii: "="), let colon = start.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        return String(decoding: line[..<colon], as: UTF8.self).uppercased()
            .contains("QUOTED-PRINTABLE")
    }

    // MARK: - Writing

    /// The longest line that is written, in bytes without its end.
    static let lineBytesMax = 75

    /// Returns a line with its end, folded at 75 bytes but never within a character.
    /// - Parameter value: the value with its escapes.
    static func line(_ name: String, _ value: String) -> String {
        var result = ""
        var length = 0
        for scalar in "\(name):\(value)".unicodeScalars {
            let bytes = Unicode.UTF8.width(scalar)
            if length + bytes > lineBytesMax {
                result += "\r\n "
                length = 1
            }
            result.unicodeScalars.append(scalar)
            length += bytes
        }
        return result + "\r\n"
    }

    /// Returns a text with the escapes of a value. Line ends become `\n`; other control characters,
    /// which no value may have, are left out.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for character in text {
            guard !character.isNewline else {
                result.append(contentsOf: "\\n".unicodeScalars)
                continue
            }
            for scalar in character.unicodeScalars {
                if scalar == "\\" || scalar == ";" || scalar == "," { result.append("\\") }
                if scalar.properties.generalCategory != .control { result.append(scalar) }
            }
        }
        return String(result)
    }
}
