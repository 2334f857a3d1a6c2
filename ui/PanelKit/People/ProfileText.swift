public import Contract
public import FeaturesAPI

extension ShownProfile {
    /// The person's name; a missing one is replaced by words.
    public var displayName: String { nickname?.string ?? localized("Someone without a name") }

    /// The dog in a short line, such as "Bori, 3 years". The other facts are in ``rows``.
    public var dogLine: String? {
        let years = age.map { DogAgeText.years($0.value) }
        let parts = [dogName?.string, years].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension MateList.Mate {
    /// The user's own nickname for the mate, else the mate's name; nil if there is neither.
    public var name: String? { ownNickname?.string ?? profile.nickname?.string }

    /// The name that is shown: ``name``, or words in place of a missing one.
    public var displayName: String { ownNickname?.string ?? profile.displayName }
}
