/// What a person shows to strangers while visible to everyone, and never otherwise.
/// Each part is optional on its own.
public struct Introduction: Hashable, Sendable {
    /// The person's nickname.
    public let nickname: String?
    /// The dog's name.
    public let dogName: String?
    /// The person's interests.
    public let interests: Interests?

    /// Takes what the profile holds. A name that is too long for an announcement is cut at a whole
    /// character; what cannot be shown on one line is left out. The card sent later has all of it.
    public init(nickname: String? = nil, dogName: String? = nil, interests: Interests? = nil) {
        self.nickname = nickname.flatMap {
            Self.cut($0, charactersMax: DiscoveryLimits.nicknameCharactersMax)
        }
        self.dogName = dogName.flatMap {
            Self.cut($0, charactersMax: DiscoveryLimits.dogNameCharactersMax)
        }
        self.interests = interests
    }

    private static func cut(_ name: String, charactersMax: Int) -> String? {
        var name = String(name.prefix(charactersMax))
        while name.utf8.count > DiscoveryLimits.nameBytesMax { name.removeLast() }
        while name.last?.isWhitespace == true { name.removeLast() }
        return isName(name, charactersMax: charactersMax) ? name : nil
    }

    /// Whether a text may be shown as a name: not blank, trimmed, one line, no control characters
    /// and nothing that turns the direction of the text around it.
    static func isName(_ text: String, charactersMax: Int) -> Bool {
        guard !text.isEmpty, text.utf8.count <= DiscoveryLimits.nameBytesMax,
            text.count <= charactersMax,
            text.first?.isWhitespace == false, text.last?.isWhitespace == false
        else { return false }
        return text.unicodeScalars.allSatisfy(isShowable)
    }

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
