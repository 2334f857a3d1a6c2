internal import FeaturesAPI
internal import PluginKit

extension Matches {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [match, ending, partner],
        views: [
            Manifest.View("neighbours_matches", matchesSQL),
            Manifest.View("neighbours_match_untold", untoldSQL),
            Manifest.View("neighbours_match_relations", relationsSQL),
            Manifest.View("neighbours_match_people", peopleSQL),
            Manifest.View("neighbours_match_names", namesSQL),
        ])
    static let commands: [CommandHandler] = []

    /// The view of the people of my matches.
    static let peopleView = "neighbours_match_people"

    /// One side's fact of a match. Its id follows from the match, so a person has one for each.
    static let match = RecordCollection(
        "neighbours.match/1", table: "neighbours_match", spaces: [.pair],
        indexes: [["space", "match"]], hasReservedRoom: true,
        fields: [
            .init(1, "match", .bytes(countMax: 16), merge: .append),
            .init(2, "at_ms", .integer(RecordTimes.milliseconds), merge: .append),
            .init(3, "name", .text(bytesMax: TextRule.nickname.bytesMax), merge: .append),
            .init(4, "proof", .bytes(countMax: MatchFact.proofBytesMax), merge: .append),
        ])

    /// The end of a match. A later one of the same person may add that the other side knows.
    static let ending = RecordCollection(
        "neighbours.match_ending/1", table: "neighbours_match_ending", spaces: [.pair],
        indexes: [["space", "match"]], hasReservedRoom: true,
        fields: [
            .init(1, "match", .bytes(countMax: 16), merge: .append),
            .init(2, "at_ms", .integer(RecordTimes.milliseconds), merge: .append),
            .init(3, "is_cancel", .boolean, merge: .append),
            .init(4, "is_known", .boolean, merge: .append),
        ])

    /// A person with whom I stored a match: my other devices open the pair with them.
    static let partner = RecordCollection(
        "neighbours.match_partner/1", table: "neighbours_match_partner", spaces: [.own],
        fields: [.init(1, "person", .key, merge: .append)])

    /// Adds the people of matches that stand, wait for the other side's fact, or have ended without
    /// the other side's knowledge.
    static func add(
        to relationships: inout Relationships, reading rows: (_ sql: String) throws -> [Row]
    ) throws {
        for row in try rows("SELECT person, match_state FROM neighbours_match_relations") {
            guard let person = row.person("person"),
                let kind = row.text("match_state").flatMap({ kinds[$0] })
            else { continue }
            relationships.add(kind, with: person)
        }
    }

    private static let kinds: [String: RelationKind] = Dictionary(
        uniqueKeysWithValues: [RelationKind.matched, .matching, .matchEnding].map {
            ($0.name, $0)
        })

    /// My facts, and what is known of each match.
    private static let matchesSQL = """
        SELECT s.space AS space, s.person AS person, mine.match AS match, mine.at_ms AS at_ms,
            mine.stamp AS stamp, mine.proof AS proof,
            EXISTS (SELECT 1 FROM neighbours_match t WHERE t.space = s.space
                AND t.match = mine.match AND t.creator = s.person) AS stands,
            EXISTS (SELECT 1 FROM neighbours_match_ending e WHERE e.space = s.space
                AND e.match = mine.match) AS is_over
        FROM waggle_space s
        JOIN neighbours_match mine ON mine.space = s.space AND mine.creator <> s.person
        WHERE s.kind = 'pair' AND length(mine.match) = 16
        """

    /// The ends that I wrote and the other side may not have.
    private static let untoldSQL =
        Mates.untold(table: "neighbours_match_ending", id: "match") + """

                AND NOT EXISTS (SELECT 1 FROM neighbours_match_ending k WHERE k.space = e.space
                    AND k.creator <> s.person AND k.match = e.match AND k.is_known)
            """

    private static let relationsSQL = """
        SELECT m.person AS person, CASE WHEN m.is_over THEN 'match ending'
            WHEN m.stands THEN 'matched' ELSE 'matching' END AS match_state
        FROM neighbours_matches m
        WHERE m.person NOT IN (SELECT person FROM neighbours_blocked)
            AND (NOT m.is_over OR EXISTS (SELECT 1 FROM neighbours_match_untold u
                WHERE u.person = m.person AND u.match = m.match))
        """

    /// The people of my matches. A former mate has an edge of the meeting that ended.
    private static let peopleSQL = """
        SELECT m.person AS person, max(m.stands AND NOT m.is_over) AS stands,
            EXISTS (SELECT 1 FROM neighbours_pairs p WHERE p.person = m.person
                AND p.meeting = p.their_meeting) AS was_mate
        FROM neighbours_matches m WHERE m.stands GROUP BY m.person
        """

    /// The newest name that each person gave with their fact of a match with me.
    private static let namesSQL = """
        SELECT m.person AS person, (SELECT t.name FROM neighbours_match t
            WHERE t.space = m.space AND t.creator = m.person AND t.match = m.match
            ORDER BY t.stamp, t.entity LIMIT 1) AS name, max(m.stamp) AS stamp
        FROM neighbours_matches m WHERE m.stands GROUP BY m.person
        """

    /// All matches with both facts and the time of my cancel.
    static let listSQL = """
        SELECT m.person AS person, m.match AS match, m.at_ms AS at_ms, m.proof AS proof,
            m.stands AS stands, m.is_over AS is_over, t.name AS their_name,
            t.proof AS their_proof,
            EXISTS (SELECT 1 FROM neighbours_match_untold u
                WHERE u.person = m.person AND u.match = m.match) AS is_untold,
            (SELECT min(e.at_ms) FROM neighbours_match_ending e WHERE e.space = m.space
                AND e.match = m.match AND e.creator <> m.person AND e.is_cancel)
                AS cancelled_ms
        FROM neighbours_matches m
        LEFT JOIN neighbours_match t ON t.space = m.space AND t.entity = (
            SELECT o.entity FROM neighbours_match o WHERE o.space = m.space
                AND o.match = m.match AND o.creator = m.person
            ORDER BY o.stamp, o.entity LIMIT 1)
        ORDER BY m.stamp DESC, m.match
        """
}
