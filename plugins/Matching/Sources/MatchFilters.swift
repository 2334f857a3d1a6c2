internal import MatchingAPI

/// The filters of the list. A filter hides people who do not give the field.
struct MatchFilters: Hashable, Sendable {
    var gender: MatchingGender?
    var ageMin: Int?
    var ageMax: Int?

    /// Whether a person of this age and gender is listed.
    func admits(age: Int?, gender: MatchingGender?) -> Bool {
        if let wanted = self.gender, gender != wanted { return false }
        guard ageMin != nil || ageMax != nil else { return true }
        guard let age else { return false }
        return age >= ageMin ?? 0 && age <= ageMax ?? .max
    }
}
