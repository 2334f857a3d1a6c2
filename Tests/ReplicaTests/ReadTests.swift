import Records
import Replica
import Testing

/// Reads by plugins: one SELECT, and only over what is open to them.
struct ReadTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    private static let secret = RecordCollection(
        "test.secret/1", table: "secret", spaces: [.pair], fields: [.init(1, "word", .real)])

    private func replica(_ home: Home, views: [ReplicaView] = []) async throws -> Replica {
        let replica = try await home.replica(
            of: me.key, knowing: [me, mate], in: [pair, .own(me.person), .card(mate.person)],
            collections: [.note, ReadTests.secret], views: views)
        _ = try await replica.author(
            [
                .own(collection: "test.note/1", fields: ["title": .text("hello")]),
                .own(collection: "test.secret/1", fields: ["word": .real(1)]),
            ], in: pair.id, wallTime: now)
        return replica
    }

    @Test(arguments: [
        "SELECT title FROM note", "  select count(*) AS n from note",
        "WITH n AS (SELECT title FROM note) SELECT * FROM n",
        "SELECT n.title FROM note n JOIN waggle_batch b ON b.batch = n.log << 40 | n.number",
        "SELECT arrived, stamp, hash, log, number, space FROM waggle_batch",
        "SELECT log FROM waggle_log", "SELECT count(*) FROM waggle_batch",
        "SELECT number FROM waggle_batch",
        "SELECT b.number FROM waggle_batch b JOIN note n ON n.number = b.number",
        "SELECT title FROM note WHERE title IN (SELECT value FROM json_each('[\"hello\"]'))",
    ])
    func `a read of its own tables and the core's views is permitted`(sql: String) async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let rows = try await replica.read(sql, allowedTables: ["note"])
        #expect(rows.count == 1)
    }

    @Test(arguments: [
        "SELECT word FROM secret", "SELECT count(*) FROM secret", "SELECT 1 FROM secret",
        "SELECT title FROM note WHERE EXISTS (SELECT 1 FROM secret)", "SELECT body FROM batch",
        "SELECT record FROM person", "SELECT sql FROM sqlite_master",
        "SELECT note.title FROM note JOIN secret", "SELECT signature FROM batch",
        "SELECT rowid FROM collection", "SELECT written FROM log",
        "SELECT body FROM batch WHERE hash IN (SELECT hash FROM waggle_batch)",
        "SELECT count(*) FROM batch",
        "DELETE FROM note", "INSERT INTO note (space) VALUES (1)", "DROP TABLE note",
        "PRAGMA table_info(note)", "ATTACH 'x.db' AS x", "BEGIN", "UPDATE note SET title = ''",
        "WITH n AS (SELECT 1) DELETE FROM note",
    ])
    func `any other statement is refused`(sql: String) async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let before = try await Dump(replica)
        do {
            _ = try await replica.read(sql, allowedTables: ["note"])
            Issue.record("\(sql) was let through")
        } catch ReplicaFault.notPermitted {
        }
        #expect(try await Dump(replica) == before)
    }

    @Test
    func `a read permitted to one plugin is refused to another, each time with the same text`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        let sql = "SELECT word FROM secret"
        for _ in 0..<2 {
            for allowed: Set<String>? in [nil, ["secret"], ["note", "secret"]] {
                #expect(try await replica.read(sql, allowedTables: allowed).count == 1)
            }
            for allowed: Set<String> in [["note"], []] {
                await #expect(throws: ReplicaFault.self) {
                    try await replica.read(sql, allowedTables: allowed)
                }
            }
        }
    }

    @Test(arguments: ["SELECT", "SELECT nothing FROM note", "SELECT 1; SELECT 2", ""])
    func `a text that is not a statement is refused with SQLite's message`(sql: String) async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        await #expect(throws: ReplicaFault.self) {
            try await replica.read(sql, allowedTables: nil)
        }
    }

    @Test func `arguments and columns have their types, and a missing column is null`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        let row = try await replica.read(
            "SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e",
            [.integer(7), .text("x"), .bytes([1]), .real(0.5), .null], allowedTables: []
        ).first
        #expect(row?["a"] == .integer(7))
        #expect(row?["b"] == .text("x"))
        #expect(row?["c"] == .bytes([1]))
        #expect(row?["d"] == .real(0.5))
        #expect(row?["e"] == .null && row?["f"] == .null)
        await #expect(throws: ReplicaFault.self) {
            try await replica.read("SELECT ?", [], allowedTables: nil)
        }
    }

    @Test func `spaces are shown with their kind and the person they are shared with`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        let rows = try await replica.read(
            "SELECT kind, person, id FROM waggle_space ORDER BY kind",
            allowedTables: [])
        #expect(rows.map { $0.text("kind") } == ["card", "pair", "self"])
        #expect(rows.map { $0.person("person") } == [mate.person, mate.person, me.person])
        #expect(rows.last?.bytes("id") == SpaceDescriptor.own(me.person).id.bytes)
    }

    @Test func `the log and the arrival of a record are shown`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let row = try await replica.read(
            """
            SELECT l.device, l.person, b.arrived, b.hash FROM note n
            JOIN waggle_log l ON l.log = n.log
            JOIN waggle_batch b ON b.batch = n.log << 40 | n.number
            """, allowedTables: ["note"]
        ).first
        #expect(row?.device("device") == me.device)
        #expect(row?.person("person") == me.person)
        #expect(row?.integer("arrived") == now.milliseconds)
        #expect(await row?.bytes("hash") == replica.heads(in: pair.id)[0].headHash.bytes)
    }

    @Test func `declared views are made again at each start`() async throws {
        let home = try homes.make()
        let first = try await replica(
            home, views: [.init(name: "title", sql: "SELECT title AS old FROM note")])
        #expect(try await first.read("SELECT old FROM title", allowedTables: ["title"]).count == 1)
        let second = try home.replica(
            me.key, collections: [.note, ReadTests.secret],
            views: [.init(name: "title", sql: "SELECT title AS new FROM note")])
        let rows = try await second.read("SELECT new FROM title", allowedTables: ["title"])
        #expect(rows.map { $0.text("new") } == ["hello"])
        await #expect(throws: ReplicaFault.self) {
            try await second.read("SELECT weight FROM note", allowedTables: ["title"])
        }
    }
}
