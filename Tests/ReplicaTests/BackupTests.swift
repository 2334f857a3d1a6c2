import Foundation
import GRDB
import Identity
import Localization
import Records
import Testing

@testable import Replica

/// A backup is complete or absent, and a restored replica knows that it was restored.
struct BackupTests {
    private let homes = Homes()
    private let me: Someone
    private let identity: BackupFile.Identity

    init() throws {
        me = try Someone(seed: 1)
        identity = BackupFile.Identity(
            key: me.key.rawRepresentation, person: me.record.encoded)
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(of: me.key, knowing: [me], in: [.own(me.person)])
    }

    private func write(_ titles: ClosedRange<Int>, _ replica: Replica) async throws {
        try await BackupTests.write(titles, replica, SpaceDescriptor.own(me.person).id)
    }

    private static func write(
        _ titles: ClosedRange<Int>, _ replica: Replica, _ space: SpaceID
    ) async throws {
        for title in titles {
            _ = try await replica.author(
                [.own(collection: "test.note/1", fields: ["title": .text("\(title)")])],
                in: space, wallTime: now)
        }
    }

    @Test func `a restored replica equals the backed-up one, and knows that it was restored`()
        async throws
    {
        let (home, other) = (try homes.make(), try homes.make())
        let replica = try await replica(home)
        try await write(1...20, replica)
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(replica: home.file(), identity)
        // Later writes are not in the backup.
        let before = try await Dump(replica)
        try await write(21...22, replica)
        let mode = try FileManager.default.attributesOfItem(atPath: backup.path)
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try backup.identity() == identity)
        try backup.unpack(to: other.file())
        let restored = try other.replica(me.key)
        #expect(try await Dump(restored) == before)
        #expect(restored.startCountsDisagree)
        #expect(!replica.startCountsDisagree)
        #expect(try await restored.damagedBatches(in: SpaceDescriptor.own(me.person).id).isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
                == ["backup", "replica.db", "replica.db-shm", "replica.db-wal", "starts"])
    }

    @Test func `a restored replica does not hold the key`() async throws {
        let (home, other) = (try homes.make(), try homes.make())
        try await write(1...2, try await replica(home))
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(replica: home.file(), identity)
        try backup.unpack(to: other.file())
        let key = Data(me.key.rawRepresentation)
        #expect(try Data(contentsOf: URL(fileURLWithPath: backup.path)).firstRange(of: key) != nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: other.file())).firstRange(of: key) == nil)
    }

    @Test func `a backup made during writes is a snapshot of the replica`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        try await write(1...1, replica)
        let space = SpaceDescriptor.own(me.person).id
        async let writing: Void = BackupTests.write(2...60, replica, space)
        for number in 0..<5 {
            try BackupFile(path: home.file("backup\(number)"))
                .write(replica: home.file(), identity)
        }
        try await writing
        for number in 0..<5 {
            let other = try homes.make()
            try BackupFile(path: home.file("backup\(number)")).unpack(to: other.file())
            let restored = try other.replica(me.key)
            let batches = try #require(await restored.spaces().first).batches
            let note = try await restored.read("SELECT title FROM note", allowedTables: nil)
            #expect(note.first?.text("title") == "\(batches)")
        }
    }

    @Test func `no existing file is replaced`() async throws {
        let home = try homes.make()
        _ = try await replica(home)
        let path = home.file("taken")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: BackupFault.exists(path)) {
            try BackupFile(path: path).write(replica: home.file(), identity)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(replica: home.file(), identity)
        #expect(throws: BackupFault.exists(home.file())) { try backup.unpack(to: home.file()) }
    }

    @Test func `a shortened or damaged backup is refused for any position of the damage`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        try await write(1...200, replica)
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(replica: home.file(), identity)
        let whole = try Data(contentsOf: URL(fileURLWithPath: backup.path))
        for length in [0, 1, 99, 100, 511, 4096, 5000, 8192, whole.count / 2, whole.count - 1] {
            let short = BackupFile(path: home.file("short\(length)"))
            try whole.prefix(length).write(to: URL(fileURLWithPath: short.path))
            #expect(throws: BackupFault.self, "\(length) bytes") { try short.identity() }
        }
        for place in stride(from: 100, to: whole.count, by: 997) + [whole.count - 1] {
            var damaged = whole
            damaged[place] ^= 1
            let path = home.file("damaged")
            try damaged.write(to: URL(fileURLWithPath: path))
            #expect(throws: BackupFault.self, "at \(place)") {
                try BackupFile(path: path).unpack(to: home.file("unpacked"))
            }
            #expect(!FileManager.default.fileExists(atPath: home.file("unpacked")))
        }
        try whole.write(to: URL(fileURLWithPath: home.file("again")))
        #expect(try BackupFile(path: home.file("again")).identity() == identity)
    }

    @Test func `a replica with a damaged batch cannot be backed up until it is repaired`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        try await write(1...3, replica)
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write {
            try $0.execute(sql: "UPDATE batch SET body = body || x'00' WHERE id & 0xff = 2")
        }
        try queue.close()
        let backup = BackupFile(path: home.file("backup"))
        let fault = #expect(throws: BackupFault.self) {
            try backup.write(replica: home.file(), identity)
        }
        #expect(fault?.description.contains("damaged (batch 2 of ") == true)
        #expect(fault?.description.contains("use 'waggle repair'") == true)
        #expect(!FileManager.default.fileExists(atPath: backup.path))
        _ = try await replica.repair(SpaceDescriptor.own(me.person).id)
        try backup.write(replica: home.file(), identity)
        #expect(try backup.identity() == identity)
    }

    @Test func `a backup with another person's record is refused`() async throws {
        let home = try homes.make()
        try await write(1...2, try await replica(home))
        let other = try Someone(seed: 2)
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(
            replica: home.file(),
            BackupFile.Identity(key: other.key.rawRepresentation, person: other.record.encoded))
        #expect(
            throws: BackupFault.damaged(
                backup.path, "its key and its records are of different people")
        ) { try backup.unpack(to: home.file("unpacked")) }
    }

    @Test func `another database, a newer one and a missing file are refused`() async throws {
        let home = try homes.make()
        _ = try await replica(home)
        let none = BackupFile(path: home.file("none"))
        #expect(throws: BackupFault.notFound(none.path)) { try none.identity() }
        let foreign = BackupFile(path: home.file())
        #expect(throws: BackupFault.foreign(foreign.path)) { try foreign.identity() }
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')")
        }
        try queue.close()
        let backup = BackupFile(path: home.file("backup"))
        #expect(throws: BackupFault.newer(home.file())) {
            try backup.write(replica: home.file(), identity)
        }
    }

    @Test func `a backup that a newer version made is refused`() async throws {
        let home = try homes.make()
        try await write(1...2, try await replica(home))
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(replica: home.file(), identity)
        try backup.rewrite("INSERT INTO grdb_migrations VALUES ('from the future')")
        #expect(throws: BackupFault.newer(backup.path)) {
            try backup.unpack(to: home.file("unpacked"))
        }
    }

    @Test func `a backup with a changed batch is refused even if its hash was computed again`()
        async throws
    {
        let home = try homes.make()
        try await write(1...3, try await replica(home))
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(replica: home.file(), identity)
        try backup.rewrite("UPDATE batch SET body = body || x'00' WHERE id & 0xff = 2")
        let fault = #expect(throws: BackupFault.self) {
            try backup.unpack(to: home.file("unpacked"))
        }
        #expect(fault?.description.contains("batch 2 of ") == true)
    }

    @Test func `a full disk leaves no file behind`() async throws {
        let (home, small) = (try homes.make(), try homes.make())
        let replica = try await replica(home)
        try await write(1...100, replica)
        let disk = try SmallDisk(at: small.path, kibibytes: 64)
        defer { disk.unmount() }
        let backup = BackupFile(path: small.file("backup"))
        #expect(throws: BackupFault.diskFull(backup.path)) {
            try backup.write(replica: home.file(), identity)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: small.path).isEmpty)
    }
}

extension BackupFile {
    /// Changes the database in a backup and seals it again.
    fileprivate func rewrite(_ sql: String) throws {
        let file = URL(fileURLWithPath: path)
        try Data(contentsOf: file).dropLast(BackupSeal.bytesCount).write(to: file)
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
        try BackupSeal(path: path).append()
    }
}
