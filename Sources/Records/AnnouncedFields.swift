/// The fields that the plugins of a device announce to everyone on the network, by key. Only the
/// plugin that declares a key interprets its bytes.
///
/// The limits hold for every value of this type, whatever the source of its fields:
/// ```swift
/// var fields = AnnouncedFields()
/// fields.insert("n", Array("Mari".utf8))  // true
/// fields.insert("name", [1])  // false: a key has one to three letters
/// ```
public struct AnnouncedFields: Hashable, Sendable {
    private var values: [String: [UInt8]] = [:]
    /// The length of the fields as strings `key=value` with a length byte each.
    public private(set) var bytesCount = 0

    /// No field is announced.
    public init() {}

    /// The keys in alphabetical order.
    public var keys: [String] { values.keys.sorted() }

    /// Whether nothing is announced.
    public var isEmpty: Bool { values.isEmpty }

    /// The bytes of a field, 1 to ``Limits/announcedFieldBytesMax``; nil if it is not announced.
    public subscript(key: String) -> [UInt8]? { values[key] }

    /// Adds a field.
    /// - Returns: false, and nothing is added, if the key is invalid or already there, if the bytes
    ///   are empty or over their limit, or if all fields together are over theirs.
    @discardableResult
    public mutating func insert(_ key: String, _ bytes: [UInt8]) -> Bool {
        let added = Self.bytesCount(keyBytes: key.utf8.count, bytes: bytes.count)
        guard Self.isKey(key), values[key] == nil,
            1...Limits.announcedFieldBytesMax ~= bytes.count,
            values.count < Limits.announcedFieldsMax,
            bytesCount + added <= Limits.announcedBytesMax
        else { return false }
        values[key] = bytes
        bytesCount += added
        return true
    }

    /// The fields whose keys are among these.
    public func only(_ keys: Set<String>) -> AnnouncedFields {
        var kept = AnnouncedFields()
        for (key, bytes) in values where keys.contains(key) { kept.insert(key, bytes) }
        return kept
    }

    /// The keys under which a device's protocol version and tag are announced.
    public static let reservedKeys: Set<String> = ["v", "t"]

    /// Whether a text can be a key: one to three lower-case letters, and not reserved.
    public static func isKey(_ text: String) -> Bool {
        !reservedKeys.contains(text)
            && 1...Limits.announcedKeyLettersMax ~= text.utf8.count
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// The form of a field that every node reads alike, whichever plugin declares it. Nodes that
    /// speak version 1 only ignore a whole announcement in which the field has another form.
    public struct FixedForm: Hashable, Sendable {
        /// The number of lower-case hexadecimal digits that the value has.
        public let digitsCount: Int

        /// Whether bytes have the form.
        public func admits(_ bytes: [UInt8]) -> Bool {
            bytes.count == digitsCount
                && bytes.allSatisfy {
                    UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                        || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
                }
        }
    }

    /// The fields with a fixed form, by key. They are announced while the person is visible to
    /// everyone, and at no other time.
    public static let fixedForms = ["i": FixedForm(digitsCount: 22)]

    /// The length of one field as a string `key=value` with its length byte.
    public static func bytesCount(keyBytes: Int, bytes: Int) -> Int { keyBytes + bytes + 2 }
}

extension Limits {
    /// Letters of an announced field's key.
    public static let announcedKeyLettersMax = 3
    /// One announced field, in bytes.
    public static let announcedFieldBytesMax = 96
    /// Fields that one device announces: with version and tag they are the 16 strings of a TXT
    /// record.
    public static let announcedFieldsMax = 14
    /// All fields that one device announces, in bytes as in ``AnnouncedFields/bytesCount``: with
    /// the 23 bytes of version and tag they are the 400 bytes of a TXT record.
    public static let announcedBytesMax = 377
}
