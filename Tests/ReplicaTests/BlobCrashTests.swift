import Foundation
import Identity
import Records
import Testing

@testable import Replica

/// Kills between any two steps of storing and removing content, and content in backups.
struct BlobCrashTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let content = [UInt8](repeating: 7, count: 150_000)

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    /// The last step that was done before the kill.
    enum Step: CaseIterable {
        case drafted, named, stored, recorded, erased, removed
        case halfArrived, arrived, renamed

        /// Whether the steps belong to content that is fetched.
        var isOfFetch: Bool { [.halfArrived, .arrived, .renamed].contains(self) }
        /// Whether the content must be there after a restart.
        var mustStay: Bool { [.recorded].contains(self) }
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(
            of: me.key, knowing: [me, mate], in: [.own(me.person), pair], collections: [.shot])
    }

    private func record(_ blob: Blob, _ replica: Replica) async throws -> EntityID {
        let edit = Edit.create(
            collection: RecordCollection.shot.name, nonce: .zero, fields: ["photo": blob.value])
        return try await replica.author([edit], in: pair.id, wallTime: now).created[0]
    }

    /// Pushes a mate's record that names the content.
    private func receiveRecord(of blob: Blob, _ replica: Replica) async throws {
        var author = Author(mate.key, in: pair)
        let (entity, create) = author.create(1, .shot)
        try author.write(
            [
                create,
                Operation(
                    collection: RecordCollection.shot.id, entity: entity,
                    action: .set(field: 1, blob.value)),
            ], at: now, salt: .zero)
        try await replica.merge([author])
    }

    /// Does everything up to a step, and returns the home as a kill then leaves it.
    private func home(after step: Step, _ blob: Blob) async throws -> Home {
        let home = try homes.make()
        let files = BlobFiles(beside: home.file())
        let replica = try await replica(home)
        if step.isOfFetch {
            try await receiveRecord(of: blob, replica)
            let half = Array(content[..<(2 * Limits.blobPieceBytes)])
            try await replica.append(half, at: 0, of: blob, in: pair.id, wallTime: now)
            if step != .halfArrived {
                try await replica.append(
                    Array(content[half.count...]), at: half.count, of: blob, in: pair.id,
                    wallTime: now)
            }
            if step == .renamed { #expect(try files.finishPartial(blob.hash, in: pair.id)) }
            return try home.copy()
        }
        switch step {
        case .drafted:
            try FileManager.default.createDirectory(
                atPath: files.directory, withIntermediateDirectories: true)
            try Data(content[..<1000]).write(to: URL(fileURLWithPath: files.directory + "/draft"))
        case .named: try files.write(content, as: blob.hash)
        default:
            _ = try await replica.put(
                content, kind: blob.kind, in: pair.id, wallTime: now)
        }
        guard [.recorded, .erased, .removed].contains(step) else { return try home.copy() }
        let entity = try await record(blob, replica)
        guard step != .recorded else { return try home.copy() }
        let erase = Edit.erase(collection: RecordCollection.shot.name, entity: entity)
        _ = try await replica.author([erase], in: pair.id, wallTime: now)
        #expect(files.hashes().isEmpty)
        // The kill came after the commit and before the file was removed.
        if step == .erased { try files.write(content, as: blob.hash) }
        return try home.copy()
    }

    @Test(arguments: Step.allCases)
    func `after a kill at any step, files and tables agree`(step: Step) async throws {
        let blob = try #require(Blob(of: content, kind: "image/jpeg"))
        let home = try await home(after: step, blob)
        let files = BlobFiles(beside: home.file())
        let replica = try await replica(home)
        try await replica.reconcileContent(wallTime: now)
        let rows = try await replica.read("SELECT hash FROM blob", allowedTables: nil)
        #expect(
            Set(files.hashes())
                == Set(
                    rows.compactMap { $0.bytes("hash") }.compactMap {
                        BlobHash(bytes: $0)
                    }))
        let names = try FileManager.default.contentsOfDirectory(atPath: files.directory)
        #expect(!names.contains("draft"))
        let found = try await replica.content(of: blob, in: pair.id, wallTime: now)
        if step.mustStay { #expect(found == content) }
        if step == .erased || step == .removed { #expect(files.hashes().isEmpty) }
        guard step.isOfFetch else { return }
        // What arrived is gone on with, or was named before its row was written and comes again.
        let need = try await replica.arrivedBytes(of: blob, in: pair.id)
        let expected: [Step: Int] = [
            .halfArrived: 2 * Limits.blobPieceBytes, .arrived: content.count, .renamed: 0,
        ]
        #expect(need == .missing(arrivedBytes: expected[step] ?? -1))
        if step == .renamed {
            try await replica.append(content, at: 0, of: blob, in: pair.id, wallTime: now)
        } else if step == .halfArrived {
            let half = 2 * Limits.blobPieceBytes
            try await replica.append(
                Array(content[half...]), at: half, of: blob, in: pair.id, wallTime: now)
        }
        #expect(try await replica.finish(blob, in: pair.id, wallTime: now) == .stored)
        #expect(try await replica.content(of: blob, in: pair.id, wallTime: now) == content)
    }

    @Test func `a backup holds all content, and a restored replica has it`() async throws {
        let (home, other) = (try homes.make(), try homes.make())
        let replica = try await replica(home)
        let blob = try await replica.put(
            content, kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await record(blob, replica)
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(
            replica: home.file(),
            BackupFile.Identity(key: me.key.rawRepresentation, person: me.record.encoded))
        try backup.unpack(to: other.file())
        let restored = try other.replica(me.key, collections: [.shot])
        #expect(try await restored.content(of: blob, in: pair.id, wallTime: now) == content)
        // The content is in its file alone.
        let tables = try await restored.read(
            "SELECT name FROM sqlite_master WHERE name LIKE 'backup%'", allowedTables: nil)
        #expect(tables.isEmpty)
    }

    @Test func `a backup leaves out damaged content, which is fetched again after a restore`()
        async throws
    {
        let (home, other) = (try homes.make(), try homes.make())
        let replica = try await replica(home)
        let blob = try await replica.put(
            content, kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await record(blob, replica)
        try BlobFiles(beside: home.file()).write([1, 2, 3], as: blob.hash)
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(
            replica: home.file(),
            BackupFile.Identity(key: me.key.rawRepresentation, person: me.record.encoded))
        try backup.unpack(to: other.file())
        let restored = try other.replica(me.key, collections: [.shot])
        #expect(try await restored.missingOwnContent(countMax: 9).map(\.blob) == [blob])
    }

    @Test func `an export has the content of a snapshot`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let blob = try await replica.put(
            content, kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await record(blob, replica)
        var found: [BlobHash: [UInt8]] = [:]
        try ReplicaReader.reading(home.file(), collections: [.shot]) { reader in
            try reader.blobs { found[$0] = $1 }
        }
        #expect(found == [blob.hash: content])
    }

    @Test func `a record that lies about the size of known content gets nothing`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let blob = try await replica.put(
            content, kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await record(blob, replica)
        let lie = try #require(
            Blob(hash: blob.hash, bytesCount: content.count - 1, kind: blob.kind))
        try await receiveRecord(of: lie, replica)
        #expect(try await replica.content(of: lie, in: pair.id, wallTime: now) == nil)
        #expect(try await replica.arrivedBytes(of: lie, in: pair.id) == .notNamed)
    }

    @Test func `a check finds damaged content and removes it`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let blob = try await replica.put(
            content, kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await record(blob, replica)
        #expect(try await replica.checkContent().damaged.isEmpty)
        try BlobFiles(beside: home.file()).write([1, 2, 3], as: blob.hash)
        let named = DamagedContent.Named(space: pair.id, blob: blob)
        #expect(
            try await replica.checkContent().damaged
                == [DamagedContent(hash: blob.hash, bytesCount: blob.bytesCount, named: named)])
        #expect(try await replica.checkContent().checkedCount == 0)
    }
}
