internal import FeaturesAPI
internal import PluginKit

/// The rules for texts of others that the core features store and show. The parameters of a command
/// follow the constraint types of its request, with the same numbers.
extension TextRule {
    /// A dog's name.
    static let dogName = DogName.rule
    /// The message of a walk request.
    static let message = WalkMessage.rule
    /// The name of a location.
    static let locationName = LocationName.rule
    /// The text that is stored with a block.
    static let blockText = BlockText.rule
    /// The name of a group.
    static let groupName = GroupName.rule
    /// A note in a group.
    static let note = NoteText.rule
}
