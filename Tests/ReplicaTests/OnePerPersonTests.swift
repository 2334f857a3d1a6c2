import Records
import Replica
import Testing

/// Collections in which each person has at most one record per space.
struct OnePerPersonTests {
    private static let badge = RecordCollection(
        "test.badge/1", table: "badge", spaces: [.pair], isOnePerPerson: true,
        fields: [.init(1, "title", .text(bytesMax: 20))])
    /// The same without the rule, as an older version declared it.
    private static let loose = RecordCollection(
        badge.name, table: badge.table, spaces: badge.spaces, fields: badge.fields)

    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    private func replica(
        _ home: Home, _ collection: RecordCollection = badge
    ) async throws -> Replica {
        try await home.replica(
            of: me.key, knowing: [me, mate], in: [pair], collections: [collection])
    }

    /// The mate's log: their own record, and then another that a changed program begins.
    private func forgery() throws -> Author {
        let badge = Self.badge.id
        var theirs = Author(mate.key, in: pair)
        let own = Operation.ownEntity(in: pair.id, of: badge, person: mate.person)
        let forged = theirs.create(1, Self.badge)
        for (entity, begin, title, time) in [
            (own, Operation(collection: badge, entity: own, action: .createOwn), "own", now),
            (forged.entity, forged.operation, "forged", now + .milliseconds(1)),
        ] {
            let set = Operation.Action.set(field: 1, .text(title))
            try theirs.write(
                [begin, Operation(collection: badge, entity: entity, action: set)], at: time)
        }
        return theirs
    }

    private func titles(_ replica: Replica) async throws -> [Value?] {
        try await replica.read("SELECT title FROM badge ORDER BY title", allowedTables: nil)
            .map { $0["title"] }
    }

    @Test func `a forged second record is in the log and not in the table`() async throws {
        let replica = try await replica(try homes.make())
        try await replica.merge([try forgery()])
        #expect(try await titles(replica) == [.text("own")])
        #expect(try await replica.summary(pair)?.batches == 2)
        #expect(try await replica.summary(pair)?.void == 1)
    }

    @Test func `a forged record that is already in the table leaves it with the rule`()
        async throws
    {
        let home = try homes.make()
        do {
            let before = try await replica(home, Self.loose)
            try await before.merge([try forgery()])
            #expect(try await titles(before) == [.text("forged"), .text("own")])
        }
        let after = try await replica(home)
        #expect(try await titles(after) == [.text("own")])
        #expect(try await after.summary(pair)?.batches == 2)
    }

    @Test func `the table is the same with and without the rule`() async throws {
        var schemas: [[Value?]] = []
        for collection in [Self.loose, Self.badge] {
            let replica = try await replica(try homes.make(), collection)
            let rows = try await replica.read(
                "SELECT sql FROM sqlite_master WHERE name = 'badge'", allowedTables: nil)
            schemas.append(rows.map { $0["sql"] })
        }
        #expect(schemas[0] == schemas[1] && schemas[0].count == 1)
    }

    @Test func `a second record of one's own is refused and nothing is stored`() async throws {
        let replica = try await replica(try homes.make())
        let nonce = Bytes16([UInt8](repeating: 1, count: 16)) ?? .zero
        await #expect(throws: EditFault.onePerPerson(collection: Self.badge.name)) {
            try await replica.author(
                [.create(collection: Self.badge.name, nonce: nonce, fields: [:])], in: pair.id,
                wallTime: now)
        }
        let own = Edit.own(collection: Self.badge.name, fields: ["title": .text("mine")])
        _ = try await replica.author([own], in: pair.id, wallTime: now)
        #expect(try await titles(replica) == [.text("mine")])
    }
}
