package import Records

extension RecordCollection {
    /// A collection with every merge rule and every writer rule.
    package static let simulatedNote = RecordCollection(
        "simulation.note/1", table: "simulated_note", spaces: [.own, .card, .pair, .group],
        indexes: [["title"]], fields: plainFields + ruledFields)

    /// A collection of which each person has one record, to which only liars write.
    static let simulatedProfile = RecordCollection(
        "simulation.profile/1", table: "simulated_profile", spaces: [.own, .card, .pair, .group],
        isOnePerPerson: true, fields: [Field(1, "name", .text(bytesMax: 20))])

    private static let plainFields = [
        Field(1, "title", .text(bytesMax: 20)),
        Field(2, "done", .boolean),
        Field(3, "weight", .real),
        Field(4, "places", .texts(countMax: 3, bytesMax: 10)),
        Field(5, "picture", .bytes(countMax: 4)),
        Field(6, "friend", .key, merge: .firstWriter),
    ]

    private static let ruledFields = writers.enumerated().flatMap { tens, writer in
        merges.enumerated().map { ones, merge in
            Field(
                UInt64(10 * (tens + 1) + ones), "\(merge.name)_\(writer.name)", merge.type,
                merge: merge.rule, writer: writer.rule)
        }
    }

    private static let writers: [(name: String, rule: WriterRule)] = [
        ("creator", .creator), ("owner", .owner), ("any", .anyMember),
        ("named", .named(inField: "friend")),
    ]

    private static let merges: [(name: String, rule: MergeRule, type: FieldType)] = [
        ("last", .lastWriter, .text(bytesMax: 20)), ("first", .firstWriter, .text(bytesMax: 20)),
        ("set", .addWinsSet, .text(bytesMax: 20)), ("once", .append, .text(bytesMax: 20)),
        ("sum", .counter, .integer(-1000...1000)),
    ]
}

extension ReplicaView {
    /// The view that is derived from notes and the core's views.
    package static let simulatedNotes = ReplicaView(
        name: "simulated_open_notes",
        sql: """
            SELECT s.id AS id, n.entity AS entity, n.title AS title,
                (SELECT count(*) FROM simulated_note_set_any e
                    WHERE e.space = n.space AND e.entity = n.entity) AS elements
            FROM simulated_note n JOIN waggle_space s ON s.space = n.space
            WHERE n.done IS NOT 1
            """)
}
