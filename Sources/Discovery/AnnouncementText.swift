internal import Records

// The TXT record of an announcement, as DNS-SD carries it: strings "key=value" of at most 255
// bytes.
//
//     v  protocol version, decimal
//     t  tag, 16 hexadecimal digits
//
// and the fields of plugins, each with a key of one to three lower-case letters. All other strings
// are ignored, so that newer nodes may add some.

extension Announcement {
    private static let versionKey = "v"
    private static let tagKey = "t"

    /// The strings to announce. The port is announced separately.
    public var text: [[UInt8]] {
        let own = ["\(Self.versionKey)=\(protocolVersion)", "\(Self.tagKey)=\(tag)"]
        return own.map { Array($0.utf8) }
            + fields.keys.map { Array("\($0)=".utf8) + (fields[$0] ?? []) }
    }

    /// Decodes a received announcement.
    /// - Throws: the first ``AnnouncementFault`` found.
    public init(text strings: [[UInt8]], port: UInt16) throws(AnnouncementFault) {
        try Self.checkSize(of: strings, port: port)
        var values = try Self.values(in: strings)
        guard let version = Self.removeText(Self.versionKey, from: &values),
            let number = UInt8(version), number > 0, String(number) == version
        else { throw .badVersion }
        guard let digits = Self.removeText(Self.tagKey, from: &values),
            let tag = DeviceTag(hexadecimal: digits)
        else { throw .badTag }
        var fields = AnnouncedFields()
        for (key, bytes) in values.sorted(by: { $0.key < $1.key }) { fields.insert(key, bytes) }
        guard
            let announcement = Self(
                protocolVersion: number, tag: tag, port: port, fields: fields)
        else { throw .noPort }
        self = announcement
    }

    private static func removeText(
        _ key: String, from values: inout [String: [UInt8]]
    ) -> String? {
        values.removeValue(forKey: key).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func checkSize(
        of strings: [[UInt8]], port: UInt16
    ) throws(AnnouncementFault) {
        guard strings.count <= DiscoveryLimits.textStringsMax else {
            throw .tooManyStrings(count: strings.count)
        }
        let bytes = strings.reduce(0) { $0 + $1.count + 1 }
        guard bytes <= DiscoveryLimits.textBytesMax else { throw .tooLong(bytes: bytes) }
        guard port > 0 else { throw .noPort }
        if let long = strings.first(where: { $0.count > DiscoveryLimits.textStringBytesMax }) {
            throw .stringTooLong(bytes: long.count)
        }
    }

    /// The values of the strings that may be fields. DNS-SD compares keys without regard to case. A
    /// plugin's field that occurs twice is ignored, because nothing says which value holds.
    private static func values(
        in strings: [[UInt8]]
    ) throws(AnnouncementFault) -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        var repeated: Set<String> = []
        for string in strings {
            let parts = string.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = String(validating: parts[0], as: UTF8.self)?.lowercased(),
                AnnouncedFields.isKey(key) || AnnouncedFields.reservedKeys.contains(key)
            else { continue }
            let value = parts.count > 1 ? Array(parts[1]) : []
            guard values.updateValue(value, forKey: key) != nil else { continue }
            guard AnnouncedFields.isKey(key) else { throw .duplicateKey(key) }
            repeated.insert(key)
        }
        return values.filter { !repeated.contains($0.key) }
    }
}
