internal import PluginKit

/// The rules for texts of others that the core features store and show. The parameters of a command
/// follow the constraint types of its request, with the same numbers.
extension TextRule {
    /// A dog's name.
    static let dogName = Text<1, 15>.rule
    /// The message of a walk request.
    static let message = Text<1, 100>.rule
    /// The name of a location.
    static let locationName = Text<1, 50>.rule
    /// The text that is stored with a block.
    static let blockText = Text<1, 100>.rule
    /// The name of a group.
    static let groupName = Text<1, 40>.rule
    /// A note in a group.
    static let note = Text<1, 300>.rule
}
