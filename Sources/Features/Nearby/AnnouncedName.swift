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

    /// Returns the name in a card, or nil if it has none.
    func text(in card: ProfileFields) -> String? {
        switch self {
        case .nickname: card.nickname
        case .dogName: card.dogName
        }
    }

    /// The declaration of the field in the manifest.
    var field: Manifest.AnnouncedField {
        .init(key, bytesMax: Self.bytesMax, shown: .whileVisible)
    }

    /// The limits of the announced part of the name, for the sender and the receiver.
    private var rule: TextRule {
        TextRule(
            characters: 1...charactersMax, bytesMax: Self.bytesMax, hasInvisible: false)
    }

    /// Returns the bytes to announce for a name; nil if no part of it can be shown.
    func bytes(of name: String) -> [UInt8]? { rule.clip(name).map { Array($0.utf8) } }

    /// Returns the part of an announced name that may be shown, or nil if there is none or it
    /// contains a muted word.
    func text(in fields: AnnouncedFields, _ muted: MutedWords) -> String? {
        fields[key].flatMap { String(validating: $0, as: UTF8.self) }.flatMap(rule.clip)
            .flatMap(muted.shown)
    }
}
