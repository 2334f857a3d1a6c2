internal import NodeAPI
internal import Notifications
internal import PluginKit

/// The values that a setting may have.
enum SettingType: Hashable, Sendable {
    /// One of these words.
    case choice([String])
    /// A time of each day, or `off`.
    case hours
    /// A whole number.
    case whole(ClosedRange<Int>)
    /// The absolute path of a file, or `none`. The file need not be there: its disk may be absent.
    case file
    /// A value that is only shown, and how it is chosen, as the rest of a sentence.
    case shown(Sentence)

    /// On or off.
    static let onOff = SettingType.choice(["on", "off"])

    /// The values as the rest of a sentence.
    var allowed: Sentence {
        switch self {
        case .choice(let words):
            "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
        case .hours: "off, or the hours of each day, such as 22:00-07:00"
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .shown(let sentence): sentence
        case .file: "none, or the full path of a file, beginning with /"
        }
    }

    /// The words, if it is a choice of some.
    var choices: [String] { if case .choice(let words) = self { words } else { [] } }

    /// Returns a value in the form in which it is stored; nil if it is not allowed.
    func canonical(_ text: String) -> String? {
        switch self {
        case .choice(let words): words.first { $0 == text.lowercased() }
        case .hours: text.lowercased() == "off" ? "off" : QuietHours(text)?.description
        case .whole(let range):
            Int(text).flatMap { range.contains($0) ? String($0) : nil }
        case .shown: nil
        case .file: text == FileSetting.none ? text : (try? FilePath(text))?.string
        }
    }
}
