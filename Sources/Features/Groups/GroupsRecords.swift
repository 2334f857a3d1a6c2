internal import FeaturesAPI
internal import PluginKit

extension Groups {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [notice, group, note, ownGroup],
        views: [
            Manifest.View("neighbours_all_notices", allNoticesSQL),
            Manifest.View("neighbours_notices", noticesSQL),
            Manifest.View("neighbours_group_relations", relationsSQL),
            Manifest.View("neighbours_group_titles", titlesSQL),
            Manifest.View("neighbours_group_names", namesSQL),
        ],
        events: [GroupEvents.changed.declaration],
        notices: [.init(GroupInbox.inboxKind, help: "Invitations of mates to groups.")],
        services: [.groups, .mates, .inbox],
        groups: Manifest.GroupNaming(
            titlesView: "neighbours_group_titles", namesView: "neighbours_group_names"))

    /// A notice to a mate about a group: that they are invited to it, or were removed. The later
    /// notice counts. It is stored in the pair space, because a person who is not in a group
    /// receives nothing from it.
    static let notice = RecordCollection(
        "neighbours.invitation/1", table: "neighbours_invitation", spaces: [.pair],
        indexes: [["space", "creator", "stamp"]],
        fields: [
            .init(1, "descriptor", .bytes(countMax: 64), merge: .append),
            .init(2, "feature", .text(bytesMax: ProfileField.wordBytesMax), merge: .append),
            .init(3, "name", .text(bytesMax: TextRule.groupName.bytesMax), merge: .append),
            .init(4, "role", .text(bytesMax: ProfileField.wordBytesMax), merge: .append),
            .init(5, "word", .text(bytesMax: ProfileField.wordBytesMax), merge: .append),
            .init(6, "at_ms", .integer(RecordTimes.milliseconds), merge: .append),
        ])

    /// A member's introduction in a group: its name, if they founded it, and their nickname for
    /// members who are not their mates.
    static let group = RecordCollection(
        "neighbours.group/1", table: "neighbours_group", spaces: [.group], isOnePerPerson: true,
        fields: [
            .init(1, "name", .text(bytesMax: TextRule.groupName.bytesMax), writer: .owner),
            .init(2, "nickname", .text(bytesMax: TextRule.nickname.bytesMax)),
        ])

    /// A short text to the whole group.
    static let note = RecordCollection(
        "neighbours.note/1", table: "neighbours_note", spaces: [.group], isErasable: true,
        fields: [
            .init(1, "text", .text(bytesMax: TextRule.note.bytesMax), merge: .append),
            .init(2, "at_ms", .integer(RecordTimes.milliseconds), merge: .append),
        ])

    /// A group that I made or joined, so that my other devices open it too.
    static let ownGroup = RecordCollection(
        "neighbours.own_group/1", table: "neighbours_own_group", spaces: [.own],
        indexes: [["descriptor"]],
        fields: [.init(1, "descriptor", .bytes(countMax: 64), merge: .append)])

    /// Adds the people with whom each group is shared, and who invited me to it.
    static func add(
        to relationships: inout Relationships, reading rows: (_ sql: String) throws -> [Row]
    ) throws {
        for row in try rows("SELECT descriptor, person FROM neighbours_group_relations") {
            guard let group = row.descriptor("descriptor"), let person = row.person("person")
            else { continue }
            relationships.groups[group, default: []].insert(person)
        }
        for row in try rows(invitersSQL) {
            guard let group = row.descriptor("descriptor"), let person = row.person("person")
            else { continue }
            relationships.inviters[group] = person
        }
    }
}

extension Groups {
    /// The name that its founder gave each group.
    private static let titlesSQL = """
        SELECT g.space AS space, g.name AS title, NULL AS over_ms
        FROM neighbours_group g JOIN waggle_space s ON s.space = g.space
        WHERE s.kind = 'group' AND g.creator = s.person AND g.name IS NOT NULL
        """

    /// The names that people use in groups.
    private static let namesSQL = """
        SELECT space, creator AS person, nickname AS name FROM neighbours_group
        WHERE nickname IS NOT NULL
        """

    /// The last notices that I received of each sender: ``Notice/readPerSenderMax``, and those with
    /// the same stamp as the earliest of them.
    private static let allNoticesSQL = """
        SELECT n.entity AS entity, n.descriptor AS descriptor, n.feature AS feature,
            n.name AS name, n.role AS role, n.word AS word, n.stamp AS stamp, s.person AS sender
        FROM waggle_space s CROSS JOIN neighbours_invitation n
            ON n.space = s.space AND n.creator = s.person AND n.stamp >= coalesce((
                SELECT e.stamp FROM neighbours_invitation e
                WHERE e.space = s.space AND e.creator = s.person
                ORDER BY e.stamp DESC LIMIT 1 OFFSET \(Notice.readPerSenderMax - 1)), 0)
        WHERE s.kind = 'pair'
        """

    /// Those of people I do not block.
    private static let noticesSQL = """
        SELECT * FROM neighbours_all_notices
        WHERE sender NOT IN (SELECT person FROM \(SharedViews.blocked))
        """

    /// The people who invited me to the groups that are open here, the last one of each at the end.
    private static let invitersSQL = """
        SELECT s.descriptor AS descriptor, n.sender AS person
        FROM neighbours_all_notices n JOIN waggle_space s ON s.descriptor = n.descriptor
        WHERE s.kind = 'group' AND n.word = 'invited' ORDER BY n.stamp, n.entity
        """

    /// The people with whom a group is shared: its members. The node leaves out those whom I do not
    /// know otherwise until I join; see ``Relationships/restrict(_:me:)``.
    ///
    /// Until its own records say that I am in it, it is also shared with the person who invited me.
    /// Afterwards only membership decides, so a removed person cannot get in by inviting me. If I
    /// was removed, the others share nothing with me, and my offer brings me back once I am invited
    /// again. My own devices share a group whatever I am in it: a departure on one of them reaches
    /// the others.
    private static let relationsSQL = """
        SELECT s.descriptor AS descriptor, m.person AS person
        FROM waggle_member m JOIN waggle_space s ON s.space = m.space
        WHERE s.kind = 'group' AND m.state IN ('invited', 'member')
            AND m.person NOT IN (SELECT person FROM \(SharedViews.blocked))
        UNION
        SELECT s.descriptor AS descriptor, m.person AS person
        FROM waggle_member m JOIN waggle_space s ON s.space = m.space
        WHERE s.kind = 'group'
            AND m.person = (SELECT person FROM waggle_space WHERE kind = 'self')
        UNION
        SELECT s.descriptor AS descriptor,
            (SELECT person FROM waggle_space WHERE kind = 'self') AS person
        FROM neighbours_own_group o JOIN waggle_space s ON s.descriptor = o.descriptor
        WHERE s.kind = 'group'
        UNION
        SELECT s.descriptor AS descriptor, n.sender AS person
        FROM neighbours_notices n JOIN waggle_space s ON s.descriptor = n.descriptor
        WHERE s.kind = 'group' AND n.word = 'invited'
            AND NOT EXISTS (SELECT 1 FROM waggle_member m WHERE m.space = s.space
                AND m.person = (SELECT person FROM waggle_space WHERE kind = 'self'))
        """
}
