internal import PluginKit

/// What is kept of groups, and with whom they are shared.
extension Neighbours {
    /// What I tell a mate of a group: that they are invited to it, or were removed. The later word
    /// stands. It travels in the pair space, since who is not in a group is sent nothing of it.
    static let notice = RecordCollection(
        "neighbours.invitation/1", table: "neighbours_invitation", spaces: [.pair],
        fields: [
            .init(1, "descriptor", .bytes(countMax: 64), merge: .append),
            .init(2, "feature", .text(bytesMax: ProfileField.wordBytesMax), merge: .append),
            .init(3, "name", .text(bytesMax: TextRule.groupName.bytesMax), merge: .append),
            .init(4, "role", .text(bytesMax: ProfileField.wordBytesMax), merge: .append),
            .init(5, "word", .text(bytesMax: ProfileField.wordBytesMax), merge: .append),
            .init(6, "at_ms", .integer(WalkFacts.milliseconds), merge: .append),
        ])

    /// One record per person in a group: what its founder calls it, and what each is called by
    /// those who are no mates of theirs.
    static let group = RecordCollection(
        "neighbours.group/1", table: "neighbours_group", spaces: [.group],
        fields: [
            .init(1, "name", .text(bytesMax: TextRule.groupName.bytesMax), writer: .owner),
            .init(2, "nickname", .text(bytesMax: TextRule.nickname.bytesMax)),
        ])

    /// A few words to the whole group.
    static let note = RecordCollection(
        "neighbours.note/1", table: "neighbours_note", spaces: [.group], isErasable: true,
        fields: [
            .init(1, "text", .text(bytesMax: TextRule.note.bytesMax), merge: .append),
            .init(2, "at_ms", .integer(WalkFacts.milliseconds), merge: .append),
        ])

    /// What its founder calls each group.
    static let groupTitlesSQL = """
        SELECT g.space AS space, g.name AS title, 0 AS is_over
        FROM neighbours_group g JOIN waggle_space s ON s.space = g.space
        WHERE s.kind = 'group' AND g.creator = s.person AND g.name IS NOT NULL
        """

    /// What people call themselves in groups.
    static let groupNamesSQL = """
        SELECT space, creator AS person, nickname AS name FROM neighbours_group
        WHERE nickname IS NOT NULL
        """

    /// What others told me of groups.
    static let noticesSQL = """
        SELECT n.entity AS entity, n.descriptor AS descriptor, n.feature AS feature,
            n.name AS name, n.role AS role, n.word AS word, n.stamp AS stamp, s.person AS sender
        FROM neighbours_invitation n JOIN waggle_space s ON s.space = n.space
        WHERE s.kind = 'pair' AND n.creator = s.person
            AND s.person NOT IN (SELECT person FROM neighbours_blocked)
        """

    /// With whom a group is shared: those who are in it. Until I am told of in it myself, the one
    /// who invited me is taken at their word; afterwards membership alone decides, so nobody who
    /// was removed gets in by inviting somebody. Where I was removed the others share nothing with
    /// me, and what I offer is what brings me back once I am invited again.
    static let groupRelationsSQL = """
        SELECT s.descriptor AS descriptor, m.person AS person
        FROM waggle_member m JOIN waggle_space s ON s.space = m.space
        WHERE s.kind = 'group' AND m.state IN ('invited', 'member')
            AND m.person NOT IN (SELECT person FROM neighbours_blocked)
        UNION
        SELECT s.descriptor AS descriptor, n.sender AS person
        FROM neighbours_notices n JOIN waggle_space s ON s.descriptor = n.descriptor
        WHERE s.kind = 'group' AND n.word = 'invited'
            AND NOT EXISTS (SELECT 1 FROM waggle_member m WHERE m.space = s.space
                AND m.person = (SELECT person FROM waggle_space WHERE kind = 'self'))
        """
}
