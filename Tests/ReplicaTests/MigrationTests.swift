import Foundation
import GRDB
import Records
import Replica
import Testing

/// Databases written by an older version of the program.
struct MigrationTests {
    private let homes = Homes()

    /// The core's tables of version 1.
    private static let firstVersion = [
        "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
        "INSERT INTO grdb_migrations VALUES ('1')",
        """
        CREATE TABLE space (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
            descriptor BLOB NOT NULL, kind TEXT NOT NULL, person BLOB)
        """,
        "CREATE TABLE person (person BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE device (number INTEGER PRIMARY KEY, device BLOB NOT NULL,
            person BLOB NOT NULL, UNIQUE (device, person))
        """,
        """
        CREATE TABLE log (number INTEGER PRIMARY KEY, space INTEGER NOT NULL,
            device BLOB NOT NULL, branch BLOB NOT NULL, person BLOB NOT NULL,
            UNIQUE (space, device, branch))
        """,
        """
        CREATE TABLE batch (id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL,
            epoch INTEGER NOT NULL, arrived INTEGER NOT NULL, hash BLOB NOT NULL,
            body BLOB NOT NULL, signature BLOB)
        """,
        """
        CREATE TABLE held (space INTEGER NOT NULL, stamp INTEGER NOT NULL,
            batch INTEGER NOT NULL, PRIMARY KEY (space, stamp, batch)) WITHOUT ROWID
        """,
        """
        CREATE TABLE register (space INTEGER NOT NULL, entity BLOB NOT NULL,
            field INTEGER NOT NULL, slot BLOB NOT NULL, stamp INTEGER NOT NULL,
            batch INTEGER NOT NULL, op INTEGER NOT NULL, value BLOB,
            PRIMARY KEY (space, entity, field, slot)) WITHOUT ROWID
        """,
        """
        CREATE TABLE element (space INTEGER NOT NULL, entity BLOB NOT NULL,
            field INTEGER NOT NULL, slot BLOB NOT NULL, dot BLOB NOT NULL, value NOT NULL,
            PRIMARY KEY (space, entity, field, slot, dot)) WITHOUT ROWID
        """,
        """
        CREATE TABLE removed (space INTEGER NOT NULL, entity BLOB NOT NULL,
            field INTEGER NOT NULL, slot BLOB NOT NULL, dot BLOB NOT NULL,
            PRIMARY KEY (space, entity, field, slot, dot)) WITHOUT ROWID
        """,
        """
        CREATE TABLE waiting (space INTEGER NOT NULL, collection INTEGER NOT NULL,
            entity BLOB NOT NULL, batch INTEGER NOT NULL, op INTEGER NOT NULL,
            PRIMARY KEY (space, collection, entity, batch, op)) WITHOUT ROWID
        """,
        """
        CREATE TABLE void (space INTEGER NOT NULL, batch INTEGER NOT NULL,
            op INTEGER NOT NULL, PRIMARY KEY (space, batch, op)) WITHOUT ROWID
        """,
        """
        CREATE TABLE acknowledged (space INTEGER NOT NULL, log INTEGER NOT NULL,
            device BLOB NOT NULL, number INTEGER NOT NULL,
            PRIMARY KEY (space, log, device)) WITHOUT ROWID
        """,
        "CREATE TABLE collection (name TEXT PRIMARY KEY, declaration TEXT NOT NULL, tables TEXT)",
        "CREATE TABLE start (count INTEGER NOT NULL)",
    ]

    /// The tables that are copied; everything else is merged from them.
    private static let copied = [
        "space (number, id, descriptor, kind, person)", "person (person, record)",
        "device (number, device, person)", "log (number, space, device, branch, person)",
        "batch (id, stamp, epoch, arrived, hash, body, signature)", "start (count)",
        "acknowledged (space, log, device, number)",
    ]

    /// Writes a home's database as version 1 would, with the same batches.
    private func older(_ home: Home) throws -> Home {
        let older = try homes.make()
        try FileManager.default.copyItem(atPath: home.file("starts"), toPath: older.file("starts"))
        let queue = try DatabaseQueue(path: older.file())
        try queue.writeWithoutTransaction { database in
            for statement in Self.firstVersion { try database.execute(sql: statement) }
            try database.execute(sql: "ATTACH DATABASE ? AS new", arguments: [home.file()])
            for table in Self.copied {
                let name = table.prefix { $0 != " " }
                let columns = table.dropFirst(name.count + 2).dropLast()
                try database.execute(
                    sql: "INSERT INTO main.\(table) SELECT \(columns) FROM new.\(name)")
            }
            try database.execute(sql: "DETACH DATABASE new")
        }
        try queue.close()
        return older
    }

    @Test func `a database of version 1 opens with all its content and accepts new batches`()
        async throws
    {
        let (me, mate) = (try Someone(seed: 81), try Someone(seed: 82, deviceCount: 2))
        let pair = SpaceDescriptor.between(me.person, mate.person)
        let home = try homes.make()
        let replica = try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
        var (lost, other) = (Author(mate.devices[1], in: pair), Author(mate.key, in: pair))
        for number in 0..<3 {
            try lost.write([lost.create(UInt8(number)).operation], at: now + .milliseconds(number))
        }
        let head = LogHead(log: lost.log, number: 2, hash: lost.batches[1].hash)
        try other.write([Operation(control: .cut(mate.person, [head]))], at: now + .milliseconds(9))
        try await replica.merge([lost, other])
        _ = try await replica.author(
            [.own(collection: "test.note/1", fields: ["title": .text("mine")])], in: pair.id,
            wallTime: now)
        let (dump, spaces) = (try await Dump(replica), await replica.spaces())
        #expect(dump.lines.count == 3)
        try await replica.close()

        let migrated = try older(home).replica(me.key)
        #expect(try await Dump(migrated) == dump)
        #expect(await migrated.spaces() == spaces)
        #expect(!migrated.startCountsDisagree)
        let commit = try await migrated.author(
            [.own(collection: "test.note/1", fields: ["title": .text("on")])], in: pair.id,
            wallTime: now)
        #expect(commit.number == 2)
        let members = try await migrated.read(
            "SELECT state FROM waggle_member", allowedTables: [])
        #expect(members.map { $0.text("state") } == ["member", "member"])
    }

    @Test func `a home of a program before this one can be exported, and its file is only read`()
        async throws
    {
        let (me, mate) = (try Someone(seed: 83), try Someone(seed: 84))
        let pair = SpaceDescriptor.between(me.person, mate.person)
        let home = try homes.make()
        let replica = try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
        _ = try await replica.author(
            [.own(collection: "test.note/1", fields: ["title": .text("mine")])], in: pair.id,
            wallTime: now)
        try await replica.close()
        let columns = ["void_rows", "waiting_rows", "missing_rows"]
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write { database in
            for column in columns {
                try database.execute(sql: "ALTER TABLE log DROP COLUMN \(column)")
            }
            try database.execute(
                sql: "DELETE FROM grdb_migrations WHERE identifier = 'rows of logs'")
        }
        let spaces = try ReplicaReader.reading(home.file(), collections: [.note]) { reader in
            try reader.spaces().map(\.descriptor.id)
        }
        #expect(spaces.contains(pair.id))
        let present = try await queue.read { try $0.columns(in: "log").map(\.name) }
        #expect(Set(present).isDisjoint(with: columns))
        let files = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(!files.contains { $0.contains("migrated") })
        try queue.close()
    }
}
