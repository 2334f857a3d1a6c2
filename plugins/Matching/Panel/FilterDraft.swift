import Contract
import MatchingAPI
import PanelKit

/// The user's filters as they are chosen, before they are saved.
struct FilterDraft: Equatable, Sendable {
    /// The only gender to list; nil for all.
    var gender: MatchingGender?
    /// Whether only some ages are listed.
    var isByAge = false
    /// The lowest age, if only some are listed.
    var ageMin = FilterDraft.ages.lowerBound
    /// The highest age, if only some are listed.
    var ageMax = FilterDraft.ages.upperBound

    /// The ages that can be chosen.
    static let ages = 18...65

    /// No filter.
    init() {}

    /// Begins with the filters of the user.
    init(_ filters: MatchingFilters) {
        gender = filters.gender
        isByAge = filters.ageMin != nil || filters.ageMax != nil
        ageMin = filters.ageMin?.value ?? Self.ages.lowerBound
        ageMax = filters.ageMax?.value ?? Self.ages.upperBound
    }

    /// The reason why nobody can pass the filters; nil if they can be saved.
    var fault: String? {
        isByAge && ageMin > ageMax
            ? localized("The lowest age is above the highest: nobody is in between.") : nil
    }

    /// The request that saves them in place of all earlier ones.
    var request: EditMatchingFilters {
        EditMatchingFilters(
            gender: gender, ageMin: isByAge ? FilterAge(clamping: ageMin) : nil,
            ageMax: isByAge ? FilterAge(clamping: ageMax) : nil, clear: true)
    }

    /// The filters in words, such as "Woman, 20 to 30 years"; nil if everyone is listed.
    var sentence: String? {
        let parts = [
            gender.map(GenderText.name),
            isByAge ? localized("\(ageMin) to \(ageMax) years") : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// Genders in words: of people, for whom some languages have other words than for dogs.
enum GenderText {
    /// Returns the word for a gender.
    static func name(_ gender: MatchingGender) -> String {
        switch gender {
        case .female: localized("Woman")
        case .male: localized("Man")
        case .other: localized("Other gender")
        }
    }
}
