public import PluginKit

extension Neighbours {
    /// What the core feature set declares: records, the views the engine asks, topics and events.
    public static let manifest = Manifest(
        id: "neighbours", version: 1,
        collections: [
            profile, privateProfile, acquaintance, edge, ending, block, walk, inbox, place, notice,
            group, note,
        ],
        views: [
            Manifest.View("neighbours_blocked", blockedSQL),
            Manifest.View("neighbours_pairs", pairsSQL),
            Manifest.View("neighbours_untold", untoldSQL),
            Manifest.View("neighbours_relations", relationsSQL),
            Manifest.View("neighbours_tag_keys", tagKeysSQL),
            Manifest.View("neighbours_notices", noticesSQL),
            Manifest.View("neighbours_group_relations", groupRelationsSQL),
            Manifest.View("neighbours_group_titles", groupTitlesSQL),
            Manifest.View("neighbours_group_names", groupNamesSQL),
        ],
        ephemeralTopics: [locationTopic],
        events: ["me", "nearby", "mates", "walk", "inbox", "location", "group"],
        services: [.mates, .inbox, .location, .nearby, .groups],
        provides: Manifest.Provision(
            relationsView: "neighbours_relations", blockedView: "neighbours_blocked",
            tagKeysView: "neighbours_tag_keys", groupsView: "neighbours_group_relations"),
        groups: Manifest.GroupNaming(
            titlesView: "neighbours_group_titles", namesView: "neighbours_group_names"))

    /// The topic on which mates are shown where I am.
    static let locationTopic = "location"

    /// What my mates read of me, one row per person. Fields kept private never enter it.
    static let profile = RecordCollection(
        "neighbours.profile/1", table: "neighbours_profile", spaces: [.card],
        indexes: [["creator"]],
        fields: Profile.fields(writer: .owner) + [
            // Whoever holds it can tell my announcements from others'; made anew at unmating.
            .init(8, "tag_key", .bytes(countMax: 32), writer: .owner)
        ])

    /// What I keep to myself, and which fields those are.
    static let privateProfile = RecordCollection(
        "neighbours.private_profile/1", table: "neighbours_private_profile", spaces: [.own],
        fields: Profile.fields(writer: .owner) + [
            .init(
                8, "kept_private",
                .texts(
                    countMax: ProfileField.allCases.count, bytesMax: ProfileField.wordBytesMax),
                writer: .owner)
        ])

    /// The card somebody gave me when we met, until their own card arrives. It can be erased: who
    /// deletes themselves takes it along.
    static let acquaintance = RecordCollection(
        "neighbours.acquaintance/1", table: "neighbours_acquaintance", spaces: [.own],
        isErasable: true,
        fields: Profile.fields(writer: .owner) + [
            .init(8, "person", .key, merge: .append),
            .init(9, "met_ms", .integer(WalkFacts.milliseconds), writer: .owner),
        ])

    /// One side of a mateship. Two people are mates exactly when both edges name one meeting.
    static let edge = RecordCollection(
        "neighbours.edge/1", table: "neighbours_edge", spaces: [.pair],
        fields: [
            .init(1, "meeting", .bytes(countMax: 16)),
            .init(2, "proposed_ms", .integer(WalkFacts.milliseconds)),
        ])

    /// The end of a meeting: it is no mateship any more, or will not become one. A record of its
    /// own, so that its batch is known and with it whether the other side's node has it.
    static let ending = RecordCollection(
        "neighbours.ending/1", table: "neighbours_ending", spaces: [.pair],
        fields: [.init(1, "meeting", .bytes(countMax: 16), merge: .append)])

    /// Whom I blocked, and why.
    static let block = RecordCollection(
        "neighbours.block/1", table: "neighbours_block", spaces: [.own],
        fields: [
            .init(1, "person", .key, merge: .append),
            .init(2, "is_active", .boolean, writer: .owner),
            .init(3, "reason", .text(bytesMax: ProfileField.wordBytesMax), writer: .owner),
            .init(4, "text", .text(bytesMax: TextRule.blockText.bytesMax), writer: .owner),
            .init(5, "at_ms", .integer(WalkFacts.milliseconds), writer: .owner),
        ])

