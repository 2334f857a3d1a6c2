import Foundation
import GRDB
import Glibc
import Localization
import Records
import Replica
import TestSupport
import Testing

/// Damaged files and full disks cause a helpful sentence, and no loss.
struct FaultTests {
    private let homes = Homes()
    private let me: Someone
    private let space: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        space = .own(me.person)
    }

    /// Authors a record of some bytes; each number makes another record.
    private func write(
        _ replica: Replica, number: Int = 0, bytes: Int = 1
    ) async throws -> Commit {
        let nonce = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 16)
        return try await replica.author(
            [
                .create(
                    collection: "test.lump/1", nonce: Bytes16(nonce) ?? .zero,
                    fields: ["body": .bytes([UInt8](repeating: 7, count: bytes))])
            ], in: space.id, wallTime: now)
    }

    private static let lump = RecordCollection(
        "test.lump/1", table: "lump", spaces: [.own],
        fields: [.init(1, "body", .bytes(countMax: Limits.valueBytesMax))])

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(
            of: me.key, knowing: [me], in: [space], collections: [FaultTests.lump],
            diskSpace: EndlessDisk())
    }

    @Test func `a file that is not a database is refused and left as it is`() throws {
        let home = try homes.make()
        let bytes = Data("This is a letter to my dog, and not a database at all.\n".utf8)
        let whole = Data((0..<100).flatMap { _ in bytes })
        try whole.write(to: URL(fileURLWithPath: home.file()))
        do {
            _ = try home.replica(me.key)
            Issue.record("the file was opened")
        } catch let fault as ReplicaFault {
            guard case .corrupted(home.file(), _) = fault else {
                Issue.record("\(fault)")
                return
            }
            #expect(fault.description.contains("backup"))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.file())) == whole)
    }

    @Test func `a damaged page is reported as damage`() async throws {
        let home = try homes.make()
        do {
            let replica = try await replica(home)
            for number in 0..<20 { _ = try await write(replica, number: number, bytes: 3000) }
        }
        try await DatabaseQueue(path: home.file()).writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: home.file()))
        for index in 4096..<bytes.count { bytes[index] = 0xff }
        try bytes.write(to: URL(fileURLWithPath: home.file()))
        do {
            _ = try home.replica(me.key)
            Issue.record("the file was opened")
        } catch ReplicaFault.corrupted {
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.file())).count == bytes.count)
    }

    @Test func `a file of a newer version is refused and left as it is`() throws {
        let home = try homes.make()
        _ = try home.replica(me.key)
        try DatabaseQueue(path: home.file()).write { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')")
        }
        do {
            _ = try home.replica(me.key)
            Issue.record("the file was opened")
        } catch let fault as ReplicaFault {
            #expect(fault == .newerVersion(path: home.file()))
            #expect(fault.description.contains("newer version"))
        }
    }

    @Test func `a missing directory is named`() throws {
        let home = try homes.make()
        let path = home.file("missing/replica.db")
        do {
            _ = try Replica(path: path, key: me.key, collections: [], views: [])
            Issue.record("the file was opened")
        } catch ReplicaFault.notWritable(path, _) {
        }
    }

    @Test(
        .enabled(if: getuid() != 0, "root writes where others may not"))
    func `a directory without write permission is named`() throws {
        let home = try homes.make()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o500], ofItemAtPath: home.path)
        do {
            _ = try home.replica(me.key)
            Issue.record("the file was opened")
        } catch ReplicaFault.notWritable {
        }
    }

    @Test(
        .enabled(if: getuid() == 0, "only root can mount a small disk"))
    func `a full disk loses nothing, and the next try succeeds once there is space`() async throws {
        let home = try homes.make()
        let disk = try SmallDisk(at: home.path, kibibytes: 1024)
        defer { disk.unmount() }
        let replica = try await replica(home)
        let ballast = home.file("ballast")
        _ = FileManager.default.createFile(atPath: ballast, contents: Data(count: 200 * 1024))
        var written = 0
        var fault: ReplicaFault?
        var before = await replica.spaces()
        while fault == nil, written < 200 {
            do {
                _ = try await write(replica, number: written, bytes: 20_000)
                written += 1
                before = await replica.spaces()
            } catch let error as ReplicaFault {
                fault = error
            }
        }
        #expect(fault?.description.contains("try again") == true)
        #expect(written > 0)
        #expect(await replica.spaces() == before)
        try FileManager.default.removeItem(atPath: ballast)
        let commit = try await write(replica, number: written, bytes: 20_000)
        #expect(commit.number == UInt64(written + 1))
        let reopened = try home.replica(me.key, collections: [FaultTests.lump])
        #expect(await reopened.heads(in: space.id) == replica.heads(in: space.id))
        let rows = try await reopened.read("SELECT entity FROM lump", allowedTables: ["lump"])
        #expect(rows.count == written + 1)
    }

    @Test func `a database locked by another process is reported as busy`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: home.file(), configuration: configuration)
        try await other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
        }
        do {
            _ = try await write(replica)
            Issue.record("the locked database was written")
        } catch let fault as ReplicaFault {
            #expect(fault == .busy(path: home.file()))
        }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await write(replica).number == 1)
    }
}
