// The text of an announcement, as DNS-SD carries it: strings "key=value" of at most 255 bytes.
//
//     v  protocol version, decimal          t  tag, 16 hexadecimal digits
//     f  flags: d drop open, s seeking      n  nickname
//     g  dog name                           i  interests, 22 hexadecimal digits
//
// Keys and flags that are not known are passed over, so that newer nodes may add some.

extension Announcement {
    private enum Key: String {
        case version = "v"
        case tag = "t"
        case flags = "f"
        case nickname = "n"
        case dogName = "g"
        case interests = "i"
    }

    /// The strings to announce; the port travels beside them.
    public var text: [[UInt8]] {
        var strings = [entry(.version, "\(protocolVersion)"), entry(.tag, tag.description)]
        let flags = (dropOpen ? "d" : "") + (seeking ? "s" : "")
        if !flags.isEmpty { strings.append(entry(.flags, flags)) }
        if let nickname = introduction?.nickname { strings.append(entry(.nickname, nickname)) }
        if let dogName = introduction?.dogName { strings.append(entry(.dogName, dogName)) }
        if let interests = introduction?.interests {
            strings.append(entry(.interests, interests.hexadecimal))
        }
        return strings
    }

    private func entry(_ key: Key, _ value: String) -> [UInt8] {
        Array("\(key.rawValue)=\(value)".utf8)
    }

    /// Reads what somebody announced.
    /// - Throws: the first ``AnnouncementFault`` found.
    public init(text strings: [[UInt8]], port: UInt16) throws(AnnouncementFault) {
        try Self.checkSize(of: strings, port: port)
        let values = try Self.values(in: strings)
        guard let version = values[.version], let number = UInt8(version), number > 0,
            String(number) == version
        else { throw .badVersion }
        guard let tag = values[.tag].flatMap({ DeviceTag(hexadecimal: $0) }) else { throw .badTag }
        let flags = values[.flags] ?? ""
        let introduction = try Self.introduction(in: values)
        guard
            let announcement = Self(
                protocolVersion: number, tag: tag, port: port, dropOpen: flags.contains("d"),
                seeking: flags.contains("s"), introduction: introduction)
        else { throw .noPort }
        self = announcement
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

    /// The values of the keys we know. DNS-SD compares keys without regard to case.
    private static func values(
        in strings: [[UInt8]]
    ) throws(AnnouncementFault) -> [Key: String] {
        var values: [Key: String] = [:]
        for string in strings {
            let parts = string.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(validating: parts[0], as: UTF8.self)?.lowercased(),
                let key = Key(rawValue: name)
            else { continue }
            guard let value = String(validating: parts.count > 1 ? parts[1] : [], as: UTF8.self)
            else { throw .badText(key: name) }
            guard values.updateValue(value, forKey: key) == nil else { throw .duplicateKey(name) }
        }
        return values
    }

    private static func introduction(
        in values: [Key: String]
    ) throws(AnnouncementFault) -> Introduction? {
        let nickname = try name(.nickname, in: values, DiscoveryLimits.nicknameCharactersMax)
        let dogName = try name(.dogName, in: values, DiscoveryLimits.dogNameCharactersMax)
        let interests = values[.interests].map { Interests(hexadecimal: $0) }
        if case .some(.none) = interests { throw .badInterests }
        if nickname == nil, dogName == nil, interests == nil { return nil }
        return Introduction(nickname: nickname, dogName: dogName, interests: interests ?? nil)
    }

    private static func name(
        _ key: Key, in values: [Key: String], _ charactersMax: Int
    ) throws(AnnouncementFault) -> String? {
        guard let name = values[key] else { return nil }
        guard Introduction.isName(name, charactersMax: charactersMax) else {
            throw .badName(key: key.rawValue)
        }
        return name
    }
}
