/// A word as the topic of a sentence that is put together from parts. Korean marks it by a
/// particle: "Your name" stays, "내 이름" becomes "내 이름은".
public enum TopicText {
    /// Returns a word with the mark of a topic.
    public static func marked(
        _ word: String, in language: Language = Catalogue.current.language
    ) -> String {
        switch language {
        case .en: word
        case .ko: word + (Particle(marker: "은/는")?.form(after: word) ?? "")
        }
    }
}
