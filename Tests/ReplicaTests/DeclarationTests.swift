import Records
import Replica
import Testing

/// A start refuses declarations that cannot work, with a sentence.
struct DeclarationTests {
    private let homes = Homes()

    private static func collection(
        name: String = "test.a/1", table: String = "a", indexes: [[String]] = [],
        fields: RecordCollection.Field...
    ) -> RecordCollection {
        RecordCollection(name, table: table, spaces: [.own], indexes: indexes, fields: fields)
    }

    /// A collection with a field that is fetched with its record.
    private static func small(
        _ type: FieldType, _ spaces: Set<SpaceKind>
    ) -> RecordCollection {
        RecordCollection(
            "test.a/1", table: "a", spaces: spaces, isErasable: true,
            fields: [.init(1, "x", type, fetched: .withRecord)])
    }

    static let mistakes: [[RecordCollection]] = [
        [collection(table: "batch")], [collection(table: "waggle_x")], [collection(table: "A")],
        [collection(table: "a\" (x); --")], [collection(table: "")],
        [collection(name: "test.a/1", table: "a"), collection(name: "test.b/1", table: "a")],
        [collection(name: "test.a/1", table: "a"), collection(name: "test.a/1", table: "b")],
        [collection(fields: .init(1, "entity", .boolean))],
        [collection(fields: .init(1, "x", .boolean), .init(2, "x", .boolean))],
        [collection(fields: .init(1, "x", .boolean), .init(1, "y", .boolean))],
        [collection(fields: .init(0, "x", .boolean))],
        [collection(fields: .init(Limits.fieldNumberMax + 1, "x", .boolean))],
        [collection(fields: .init(1, "x", .text(bytesMax: Limits.valueBytesMax + 1)))],
        [
            collection(
                fields: .init(1, "x", .texts(countMax: Limits.listElementsMax + 1, bytesMax: 1)))
        ],
        [collection(fields: .init(1, "x", .boolean, merge: .counter))],
        [collection(fields: .init(1, "x", .boolean, writer: .named(inField: "y")))],
        [
            collection(
                fields: .init(1, "y", .key),
                .init(2, "x", .boolean, writer: .named(inField: "y")))
        ],
        [collection(indexes: [["nothing"]])],
        [small(.blob(kinds: ["image/jpeg"], bytesMax: 8193), [.open])],
        [small(.blob(kinds: ["image/jpeg"], bytesMax: 8192), [.open, .group])],
        [small(.bytes(countMax: 10), [.open])],
        [
            collection(table: "a", fields: .init(1, "b", .boolean, merge: .addWinsSet)),
            collection(name: "test.b/1", table: "a_b"),
        ],
    ]

    @Test(arguments: mistakes.indices)
    func `a declaration that cannot work is refused`(index: Int) throws {
        let home = try homes.make()
        let key = try Someone(seed: 1).key
        do {
            _ = try home.replica(key, collections: DeclarationTests.mistakes[index])
            Issue.record("declaration \(index) was let through")
        } catch ReplicaFault.declaration(let sentence) {
            #expect(sentence.contains("test."))
        }
    }

    @Test(arguments: ["SELECT nothing FROM note", "not sql", "SELECT * FROM missing"])
    func `a view that cannot be read is refused`(sql: String) throws {
        let home = try homes.make()
        let key = try Someone(seed: 1).key
        do {
            _ = try home.replica(key, views: [.init(name: "broken", sql: sql)])
            Issue.record("the view was let through")
        } catch ReplicaFault.declaration(let sentence) {
            #expect(sentence.contains("broken"))
        }
        _ = try home.replica(key)
    }

    @Test func `a field that is declared later is filled from the log`() async throws {
        let home = try homes.make()
        let me = try Someone(seed: 1)
        let space = SpaceDescriptor.own(me.person)
        let one = RecordCollection.Field(1, "one", .boolean)
        let two = RecordCollection.Field(2, "two", .boolean)
        var author = Author(me.key, in: space)
        let both = RecordCollection("test.a/1", table: "a", spaces: [.own], fields: [one, two])
        let note = author.create(1, both)
        let operations = [1, 2].map { number in
            Operation(
                collection: both.id, entity: note.entity,
                action: .set(field: number, .boolean(true)))
        }
        try author.write([note.operation] + operations, at: now)
        do {
            let replica = try await home.replica(
                of: me.key, knowing: [me], in: [space],
                collections: [.init("test.a/1", table: "a", spaces: [.own], fields: [one])])
            try await replica.merge([author])
        }
        let replica = try home.replica(me.key, collections: [both])
        let rows = try await replica.read("SELECT one, two FROM a", allowedTables: ["a"])
        #expect(rows.map { $0.isTrue("two") } == [true])
        #expect(rows.map { $0.isTrue("one") } == [true])
    }
}
