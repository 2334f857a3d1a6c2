import PluginKit
import TestSupport
import Testing

@testable import Features

/// The tables of the core as the first homes have them. Homes, backups and peers depend on them.
@Suite struct SchemaTests {
    /// The columns of each table after those that every table has.
    private static let columns: [String: String] = [
        "neighbours_acquaintance":
            "nickname TEXT, dog_name TEXT, age INTEGER, sex TEXT, neutered INTEGER, "
            + "size TEXT, keywords TEXT, person BLOB, met_ms INTEGER",
        "neighbours_block":
            "person BLOB, is_active INTEGER, reason TEXT, text TEXT, at_ms INTEGER",
        "neighbours_device_name": "device BLOB, name TEXT, at_ms INTEGER",
        "neighbours_edge": "meeting BLOB, proposed_ms INTEGER",
        "neighbours_ending": "meeting BLOB",
        "neighbours_group": "name TEXT, nickname TEXT",
        "neighbours_inbox":
            "kind TEXT, reference TEXT, title TEXT, body TEXT, actions TEXT, "
            + "at_ms INTEGER, handled INTEGER, person BLOB, sentences TEXT, "
            + "posting INTEGER, handled_posting INTEGER, occasion TEXT",
        "neighbours_invitation":
            "descriptor BLOB, feature TEXT, name TEXT, role TEXT, word TEXT, "
            + "at_ms INTEGER",
        "neighbours_correspondence": "request BLOB, at_ms INTEGER, name TEXT, proof BLOB",
        "neighbours_correspondence_ending":
            "request BLOB, at_ms INTEGER, is_cancel INTEGER, is_known INTEGER",
        "neighbours_match": "match BLOB, at_ms INTEGER, name TEXT, proof BLOB",
        "neighbours_match_ending":
            "match BLOB, at_ms INTEGER, is_cancel INTEGER, is_known INTEGER",
        "neighbours_match_partner": "person BLOB",
        "neighbours_muted_word": "word TEXT",
        "neighbours_neighbourhood": "name TEXT, at_ms INTEGER",
        "neighbours_note": "text TEXT, at_ms INTEGER",
        "neighbours_own_group": "descriptor BLOB",
        "neighbours_own_nickname": "person BLOB, nickname TEXT, at_ms INTEGER",
        "neighbours_place":
            "latitude REAL, longitude REAL, accuracy_metres REAL, at_ms INTEGER, device BLOB",
        "neighbours_private_profile":
            "nickname TEXT, dog_name TEXT, age INTEGER, sex TEXT, neutered INTEGER, "
            + "size TEXT, keywords TEXT, kept_private TEXT",
        "neighbours_photo": "photo BLOB, at_ms INTEGER, thumbnail BLOB",
        "neighbours_profile":
            "nickname TEXT, dog_name TEXT, age INTEGER, sex TEXT, neutered INTEGER, "
            + "size TEXT, keywords TEXT, tag_key BLOB",
        "neighbours_walk":
            "receiver BLOB, latitude REAL, longitude REAL, place TEXT, message TEXT, "
            + "created_ms INTEGER, at_ms INTEGER, cancelled INTEGER, answer TEXT, "
            + "answer_age_ms INTEGER, missed INTEGER, note TEXT",
    ]
    private static let indexes = [
        #"CREATE INDEX "neighbours_correspondence_index0" ON "neighbours_correspondence" "#
            + #"("space", "request")"#,
        #"CREATE INDEX "neighbours_correspondence_ending_index0" "#
            + #"ON "neighbours_correspondence_ending" ("space", "request")"#,
        #"CREATE INDEX "neighbours_inbox_index0" ON "neighbours_inbox" ("kind", "reference")"#,
        #"CREATE INDEX "neighbours_invitation_index0" ON "neighbours_invitation" "#
            + #"("space", "creator", "stamp")"#,
        #"CREATE INDEX "neighbours_match_index0" ON "neighbours_match" ("space", "match")"#,
        #"CREATE INDEX "neighbours_match_ending_index0" ON "neighbours_match_ending" "#
            + #"("space", "match")"#,
        #"CREATE INDEX "neighbours_own_group_index0" ON "neighbours_own_group" ("descriptor")"#,
        #"CREATE INDEX "neighbours_profile_index0" ON "neighbours_profile" ("creator")"#,
        #"CREATE INDEX "neighbours_photo_index0" ON "neighbours_photo" ("creator")"#,
        #"CREATE INDEX "neighbours_walk_index0" ON "neighbours_walk" ("created_ms")"#,
    ]

    private static func sql(of table: String, _ columns: String) -> String {
        let quoted = columns.split(separator: ", ").map { column in
            let parts = column.split(separator: " ")
            return "\"\(parts[0])\" \(parts[1])"
        }.joined(separator: ", ")
        return """
            CREATE TABLE "\(table)" (space INTEGER NOT NULL, entity BLOB NOT NULL, \
            creator BLOB NOT NULL, stamp INTEGER NOT NULL, log INTEGER NOT NULL, \
            number INTEGER NOT NULL, \(quoted), PRIMARY KEY (space, entity)) WITHOUT ROWID
            """
    }

    @Test func `the core's tables are those of the first homes`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [CoreFeatures.self])
            let rows = try await host.rows(
                """
                SELECT sql FROM sqlite_master WHERE type IN ('table', 'index')
                    AND tbl_name LIKE 'neighbours#_%' ESCAPE '#' AND sql IS NOT NULL
                """)
            let expected = Self.columns.map(Self.sql) + Self.indexes
            #expect(Set(rows.compactMap { $0.text("sql") }) == Set(expected))
            #expect(rows.count == expected.count)
        }
    }

    @Test func `every collection and view keeps the historic prefix`() {
        let manifest = CoreFeatures.manifest
        #expect(manifest.id == "neighbours")
        #expect(manifest.collections.allSatisfy { $0.name.hasPrefix("neighbours.") })
        #expect(manifest.views.allSatisfy { $0.name.hasPrefix("neighbours_") })
        #expect(
            manifest.events.map(\.topic).sorted()
                == [
                    "devices", "group", "inbox", "location", "mates", "me", "muted", "nearby",
                    "neighbourhoods", "ranging", "walk",
                ])
        #expect(manifest.ephemeralTopics == ["location"])
    }
}
