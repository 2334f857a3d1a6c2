internal import FeaturesAPI
internal import PluginKit

/// The records of the agreements of one purpose, and the views over them.
struct AgreementRecords: Sendable {
    let purpose: AgreementPurpose
    /// The beginning of the names of its tables and views.
    let prefix: String
    /// The column with the id of an agreement.
    let idColumn: String
    /// One side's fact. Its id follows from the agreement, so a person has one for each.
    let fact: RecordCollection
    /// The end of an agreement. A later one of the same person may add that the other side knows.
    let ending: RecordCollection
    /// My fact exists, and the other person's has not arrived.
    let opening: RelationKind
    /// Both facts name the agreement, which is not over.
    let standing: RelationKind
    /// I ended it, and the other person's devices may not know.
    let untold: RelationKind

    private init(
        _ purpose: AgreementPurpose, id: String, opening: RelationKind, standing: RelationKind,
        untold: RelationKind
    ) {
        self.purpose = purpose
        prefix = "\(CoreFeatures.id)_\(purpose.rawValue)"
        idColumn = id
        (self.opening, self.standing, self.untold) = (opening, standing, untold)
        let name = "\(CoreFeatures.id).\(purpose.rawValue)"
        let common: [RecordCollection.Field] = [
            .init(1, id, .bytes(countMax: 16), merge: .append),
            .init(2, "at_ms", .integer(RecordTimes.milliseconds), merge: .append),
        ]
        fact = RecordCollection(
            "\(name)/1", table: prefix, spaces: [.pair], indexes: [["space", id]],
            hasReservedRoom: true,
            fields: common + [
                .init(3, "name", .text(bytesMax: TextRule.nickname.bytesMax), merge: .append),
                .init(4, "proof", .bytes(countMax: AgreementFact.proofBytesMax), merge: .append),
            ])
        ending = RecordCollection(
            "\(name)_ending/1", table: "\(prefix)_ending", spaces: [.pair],
            indexes: [["space", id]], hasReservedRoom: true,
            fields: common + [
                .init(3, "is_cancel", .boolean, merge: .append),
                .init(4, "is_known", .boolean, merge: .append),
            ])
    }

    private static let match = AgreementRecords(
        .match, id: "match", opening: .matching, standing: .matched, untold: .matchEnding)
    private static let correspondence = AgreementRecords(
        .correspondence, id: "request", opening: .requesting, standing: .corresponding,
        untold: .correspondenceEnding)

    /// The records of every purpose.
    static let all = AgreementPurpose.allCases.map { of($0) }

    /// Returns the records of a purpose.
    static func of(_ purpose: AgreementPurpose) -> AgreementRecords {
        switch purpose {
        case .match: match
        case .correspondence: correspondence
        }
    }
}

extension Agreements {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1,
        collections: AgreementRecords.all.flatMap { [$0.fact, $0.ending] } + [partner],
        views: AgreementRecords.all.flatMap(\.views) + [
            Manifest.View(
                peopleView,
                union { "SELECT '\($0.purpose.rawValue)' AS purpose, * FROM \($0.people)" }),
            Manifest.View(namesView, union { "SELECT * FROM \($0.names)" }),
        ])
    static let commands: [CommandHandler] = []

    /// The view of the people of my agreements.
    static let peopleView = "neighbours_agreement_people"
    /// The view of the names that people gave with their facts.
    static let namesView = "neighbours_agreement_names"

    private static func union(_ select: (AgreementRecords) -> String) -> String {
        AgreementRecords.all.map(select).joined(separator: " UNION ALL ")
    }

    /// A person with whom I stored a fact of any purpose: my other devices open the pair with them.
    /// It is named after the purpose that came first.
    static let partner = RecordCollection(
        "neighbours.match_partner/1", table: "neighbours_match_partner", spaces: [.own],
        fields: [.init(1, "person", .key, merge: .append)])

    /// Adds the people of agreements that stand, wait for the other side's fact, or have ended
    /// without the other side's knowledge.
    static func add(
        to relationships: inout Relationships, reading rows: (_ sql: String) throws -> [Row]
    ) throws {
        for records in AgreementRecords.all {
            let kinds = Dictionary(
                uniqueKeysWithValues: [records.standing, records.opening, records.untold].map {
                    ($0.name, $0)
                })
            for row in try rows("SELECT person, state FROM \(records.relations)") {
                guard let person = row.person("person"),
                    let kind = row.text("state").flatMap({ kinds[$0] })
                else { continue }
                relationships.add(kind, with: person)
            }
        }
    }
}

