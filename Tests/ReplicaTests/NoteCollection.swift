import Records

/// Every merge rule with every writer rule, in one collection.
extension RecordCollection {
    static let note = RecordCollection(
        "test.note/1", table: "note", spaces: [.own, .card, .pair],
        indexes: [["title"]], fields: note(everyRule: true))

    private static func note(everyRule: Bool) -> [Field] {
        var fields: [Field] = [
            Field(1, "title", .text(bytesMax: 20)),
            Field(2, "done", .boolean),
            Field(3, "weight", .real),
            Field(4, "places", .texts(countMax: 3, bytesMax: 10)),
            Field(5, "picture", .bytes(countMax: 4)),
            Field(6, "friend", .key, merge: .firstWriter),
        ]
        for (tens, writer) in writers.enumerated() {
            for (ones, merge) in merges.enumerated() {
                fields.append(
                    Field(
                        UInt64(10 * (tens + 1) + ones), "\(merge.name)_\(writer.name)",
                        merge.type, merge: merge.rule, writer: writer.rule))
            }
        }
        return fields
    }

    static let writers: [(name: String, rule: WriterRule)] = [
        ("creator", .creator), ("owner", .owner), ("any", .anyMember),
        ("named", .named(inField: "friend")),
    ]

    static let merges: [(name: String, rule: MergeRule, type: FieldType)] = [
        ("last", .lastWriter, .text(bytesMax: 20)), ("first", .firstWriter, .text(bytesMax: 20)),
        ("set", .addWinsSet, .text(bytesMax: 20)), ("once", .append, .text(bytesMax: 20)),
        ("sum", .counter, .integer(-1000...1000)),
    ]

    /// The number of a declared field.
    func number(_ name: String) -> UInt64 { field(named: name)?.number ?? 0 }
}
