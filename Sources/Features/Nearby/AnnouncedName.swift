internal import PluginKit

/// A name that is announced while its person is visible to everyone. It is cut to fit; the card
/// that is sent later has the full name.
enum AnnouncedName: CaseIterable {
    case nickname
    case dogName

    /// An announced name, in bytes of UTF-8.
    static let bytesMax = 96

    /// The key of the announced field.
    var key: String {
        switch self {
        case .nickname: "n"
        case .dogName: "g"
        }
    }

    /// The announced name, in characters as a person counts them.
    var charactersMax: Int {
        switch self {
        case .nickname: 8
        case .dogName: 15
        }
    }

    /// The field of the profile that holds the name.
    var profileField: ProfileField {
        switch self {
        case .nickname: .nickname
        case .dogName: .dogName
        }
    }

    /// The declaration of the field in the manifest.
    var field: Manifest.AnnouncedField {
        .init(key, bytesMax: Self.bytesMax, shown: .whileVisible)
    }

    /// Returns the bytes to announce for a name; nil if no part of it can be shown on one line.
    func bytes(of name: String) -> [UInt8]? { cut(name).map { Array($0.utf8) } }

    /// Returns the part of an announced name that may be shown, or nil if there is none.
    func text(in fields: AnnouncedFields) -> String? {
        let rule = TextRule(characters: 1...charactersMax)
        return fields[key].flatMap { String(validating: $0, as: UTF8.self) }
            .flatMap(rule.clip).flatMap(cut)
    }

    /// Returns a name cut at a whole character, without spaces at its ends.
    private func cut(_ name: String) -> String? {
        var name = String(name.drop(while: \.isWhitespace).prefix(charactersMax))
        while name.utf8.count > Self.bytesMax { name.removeLast() }
        while name.last?.isWhitespace == true { name.removeLast() }
        let isShowable = name.unicodeScalars.allSatisfy(Self.isShowable)
        return name.isEmpty || !isShowable ? nil : name
    }

    /// Returns whether a name may contain a character: no control character, and none that is
    /// invisible or reverses the direction of the text around it.
    private static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        // Joiners make family emoji and Persian words, tag characters make the flag of Scotland;
        // all other format characters are invisible or reverse the text.
        case .format:
            scalar.value == 0x200C || scalar.value == 0x200D
                || (0xE0020...0xE007F).contains(scalar.value)
        default: true
        }
    }
}
