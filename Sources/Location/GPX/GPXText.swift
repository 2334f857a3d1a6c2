/// The text of a GPX file as the system's XML parser may read it: UTF-8, without an XML
/// declaration.
///
/// The parser traps on a name that is not UTF-8, and trusts whatever encoding a declaration names.
/// So the text is decoded here, and the parser is given only what it cannot misread.
enum GPXText {
    /// Returns the text of a file in UTF-8, in UTF-16 with a byte order mark, or in ISO 8859-1 if its
    /// declaration says so.
    /// - Throws: ``GPXFault/unknownEncoding``.
    static func utf8(of bytes: [UInt8]) throws(GPXFault) -> [UInt8] {
        // A zero is no character of XML, and would let the parser guess another encoding.
        guard let text = text(of: bytes), !text.utf8.contains(0) else { throw .unknownEncoding }
        var utf8 = Array(text.utf8)[...]
        if utf8.starts(with: byteOrderMark) { utf8 = utf8.dropFirst(byteOrderMark.count) }
        return Array(utf8.dropFirst(declaration(of: utf8)?.count ?? 0))
    }

    private static let byteOrderMark = Array("\u{FEFF}".utf8)

    private static func text(of bytes: [UInt8]) -> String? {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): wideText(of: bytes.dropFirst(2), high: 1)
        case (0xFE, 0xFF): wideText(of: bytes.dropFirst(2), high: 0)
        default: String(validating: bytes, as: UTF8.self) ?? latinText(of: bytes)
        }
    }

    /// Decodes UTF-16; `high` is the index of the higher byte of each two.
    private static func wideText(of bytes: ArraySlice<UInt8>, high: Int) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
        }
        return String(validating: units, as: UTF16.self)
    }

    /// Decodes ISO 8859-1, in which each byte is the number of a character.
    private static func latinText(of bytes: [UInt8]) -> String? {
        guard let declaration = declaration(of: bytes[...]),
            String(decoding: declaration, as: UTF8.self).lowercased().contains("iso-8859-1")
        else { return nil }
        return String(validating: bytes.map { UInt16($0) }, as: UTF16.self)
    }

    /// Returns the declaration at the start of a text, `<?xml` to `?>`, or nil if there is none.
    private static func declaration(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.starts(with: "<?xml".utf8) else { return nil }
        let ends = text.indices.dropFirst("<?xml".utf8.count + 1)
        guard
            let end = ends.first(where: {
                text[$0] == UInt8(ascii: ">") && text[$0 - 1] == UInt8(ascii: "?")
            })
        else { return nil }
        return text[...end]
    }
}
