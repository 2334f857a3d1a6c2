internal import Foundation
internal import PluginKit

/// The title and the body of an inbox item as sentences, which the item stores beside the English
/// texts: `{"title":{"template":"New messages from %1","arguments":["Mina"]},"body":{…}}`.
struct InboxSentences: Codable {
    var title: Sentence?
    var body: Sentence?

    /// Takes over the sentences of an item.
    init(_ item: InboxItem) { (title, body) = (item.title, item.body) }

    /// Reads stored sentences; nil if another program stored something else.
    init?(stored text: String) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
            return nil
        }
        self = read
    }

    /// The text to store; nil if it is over its limit.
    var stored: String? {
        guard let bytes = try? JSONEncoder().encode(self),
            bytes.count <= InboxLimits.sentencesBytesMax
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a stored sentence if it says a text in English, else the text.
    static func sentence(_ stored: Sentence?, of text: String) -> Sentence {
        if let stored, stored.english == text { stored } else { Sentence(verbatim: text) }
    }
}

extension TextRule {
    /// Returns a sentence if its English text keeps the rule; else the part of that text that may
    /// be shown, or nil if nothing is left.
    func clip(_ sentence: Sentence) -> Sentence? {
        let english = sentence.english
        guard let text = clip(english) else { return nil }
        return text == english ? sentence : Sentence(verbatim: text)
    }
}
