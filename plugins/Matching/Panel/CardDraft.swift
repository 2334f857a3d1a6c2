import Contract
import MatchingAPI
import PanelKit

/// The user's age and gender for matching as they are chosen, before they are saved.
struct CardDraft: Equatable, Sendable {
    /// Whether the age is shown.
    var showsAge = false
    /// The age, if it is shown.
    var age = CardDraft.ageAtFirst
    /// The gender; nil keeps it private.
    var gender: MatchingGender?

    /// The ages that can be shown.
    static let ages = 17...99
    private static let ageAtFirst = 25

    /// Keeps both private.
    init() {}

    /// Begins with what the user shows.
    init(_ card: MatchingCard) {
        showsAge = card.age != nil
        age = card.age?.value ?? Self.ageAtFirst
        gender = card.gender
    }

    /// The request that saves both.
    var request: EditMatchingCard {
        let removed: [MatchingCardField] =
            (showsAge ? [] : [.age]) + (gender == nil ? [.gender] : [])
        return EditMatchingCard(
            age: showsAge ? MatchingAge(clamping: age) : nil, gender: gender,
            without: removed.isEmpty ? nil : removed)
    }

    /// The age and gender that others see, in words.
    var sentence: String {
        let parts = [
            showsAge ? localized("\(age) years old") : nil, gender.map(GenderText.name),
        ].compactMap { $0 }
        return parts.isEmpty
            ? localized("You keep your age and gender private.") : parts.joined(separator: ", ")
    }
}
