internal import PluginKit

/// My whole profile as it is stored: the card that mates read, and the fields that I keep private.
struct StoredProfile {
    /// The fields in my card.
    var card: Profile
    /// The fields that stay on my devices.
    var own: Profile
    /// The fields that I chose to keep private.
    var keptPrivate: Set<ProfileField>
    /// The key by which mates recognise my announcements; nil before the first start.
    var tagKey: [UInt8]?

    /// Reads the rows of both tables, if they exist.
    init(card: Row?, own: Row?) {
        self.card = card.map { Profile($0) } ?? Profile()
        self.own = own.map { Profile($0) } ?? Profile()
        let kept = own?.texts("kept_private")?.compactMap(ProfileField.init) ?? []
        keptPrivate = Set(kept.filter(\.isOptional))
        tagKey = card?.bytes("tag_key")
    }

    /// All fields, each from the table it belongs to. A value that a crash left in the other table
    /// still counts.
    var whole: Profile {
        var values: [ProfileField: Value] = [:]
        for field in ProfileField.allCases {
            let (first, second) = keptPrivate.contains(field) ? (own, card) : (card, own)
            values[field] = first.values[field] ?? second.values[field]
        }
        return Profile(values)
    }

    /// The private fields, in the order of the profile.
    var kept: [OptionalField] {
        ProfileField.allCases.filter(keptPrivate.contains).compactMap(\.optional)
    }

    /// The fields that mates and a drop receive.
    var shownCard: ProfileFields {
        Profile(card.values.filter { !keptPrivate.contains($0.key) }).fields
    }
}
