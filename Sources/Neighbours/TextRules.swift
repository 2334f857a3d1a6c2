internal import PluginKit

/// What the texts of the core feature set may be.
extension TextRule {
    /// A nickname.
    static let nickname = TextRule(what: "A nickname", characters: 2...8)
    /// A dog's name.
    static let dogName = TextRule(what: "A dog's name", characters: 1...15)
    /// The message of a walk request.
    static let message = TextRule(what: "A message", characters: 1...100)
    /// The name of a place.
    static let place = TextRule(what: "A place's name", characters: 1...50)
    /// What is noted with a block.
    static let blockText = TextRule(what: "The text of a report", characters: 1...100)
    /// What a group is called.
    static let groupName = TextRule(what: "A group's name", characters: 1...40)
    /// A note in a group.
    static let note = TextRule(what: "A note", characters: 1...300)
}