    /// A request to walk together: the sender's words never change, the receiver answers once.
    static let walk = RecordCollection(
        "neighbours.walk/1", table: "neighbours_walk", spaces: [.pair],
        indexes: [["created_ms"]], isErasable: true,
        fields: [
            .init(1, "receiver", .key, merge: .firstWriter),
            .init(2, "latitude", .real, merge: .append),
            .init(3, "longitude", .real, merge: .append),
            .init(4, "place", .text(bytesMax: TextRule.place.bytesMax), merge: .append),
            .init(5, "message", .text(bytesMax: TextRule.message.bytesMax), merge: .append),
            .init(6, "created_ms", .integer(WalkFacts.milliseconds), merge: .append),
            .init(7, "at_ms", .integer(WalkFacts.milliseconds), merge: .append),
            .init(8, "cancelled", .boolean, merge: .firstWriter),
            .init(
                9, "answer", .text(bytesMax: ProfileField.wordBytesMax), merge: .firstWriter,
                writer: .named(inField: "receiver")),
            .init(
                10, "answer_age_ms", .integer(WalkFacts.milliseconds), merge: .firstWriter,
                writer: .named(inField: "receiver")),
            .init(
                11, "missed", .boolean, merge: .firstWriter, writer: .named(inField: "receiver")),
            // What both arrange as they go, such as which gate; the later word stands.
            .init(12, "note", .text(bytesMax: TextRule.message.bytesMax), writer: .anyMember),
        ])

    /// What I should see, until I have dealt with it.
    static let inbox = RecordCollection(
        "neighbours.inbox/1", table: "neighbours_inbox", spaces: [.own],
        indexes: [["kind", "reference"]],
        fields: [
            .init(1, "kind", .text(bytesMax: InboxLimits.wordBytesMax), merge: .append),
            .init(2, "reference", .text(bytesMax: InboxLimits.referenceBytesMax), merge: .append),
            .init(3, "title", .text(bytesMax: InboxLimits.title.bytesMax), writer: .owner),
            .init(4, "body", .text(bytesMax: InboxLimits.body.bytesMax), writer: .owner),
            .init(
                5, "actions",
                .texts(countMax: InboxLimits.actionsCountMax, bytesMax: InboxLimits.wordBytesMax),
                writer: .owner),
            .init(6, "at_ms", .integer(WalkFacts.milliseconds), writer: .owner),
            .init(7, "handled", .boolean, writer: .owner),
            .init(8, "person", .key, writer: .owner),
        ])

    /// Where I am, as I set it by hand.
    static let place = RecordCollection(
        "neighbours.place/1", table: "neighbours_place", spaces: [.own],
        fields: [
            .init(1, "latitude", .real, writer: .owner),
            .init(2, "longitude", .real, writer: .owner),
            .init(3, "accuracy_metres", .real, writer: .owner),
            .init(4, "at_ms", .integer(WalkFacts.milliseconds), writer: .owner),
        ])
}

extension Neighbours {
    private static let blockedSQL = """
        SELECT DISTINCT person FROM neighbours_block WHERE is_active = 1 AND length(person) = 32
        """

    /// Both edges of each pair. A meeting that either side has ended counts for nothing.
    private static let pairsSQL = """
        SELECT s.space AS space, s.person AS person, mine.meeting AS meeting,
            mine.proposed_ms AS proposed_ms, theirs.meeting AS their_meeting,
            EXISTS (SELECT 1 FROM neighbours_ending e WHERE e.space = s.space
                AND e.meeting = mine.meeting) AS is_over
        FROM waggle_space s
        LEFT JOIN neighbours_edge mine ON mine.space = s.space AND mine.creator <> s.person
        LEFT JOIN neighbours_edge theirs ON theirs.space = s.space AND theirs.creator = s.person
        WHERE s.kind = 'pair'
        """

    /// The ends that I declared and the other side's node does not have yet.
    private static let untoldSQL = """
        SELECT s.person AS person, e.meeting AS meeting FROM neighbours_ending e
        JOIN waggle_space s ON s.space = e.space
        WHERE s.kind = 'pair' AND e.creator <> s.person
            AND NOT EXISTS (SELECT 1 FROM neighbours_ending t WHERE t.space = e.space
                AND t.creator = s.person AND t.meeting = e.meeting)
            AND NOT EXISTS (SELECT 1 FROM waggle_acknowledged a WHERE a.space = e.space
                AND a.log = e.log AND a.person = s.person AND a.number >= e.number)
        """

    /// A pair whose edge is gone stays "ending" until the other's node knows; then nothing is
    /// shared any more.
    private static let relationsSQL = """
        SELECT person, CASE WHEN meeting IS NULL OR is_over THEN 'ending'
            WHEN meeting = their_meeting THEN 'mate' ELSE 'waiting' END AS pair_state
        FROM neighbours_pairs
        WHERE person NOT IN (SELECT person FROM neighbours_blocked)
            AND (meeting IS NOT NULL AND NOT is_over
                OR person IN (SELECT person FROM neighbours_untold))
        """

    private static let tagKeysSQL = """
        SELECT p.creator AS person, p.tag_key AS key FROM neighbours_profile p
        JOIN waggle_space s ON s.space = p.space AND s.kind = 'card' AND s.person = p.creator
        WHERE length(p.tag_key) >= 16
        """
}
