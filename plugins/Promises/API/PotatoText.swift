public import Contract

/// Potatoes in words: what being late costs, and what a person owes.
public enum PotatoText {
    /// Returns a number of potatoes, as in "1 potato" or "1,500 potatoes".
    public static func count(_ potatoes: Int) -> Sentence {
        Sentence(
            count: potatoes, one: "1 potato", other: "\(NumberText.grouped(potatoes)) potatoes")
    }
}
