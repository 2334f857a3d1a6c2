import Contract
import InterestsAPI
import PanelKit

/// The interests that are chosen so far, before they are saved.
struct InterestDraft: Equatable, Sendable {
    /// The chosen interests.
    private(set) var chosen: Set<Interest>

    /// Begins with the interests of the user.
    init(_ chosen: [Interest] = []) { self.chosen = Set(chosen) }

    /// Whether no further one can be chosen.
    var isFull: Bool { chosen.count >= ChosenInterests.count.upperBound }

    /// Whether they can be saved.
    var isComplete: Bool { ChosenInterests.count.contains(chosen.count) }

    /// Chooses an interest, or no longer; one that is too many is ignored.
    mutating func set(_ interest: Interest, isChosen: Bool) {
        if !isChosen {
            chosen.remove(interest)
        } else if !isFull {
            chosen.insert(interest)
        }
    }

    /// The number of chosen interests, and how many are missing.
    var sentence: String {
        let missing = ChosenInterests.count.lowerBound - chosen.count
        if missing > 0 {
            return localized("\(chosen.count) chosen, at least \(missing) to go")
        }
        return isFull
            ? localized("\(chosen.count) chosen (the maximum)")
            : localized("\(chosen.count) of \(ChosenInterests.count.upperBound) chosen")
    }

    /// The request that saves them.
    /// - Throws: ``CommandFault/usage(_:field:)`` for fewer than 5.
    func request() throws(CommandFault) -> ChooseInterests {
        ChooseInterests(interest: try ChosenInterests(Array(chosen)))
    }
}
