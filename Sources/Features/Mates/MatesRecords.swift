internal import FeaturesAPI
internal import PluginKit

extension Mates {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1,
        collections: [acquaintance, ownNickname, edge, ending, block],
        views: [
            Manifest.View("neighbours_blocked", blockedSQL),
            Manifest.View("neighbours_pairs", pairsSQL),
            Manifest.View("neighbours_untold", untoldSQL),
            Manifest.View("neighbours_relations", relationsSQL),
            Manifest.View("neighbours_mates", matesSQL),
        ],
        events: [MateEvents.changed.declaration],
        notices: [.init(ReturningMates.inboxKind, help: "New devices of mates.")],
        services: [.mates, .inbox, .files])

    static let people = PeopleNaming(
        matesView: "neighbours_mates", blockedView: "neighbours_blocked",
        agreementsView: Agreements.peopleView)

    /// The card that I received from a person when we met, until their own card arrives. It can be
    /// erased: it is removed when the person deletes themselves.
    static let acquaintance = RecordCollection(
        "neighbours.acquaintance/1", table: "neighbours_acquaintance", spaces: [.own],
        isErasable: true,
        fields: Profile.fields(writer: .owner) + [
            .init(8, "person", .key, merge: .append),
            .init(9, "met_ms", .integer(RecordTimes.milliseconds), writer: .owner),
        ])

    /// My own nickname for a person.
    static let ownNickname = RecordCollection(
        "neighbours.own_nickname/1", table: "neighbours_own_nickname", spaces: [.own],
        isErasable: true,
        fields: [
            .init(1, "person", .key, merge: .append),
            .init(2, "nickname", .text(bytesMax: TextRule.nickname.bytesMax), writer: .owner),
            .init(3, "at_ms", .integer(RecordTimes.milliseconds), writer: .owner),
        ])

    /// One side of a mateship. Two people are mates exactly when both edges name one meeting.
    static let edge = RecordCollection(
        "neighbours.edge/1", table: "neighbours_edge", spaces: [.pair], isOnePerPerson: true,
        hasReservedRoom: true,
        fields: [
            .init(1, "meeting", .bytes(countMax: 16)),
            .init(2, "proposed_ms", .integer(RecordTimes.milliseconds)),
        ])

    /// The end of a meeting: it is no longer a mateship, or will not become one. It is a separate
    /// record, so that its batch is known, and whether the other side's node has it.
    static let ending = RecordCollection(
        "neighbours.ending/1", table: "neighbours_ending", spaces: [.pair], hasReservedRoom: true,
        fields: [.init(1, "meeting", .bytes(countMax: 16), merge: .append)])

    /// A person I blocked, and the reason.
    static let block = RecordCollection(
        "neighbours.block/1", table: "neighbours_block", spaces: [.own],
        fields: [
            .init(1, "person", .key, merge: .append),
            .init(2, "is_active", .boolean, writer: .owner),
            .init(3, "reason", .text(bytesMax: ProfileField.wordBytesMax), writer: .owner),
            .init(4, "text", .text(bytesMax: TextRule.blockText.bytesMax), writer: .owner),
            .init(5, "at_ms", .integer(RecordTimes.milliseconds), writer: .owner),
        ])

    /// The collections that decide how people are related.
    static let relationCollections: Set<String> = [edge.name, ending.name, block.name]

    /// Returns whether a change may change how people are related.
    static func decidesRelation(_ change: RecordChange) -> Bool {
        relationCollections.contains(change.collection)
    }

    /// Adds mates, the people whose answer I await, ends that are not delivered yet, and blocked
    /// people.
    static func add(
        to relationships: inout Relationships, reading rows: (_ sql: String) throws -> [Row]
    ) throws {
        for row in try rows("SELECT person, pair_state FROM neighbours_relations") {
            guard let person = row.person("person"),
                let kind = row.text("pair_state").flatMap({ kinds[$0] })
            else { continue }
            relationships.add(kind, with: person)
        }
        for row in try rows("SELECT person FROM waggle_space WHERE kind = 'pair'") {
            if let person = row.person("person") { relationships.pairs.insert(person) }
        }
        for row in try rows("SELECT person FROM neighbours_blocked") {
            if let person = row.person("person") { relationships.blocked.insert(person) }
        }
    }

    /// The kinds of relation by the names that `pair_state` has for them.
    private static let kinds: [String: RelationKind] = Dictionary(
        uniqueKeysWithValues: [RelationKind.mate, .waiting, .ending].map { ($0.name, $0) })
}

extension Mates {
    private static let blockedSQL = """
        SELECT DISTINCT person FROM neighbours_block WHERE is_active = 1 AND length(person) = 32
        """

    /// Both edges of each pair. A meeting that either side has ended does not count.
    private static let pairsSQL = """
        SELECT s.space AS space, s.person AS person, mine.meeting AS meeting,
            mine.proposed_ms AS proposed_ms, theirs.meeting AS their_meeting,
            EXISTS (SELECT 1 FROM neighbours_ending e WHERE e.space = s.space
                AND e.meeting = mine.meeting) AS is_over,
            EXISTS (SELECT 1 FROM neighbours_ending e WHERE e.space = s.space
                AND e.meeting = mine.meeting AND e.creator <> s.person) AS is_ended_by_me
        FROM waggle_space s
        LEFT JOIN neighbours_edge mine ON mine.space = s.space AND mine.creator <> s.person
        LEFT JOIN neighbours_edge theirs ON theirs.space = s.space AND theirs.creator = s.person
        WHERE s.kind = 'pair'
        """

    /// The ends that I wrote and the other side's node does not have yet. It has them if it
    /// acknowledged them, or wrote the end of the same meeting itself and has not lost that since.
    private static let untoldSQL = untold(table: "neighbours_ending", id: "meeting")

    /// Returns the query for those of my ends in a table that the other side's node does not have
    /// yet. `s` is the space, `e` the end.
    static func untold(table: String, id: String) -> String {
        """
        SELECT s.person AS person, e.\(id) AS \(id) FROM \(table) e
        JOIN waggle_space s ON s.space = e.space
        WHERE s.kind = 'pair' AND e.creator <> s.person
            AND NOT EXISTS (SELECT 1 FROM \(table) t WHERE t.space = e.space
                AND t.creator = s.person AND t.\(id) = e.\(id)
                AND NOT EXISTS (SELECT 1 FROM waggle_doubted d
                    JOIN waggle_log l ON l.device = d.device
                    WHERE d.space = t.space AND l.log = t.log AND d.number >= t.number))
            AND NOT EXISTS (SELECT 1 FROM waggle_acknowledged a WHERE a.space = e.space
                AND a.log = e.log AND a.person = s.person AND a.number >= e.number)
        """
    }

    /// A pair whose meeting is over stays "ending" until the other side's node knows; then nothing
    /// is shared any longer.
    private static let relationsSQL = """
        SELECT person, CASE WHEN meeting IS NULL OR is_over THEN 'ending'
            WHEN meeting = their_meeting THEN 'mate' ELSE 'waiting' END AS pair_state
        FROM neighbours_pairs
        WHERE person NOT IN (SELECT person FROM neighbours_blocked)
            AND (meeting IS NOT NULL AND NOT is_over
                OR person IN (SELECT person FROM neighbours_untold))
        """

    private static let matesSQL = """
        SELECT person FROM neighbours_relations WHERE pair_state = 'mate'
        """
}
