/// Ids in files for other programs. Each stays the same for the same record, and tells nothing of
/// the record's own id or of a person's key.
public enum OutsideID {
    /// Returns a UUID that follows from a record's id or a person's key, as in
    /// `2f1c36f0-5b0a-8b7e-9c62-0f4c1b0b5a11`.
    public static func uuid(of id: some Sequence<UInt8>) -> String {
        var bytes = Digest.outside.hash(id).bytes.prefix(16).map { $0 }
        // Version 8, made by a rule of our own, and the variant of RFC 9562.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Hexadecimal.text(bytes)
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }
}