extension AgreementRecords {
    private var mine: String { "\(prefix)_mine" }
    private var untoldEnds: String { "\(prefix)_untold" }
    fileprivate var relations: String { "\(prefix)_relations" }
    fileprivate var people: String { "\(prefix)_people" }
    fileprivate var names: String { "\(prefix)_names" }

    fileprivate var views: [Manifest.View] {
        [
            Manifest.View(mine, mineSQL),
            Manifest.View(untoldEnds, untoldSQL),
            Manifest.View(relations, relationsSQL),
            Manifest.View(people, peopleSQL),
            Manifest.View(names, namesSQL),
        ]
    }

    /// My facts, and what is known of each agreement.
    private var mineSQL: String {
        """
        SELECT s.space AS space, s.person AS person, mine.\(idColumn) AS id,
            mine.at_ms AS at_ms, mine.stamp AS stamp, mine.proof AS proof,
            EXISTS (SELECT 1 FROM \(prefix) t WHERE t.space = s.space
                AND t.\(idColumn) = mine.\(idColumn) AND t.creator = s.person) AS stands,
            EXISTS (SELECT 1 FROM \(prefix)_ending e WHERE e.space = s.space
                AND e.\(idColumn) = mine.\(idColumn)) AS is_over
        FROM waggle_space s
        JOIN \(prefix) mine ON mine.space = s.space AND mine.creator <> s.person
        WHERE s.kind = 'pair' AND length(mine.\(idColumn)) = 16
        """
    }

    /// The ends that I wrote and the other side may not have.
    private var untoldSQL: String {
        Mates.untold(table: "\(prefix)_ending", id: idColumn) + """

                AND NOT EXISTS (SELECT 1 FROM \(prefix)_ending k WHERE k.space = e.space
                    AND k.creator <> s.person AND k.\(idColumn) = e.\(idColumn) AND k.is_known)
            """
    }

    private var relationsSQL: String {
        """
        SELECT m.person AS person, CASE WHEN m.is_over THEN '\(untold.name)'
            WHEN m.stands THEN '\(standing.name)' ELSE '\(opening.name)' END AS state
        FROM \(mine) m
        WHERE m.person NOT IN (SELECT person FROM neighbours_blocked)
            AND (NOT m.is_over OR EXISTS (SELECT 1 FROM \(untoldEnds) u
                WHERE u.person = m.person AND u.\(idColumn) = m.id))
        """
    }

    /// The people of my agreements. A former mate has an edge of the meeting that ended.
    private var peopleSQL: String {
        """
        SELECT m.person AS person, max(m.stands AND NOT m.is_over) AS stands,
            EXISTS (SELECT 1 FROM neighbours_pairs p WHERE p.person = m.person
                AND p.meeting = p.their_meeting) AS was_mate
        FROM \(mine) m WHERE m.stands GROUP BY m.person
        """
    }

    /// The newest name that each person gave with their fact of an agreement with me.
    private var namesSQL: String {
        """
        SELECT m.person AS person, (SELECT t.name FROM \(prefix) t
            WHERE t.space = m.space AND t.creator = m.person AND t.\(idColumn) = m.id
            ORDER BY t.stamp, t.entity LIMIT 1) AS name, max(m.stamp) AS stamp
        FROM \(mine) m WHERE m.stands GROUP BY m.person
        """
    }

    /// All agreements with both facts and the time of my cancel.
    var listSQL: String {
        """
        SELECT m.person AS person, m.id AS id, m.at_ms AS at_ms, m.proof AS proof,
            m.stands AS stands, m.is_over AS is_over, t.name AS their_name,
            t.proof AS their_proof,
            EXISTS (SELECT 1 FROM \(untoldEnds) u
                WHERE u.person = m.person AND u.\(idColumn) = m.id) AS is_untold,
            (SELECT min(e.at_ms) FROM \(prefix)_ending e WHERE e.space = m.space
                AND e.\(idColumn) = m.id AND e.creator <> m.person AND e.is_cancel)
                AS cancelled_ms
        FROM \(mine) m
        LEFT JOIN \(prefix) t ON t.space = m.space AND t.entity = (
            SELECT o.entity FROM \(prefix) o WHERE o.space = m.space
                AND o.\(idColumn) = m.id AND o.creator = m.person
            ORDER BY o.stamp, o.entity LIMIT 1)
        ORDER BY m.stamp DESC, m.id
        """
    }
}
