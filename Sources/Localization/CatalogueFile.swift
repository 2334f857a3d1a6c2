/// The entries of a gettext `.po` file.
///
/// The reader knows what translators' programs write: comments, `msgid`, `msgid_plural`, `msgstr`
/// and `msgstr[0]`, texts over several lines, the escapes `\n`, `\t`, `\"` and `\\`, and lines that
/// end with CR LF. It skips entries that are marked fuzzy, are obsolete or have no translation.
/// Anything else is a fault.
struct CatalogueFile {
    /// The most bytes of a file.
    static let bytesMax = 1024 * 1024

    /// The translations by the id of their sentence: `msgid_plural` if the entry has one, since a
    /// ``Sentence`` with a count has its second wording as template.
    private(set) var templates: [String: Template] = [:]

    private var entry = Entry()
    private var hasHeader = false

    private struct Entry {
        var id: String?
        var pluralID: String?
        var translation: String?
        var isFuzzy = false
        /// The last line of the entry.
        var line = 0

        /// The text that a line in quotes continues.
        var open: WritableKeyPath<Entry, String?>?
    }

    /// Reads a file.
    /// - Throws: ``CatalogueFault``, for the first mistake.
    init(_ bytes: [UInt8]) throws(CatalogueFault) {
        guard bytes.count <= Self.bytesMax else { throw .tooLong(limitBytes: Self.bytesMax) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .encoding }
        var line = 0
        for content in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            line += 1
            let isEndedByCR = content.last == 0x0D
            try read(Substring(isEndedByCR ? content.dropLast() : content), line: line)
        }
        try endEntry()
        guard hasHeader else { throw .header }
    }

    private mutating func read(_ content: Substring, line: Int) throws(CatalogueFault) {
        guard let first = content.utf8.first else { return try endEntry() }
        switch first {
        case UInt8(ascii: "#"):
            if entry.translation != nil { try endEntry() }
            if content.hasPrefix("#,"), content.contains("fuzzy") { entry.isFuzzy = true }
        case UInt8(ascii: "\""):
            guard let open = entry.open else { throw .syntax(line: line) }
            entry[keyPath: open]? += try Self.quoted(content, line: line)
        default:
            guard let space = content.firstIndex(of: " ") else { throw .syntax(line: line) }
            if content[..<space] == "msgid", entry.translation != nil { try endEntry() }
            let open = try field(content[..<space], line: line)
            guard entry[keyPath: open] == nil else { throw .syntax(line: line) }
            entry[keyPath: open] = try Self.quoted(
                content[content.index(after: space)...], line: line)
            entry.open = open
        }
        entry.line = line
    }

    /// Returns the text of the entry that a keyword begins.
    private func field(
        _ keyword: Substring, line: Int
    ) throws(CatalogueFault) -> WritableKeyPath<Entry, String?> {
        switch keyword {
        case "msgctxt": throw .context(line: line)
        case "msgid": return \.id
        case "msgid_plural" where entry.id != nil && entry.translation == nil: return \.pluralID
        case "msgstr" where entry.id != nil && entry.pluralID == nil: return \.translation
        case "msgstr[0]" where entry.pluralID != nil: return \.translation
        default: throw .syntax(line: line)
        }
    }

    private mutating func endEntry() throws(CatalogueFault) {
        defer { entry = Entry() }
        let line = entry.line
        guard let id = entry.id else {
            guard entry.pluralID == nil, entry.translation == nil else { throw .syntax(line: line) }
            return
        }
        guard let translation = entry.translation else { throw .syntax(line: line) }
        guard !id.isEmpty else { return try readHeader(translation) }
        guard !translation.isEmpty, !entry.isFuzzy else { return }
        let key = entry.pluralID ?? id
        let template = try Self.template(translation, line: line)
        guard template.argumentIndices == Template(lenient: key).argumentIndices else {
            throw .placeholder(line: line)
        }
        guard templates.updateValue(template, forKey: key) == nil else {
            throw .duplicate(line: line)
        }
    }

    private mutating func readHeader(_ header: String) throws(CatalogueFault) {
        guard !hasHeader, header.contains("charset=UTF-8"), header.contains("nplurals=1;") else {
            throw .header
        }
        hasHeader = true
    }

    private static func template(
        _ translation: String, line: Int
    ) throws(CatalogueFault) -> Template {
        do {
            return try Template(translation)
        } catch {
            switch error {
            case .placeholder: throw .placeholder(line: line)
            case .particle: throw .particle(line: line)
            }
        }
    }

    /// Reads a text in quotes, which is the whole rest of its line.
    private static func quoted(_ content: Substring, line: Int) throws(CatalogueFault) -> String {
        let body = content.utf8
        guard body.count >= 2, body.first == UInt8(ascii: "\""), body.last == UInt8(ascii: "\"")
        else { throw .syntax(line: line) }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in body.dropFirst().dropLast() {
            if isEscaped {
                guard let meant = escapes[byte] else { throw .escape(line: line) }
                bytes.append(meant)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                guard byte != UInt8(ascii: "\"") else { throw .syntax(line: line) }
                bytes.append(byte)
            }
        }
        guard !isEscaped else { throw .escape(line: line) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09,
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    ]
}
