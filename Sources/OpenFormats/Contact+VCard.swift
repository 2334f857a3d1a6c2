internal import Foundation

extension Contact {
    /// The contact as a vCard 4.0, in lines of at most 75 bytes.
    ///
    /// A person without a name has the empty one: the format wants a name.
    public var vCard: String {
        var text =
            "BEGIN:VCARD\r\nVERSION:4.0\r\nPRODID:-//Waggle//Waggle//EN\r\nKIND:individual\r\n"
        if !uid.isEmpty { text += ContentLines.line("UID", uid) }
        let name = ContentLines.escaped(profile.nickname ?? "")
        text += ContentLines.line("FN", name)
        if !name.isEmpty { text += ContentLines.line("NICKNAME", name) }
        if let changed { text += ContentLines.line("REV", CalendarTime(changed).textInUTC) }
        if let notes { text += ContentLines.line("NOTE", ContentLines.escaped(notes)) }
        for (field, value) in dogFields {
            text += ContentLines.line(field.rawValue, ContentLines.escaped(value))
        }
        if let photo, let kind = Contact.kind(of: photo) {
            text += ContentLines.line(
                "PHOTO", "data:\(kind);base64,\(Data(photo).base64EncodedString())")
        }
        return text + "END:VCARD\r\n"
    }

    private var dogFields: [(Extension, String)] {
        let words = profile.keywords.map { $0.map(\.rawValue).joined(separator: " ") }
        let fields: [(Extension, String?)] = [
            (.dogName, profile.dogName), (.age, profile.age.map(String.init)),
            (.sex, profile.sex?.rawValue), (.neutered, profile.neutered.map { $0 ? "yes" : "no" }),
            (.size, profile.size?.rawValue), (.keywords, words),
        ]
        return fields.compactMap { field, value in value.map { (field, $0) } }
    }

    /// Returns the media type of a picture by its first bytes; nil if it is no JPEG or PNG.
    private static func kind(of picture: [UInt8]) -> String? {
        if picture.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        return picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? "image/png" : nil
    }

    // MARK: - Reading

    /// Reads the first contact of a file: a vCard 2.1, 3.0 or 4.0. Fields that are malformed are
    /// left out, and a photo at an address is not fetched.
    /// - Throws: ``FormatFault``
    public init(vCard bytes: [UInt8]) throws(FormatFault) {
        guard bytes.count <= FormatLimits.contactBytesMax else {
            throw .tooLong(limit: FormatLimits.contactBytesMax)
        }
        let cards = try Component.read(bytes)
        guard let card = cards.first(where: { $0.name == "VCARD" }) else {
            throw .nothing(.contact)
        }
        let words = card.extended(.keywords)?.split(separator: " ").compactMap {
            DogKeyword(rawValue: $0.lowercased())
        }
        self.init(
            uid: card.line("UID")?.readableText ?? "",
            profile: ProfileFields(
                nickname: Contact.name(card), dogName: card.extended(.dogName),
                age: card.extended(.age).flatMap { Int32($0) }.map { Int($0) },
                sex: card.extended(.sex).flatMap { DogSex(rawValue: $0.lowercased()) },
                neutered: card.extended(.neutered).flatMap { Contact.answer($0) },
                size: card.extended(.size).flatMap { DogSize(rawValue: $0.lowercased()) },
                keywords: words.flatMap { $0.isEmpty ? nil : $0 }),
            notes: card.line("NOTE")?.readableText.nonEmpty,
            photo: card.lines.lazy.filter { $0.name == "PHOTO" }.compactMap(Contact.picture).first,
            changed: card.line("REV").flatMap { line in
                CalendarTime(line.value.prefix { $0 != "Z" && $0 != "." })?
                    .moment(offsetSeconds: 0)
            })
    }

    /// Returns the name that a person is called by: the nickname, else the formatted name, else the
    /// given and the family name.
    private static func name(_ card: Component) -> String? {
        if let nickname = card.line("NICKNAME")?.readable.list.first?.nonEmpty { return nickname }
        if let name = card.line("FN")?.readableText.nonEmpty { return name }
        guard let parts = card.line("N")?.readable.components else { return nil }
        return [parts.dropFirst().first, parts.first].compactMap { $0 }.joined(separator: " ")
            .nonEmpty
    }

    private static func answer(_ text: String) -> Bool? {
        ["yes": true, "no": false][text.lowercased()]
    }

    /// Returns the bytes of a picture that is in the file.
    private static func picture(_ line: ContentLine) -> [UInt8]? {
        var text = line.value[...]
        if text.prefix(5).lowercased() == "data:" {
            guard let comma = text.firstIndex(of: ","),
                text[..<comma].lowercased().hasSuffix(";base64")
            else { return nil }
            text = text[text.index(after: comma)...]
        } else {
            guard
                line.has("ENCODING", "B") || line.has("ENCODING", "BASE64")
                    || line.has("TYPE", "BASE64")
            else { return nil }
        }
        let data = Data(base64Encoded: String(text), options: .ignoreUnknownCharacters)
        return data.map { Array($0) }.flatMap { kind(of: $0) == nil ? nil : $0 }
    }
}

extension Component {
    /// Returns the text of an extended field.
    fileprivate func extended(_ field: Contact.Extension) -> String? {
        line(field.rawValue)?.readableText.nonEmpty
    }
}

extension ContentLine {
    /// The text, with quoted-printable decoded.
    fileprivate var readableText: String { readable.text }

    /// The line with its value decoded, if that is quoted-printable, as in vCard 2.1.
    fileprivate var readable: ContentLine {
        guard has("ENCODING", "QUOTED-PRINTABLE") || has("TYPE", "QUOTED-PRINTABLE") else {
            return self
        }
        var bytes: [UInt8] = []
        var rest = value.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return ContentLine(self, value: String(decoding: bytes, as: UTF8.self))
    }
}
