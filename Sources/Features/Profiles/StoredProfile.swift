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
        keptPrivate = Set(own?.texts("kept_private")?.compactMap(ProfileField.init) ?? [])
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

    /// The names of the private fields, in the order of the profile.
    var keptNames: [String] {
        ProfileField.allCases.filter(keptPrivate.contains).map(\.name)
    }

    /// The fields that mates and a drop receive.
    var shownCard: [String: JSONValue] {
        card.shown.filter { name, _ in !keptNames.contains(name) }
    }
}
