public import Records

// Version 1 sends the fields `f` (flags), `n` and `g` (names) as PRESENCE, and no others.
extension Presence {
    private static let dropOpen = UInt8(ascii: "d")
    private static let seeking = UInt8(ascii: "s")

    /// Keeps the part of announced fields that PRESENCE can hold.
    public init(_ fields: AnnouncedFields) {
        func name(_ key: String) -> String {
            fields[key].flatMap { String(validating: $0, as: UTF8.self) } ?? ""
        }
        let flags = fields["f"] ?? []
        self.init(
            dropOpen: flags.contains(Self.dropOpen), seeking: flags.contains(Self.seeking),
            nickname: name("n"), dogName: name("g"))
    }

    /// The same as announced fields. A name that is too long for a field is cut at a whole
    /// character.
    public var fields: AnnouncedFields {
        var fields = AnnouncedFields()
        fields.insert("f", (dropOpen ? [Self.dropOpen] : []) + (seeking ? [Self.seeking] : []))
        for (key, name) in [("n", nickname), ("g", dogName)] {
            var name = name
            while name.utf8.count > Limits.announcedFieldBytesMax { name.removeLast() }
            fields.insert(key, Array(name.utf8))
        }
        return fields
    }
}
