import Contract
import FeaturesAPI
import PanelKit

/// The reason for a block, as the user chooses it.
struct BlockForm: Equatable {
    /// A reason that can be chosen.
    enum Choice: CaseIterable {
        case none, violent, unpleasant, other

        /// The reason in words.
        var title: String {
            switch self {
            case .none: localized("No reason")
            case .violent: localized("Violent behaviour on a walk")
            case .unpleasant: localized("Unpleasant remarks")
            case .other: localized("Another reason")
            }
        }
    }

    var choice = Choice.none
    /// The user's own words; they count only for another reason.
    var text = ""

    /// Returns the request that blocks a person.
    /// - Throws: ``CommandFault/usage(_:field:)`` if the user's own words break their rule.
    func request(about person: Key) throws(CommandFault) -> BlockPerson {
        let reason: BlockReason =
            switch choice {
            case .violent: .violent
            case .unpleasant: .unpleasant
            case .none, .other: .other
            }
        let words = choice == .other ? text.trimmed : ""
        return BlockPerson(
            person: NameOrKey(person), reason: reason,
            text: try words.isEmpty ? nil : BlockText(words, field: "text"))
    }
}
