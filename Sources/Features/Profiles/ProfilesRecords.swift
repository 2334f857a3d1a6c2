internal import FeaturesAPI
internal import PluginKit

extension Profiles {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1,
        collections: [profile, privateProfile, ProfilePhotos.collection],
        views: [Manifest.View("neighbours_tag_keys", tagKeysSQL)],
        events: [ProfileEvents.changed.declaration], services: [.files])

    /// The card that my mates read. Fields kept private never enter it.
    static let profile = RecordCollection(
        "neighbours.profile/1", table: "neighbours_profile", spaces: [.card],
        indexes: [["creator"]], isOnePerPerson: true,
        fields: Profile.fields(writer: .owner) + [
            // Every holder of the key recognises my announcements; unmating creates a new one.
            .init(8, "tag_key", .bytes(countMax: 32), writer: .owner)
        ])

    /// The fields that I keep to myself, and their names.
    static let privateProfile = RecordCollection(
        "neighbours.private_profile/1", table: "neighbours_private_profile", spaces: [.own],
        isOnePerPerson: true,
        fields: Profile.fields(writer: .owner) + [
            .init(
                8, "kept_private",
                .texts(
                    countMax: keptPrivateCountMax, bytesMax: ProfileField.wordBytesMax),
                writer: .owner)
        ])

    /// The number of fields that can be kept private. It never changes, as the collection's rules.
    private static let keptPrivateCountMax = 7

    private static let tagKeysSQL = """
        SELECT p.creator AS person, p.tag_key AS key FROM neighbours_profile p
        JOIN waggle_space s ON s.space = p.space AND s.kind = 'card' AND s.person = p.creator
        WHERE length(p.tag_key) >= 16
        """

    /// Adds the keys of announcements.
    static func add(
        to relationships: inout Relationships, reading rows: (_ sql: String) throws -> [Row]
    ) throws {
        for row in try rows("SELECT person, key FROM neighbours_tag_keys") {
            guard let person = row.person("person"), let key = row.bytes("key") else { continue }
            relationships.tagKeys[person] = key
        }
    }
}
