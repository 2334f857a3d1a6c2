internal import PluginKit

/// My whole profile as it is stored: the card that mates read, and the fields that I keep private.
struct StoredProfile {
    /// The fields in my card.
    var card: Profile
    /// The fields that stay on my devices.
    var own: Profile
    /// The fields that I chose to keep private.
    var keptPrivate: Set<OptionalField>
    /// The key by which mates recognise my announcements; nil before the first start.
    var tagKey: [UInt8]?

    /// Reads the rows of both tables, if they exist.
    init(card: Row?, own: Row?) {
        self.card = card.map { Profile($0) } ?? Profile()
        self.own = own.map { Profile($0) } ?? Profile()
        let kept = own?.texts("kept_private")?.compactMap(OptionalField.init) ?? []
        keptPrivate = Set(kept)
        tagKey = card?.bytes("tag_key")
    }

    /// All fields, each from the table it belongs to. A value that a crash left in the other table
    /// still counts.
    var whole: Profile {
        var values: [ProfileField: Value] = [:]
        for field in ProfileField.allCases {
            let (first, second) = isKeptPrivate(field) ? (own, card) : (card, own)
            values[field] = first.values[field] ?? second.values[field]
        }
        return Profile(values)
    }

    /// The private fields, in the order of the profile.
    var kept: [OptionalField] { OptionalField.allCases.filter(keptPrivate.contains) }

    /// Whether the photo is kept private.
    var keepsPhotoPrivate: Bool { keptPrivate.contains(.photo) }

    private func isKeptPrivate(_ field: ProfileField) -> Bool {
        field.optional.map(keptPrivate.contains) ?? false
    }

    /// Whether the card has a field that is kept private.
    var showsPrivateField: Bool { card.values.keys.contains(where: isKeptPrivate) }

    /// The fields that mates and a drop receive.
    var shownCard: ProfileFields {
        Profile(card.values.filter { !isKeptPrivate($0.key) }).fields
    }
}
