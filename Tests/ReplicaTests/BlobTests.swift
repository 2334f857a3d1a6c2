import Foundation
import Identity
import Records
import Testing

@testable import Replica

/// Content beside the records: who may have it, how long it stays, and what a crash leaves.
struct BlobTests {
    private let homes = Homes()
    private let ann: Someone
    private let ben: Someone
    private let carl: Someone
    private let pair: SpaceDescriptor
    private let other: SpaceDescriptor

    init() throws {
        ann = try Someone(seed: 1)
        ben = try Someone(seed: 2)
        carl = try Someone(seed: 3)
        pair = .between(ann.person, ben.person)
        other = .between(ben.person, carl.person)
    }

    private func replica(
        _ someone: Someone, _ home: Home, quota: StorageQuota = StorageQuota(),
        collections: [RecordCollection] = [.shot]
    ) async throws -> Replica {
        try await home.replica(
            of: someone.key, knowing: [ann, ben, carl], in: [pair, other],
            collections: collections, quota: quota)
    }

    private func content(_ byte: UInt8, count: Int = 100_000) -> [UInt8] {
        [UInt8](repeating: byte, count: count)
    }

    /// Writes a record that names a blob.
    private func write(
        _ blob: Blob, _ replica: Replica, in space: SpaceDescriptor, nonce: UInt8 = 1
    ) async throws -> EntityID {
        let nonce = Bytes16([UInt8](repeating: nonce, count: 16)) ?? .zero
        let edit = Edit.create(
            collection: RecordCollection.shot.name, nonce: nonce, fields: ["photo": blob.value])
        return try await replica.author([edit], in: space.id, wallTime: now).created[0]
    }

    /// Copies all logs of a space, and fetches a blob if it is given.
    private func copy(
        _ space: SpaceDescriptor, _ from: Replica, _ to: Replica, fetching blob: Blob? = nil
    ) async throws {
        for head in await from.heads(in: space.id) {
            let run = try await from.runs(
                in: space.id, log: head.log, after: head.low - 1, bytesMax: 1 << 20)
            if let run { _ = try await to.merge([(space.id, run)], wallTime: now) }
        }
        guard let blob else { return }
        #expect(try await fetch(blob, from, to, in: space) == .stored)
    }

    private func fetch(
        _ blob: Blob, _ from: Replica, _ to: Replica, in space: SpaceDescriptor
    ) async throws -> ContentEnd {
        guard case .missing(var offset) = try await to.arrivedBytes(of: blob, in: space.id) else {
            return .notNamed
        }
        while let piece = try await from.piece(of: blob.hash, in: space.id, from: offset) {
            try await to.append(piece, at: offset, of: blob, in: space.id, wallTime: now)
            offset += piece.count
        }
        return try await to.finish(blob, in: space.id, wallTime: now)
    }

    private func erase(_ entity: EntityID, _ replica: Replica) async throws {
        let edit = Edit.erase(collection: RecordCollection.shot.name, entity: entity)
        _ = try await replica.author([edit], in: pair.id, wallTime: now)
    }

    private func files(_ home: Home) -> [BlobHash] { BlobFiles(beside: home.file()).hashes() }

    @Test func `content is named as a file and copied out, in the spaces that may use it only`()
        async throws
    {
        let home = try homes.make()
        let mine = try await replica(ben, home)
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        let file = try #require(
            try await mine.contentFile(of: blob, in: pair.id, wallTime: now))
        #expect(FileManager.default.contents(atPath: file).map(Array.init) == content(7))
        #expect(try await mine.contentFile(of: blob, in: other.id, wallTime: now) == nil)

        let copy = home.file() + "-copy.jpg"
        #expect(try await !mine.export(blob, in: other.id, to: copy, wallTime: now))
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(try await mine.export(blob, in: pair.id, to: copy, wallTime: now))
        #expect(FileManager.default.contents(atPath: copy).map(Array.init) == content(7))
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        await #expect(throws: BackupFault.exists(copy)) {
            try await mine.export(blob, in: pair.id, to: copy, wallTime: now)
        }
    }

    @Test func `content that a record names is fetched whole, and read back after a restart`()
        async throws
    {
        let (one, two) = (try homes.make(), try homes.make())
        let (mine, theirs) = (try await replica(ann, one), try await replica(ben, two))
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await write(blob, mine, in: pair)
        try await copy(pair, mine, theirs, fetching: blob)
        try await theirs.close()
        let again = try await replica(ben, two)
        try await again.reconcileContent(wallTime: now)
        #expect(try await again.content(of: blob, in: pair.id, wallTime: now) == content(7))
        #expect(try await again.arrivedBytes(of: blob, in: pair.id) == .isHere)
        let mode = try FileManager.default.attributesOfItem(
            atPath: two.file("blobs/\(blob.hash.description.prefix(2))/\(blob.hash)"))
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `content is not served before a record names it`() async throws {
        let mine = try await replica(ann, try homes.make())
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        #expect(try await mine.piece(of: blob.hash, in: pair.id, from: 0) == nil)
        _ = try await write(blob, mine, in: pair)
        let piece = try await mine.piece(of: blob.hash, in: pair.id, from: 0)
        #expect(piece?.count == Limits.blobPieceBytes)
        #expect(try await mine.piece(of: blob.hash, in: pair.id, from: 100_000) == nil)
        #expect(try await mine.piece(of: blob.hash, in: pair.id, from: -1) == nil)
    }

    @Test func `a record of another person opens no content that came by another space`()
        async throws
    {
        let (mine, theirs) = (
            try await replica(ann, try homes.make()), try await replica(ben, try homes.make())
        )
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await write(blob, mine, in: pair)
        try await copy(pair, mine, theirs, fetching: blob)
        // Carl knows the hash, and names it in the space that he shares with Ben.
        let forger = try await replica(carl, try homes.make())
        _ = try await forger.put(content(7), kind: "image/jpeg", in: other.id, wallTime: now)
        _ = try await write(blob, forger, in: other)
        try await copy(other, forger, theirs)
        #expect(try await theirs.piece(of: blob.hash, in: other.id, from: 0) == nil)
        #expect(try await theirs.content(of: blob, in: other.id, wallTime: now) == nil)
        #expect(
            try await theirs.arrivedBytes(of: blob, in: other.id) == .missing(arrivedBytes: 0))
        #expect(try await theirs.piece(of: blob.hash, in: pair.id, from: 0) != nil)
        // Once Carl has shown the content himself, Ben may pass it on there.
        #expect(try await fetch(blob, forger, theirs, in: other) == .stored)
        #expect(try await theirs.piece(of: blob.hash, in: other.id, from: 0) != nil)
    }

    @Test func `a record cannot name content that was not put into its space`() async throws {
        let mine = try await replica(ben, try homes.make())
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        await #expect(throws: EditFault.contentMissing(field: "photo")) {
            _ = try await write(blob, mine, in: other)
        }
        _ = try await write(blob, mine, in: pair)
    }

    @Test func `erasing the last record that names content removes the file at both`()
        async throws
    {
        let (one, two) = (try homes.make(), try homes.make())
        let (mine, theirs) = (try await replica(ann, one), try await replica(ben, two))
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        let first = try await write(blob, mine, in: pair, nonce: 1)
        let second = try await write(blob, mine, in: pair, nonce: 2)
        try await copy(pair, mine, theirs, fetching: blob)
        try await erase(first, mine)
        try await copy(pair, mine, theirs)
        #expect(files(one) == [blob.hash])
        #expect(files(two) == [blob.hash])
        try await erase(second, mine)
        try await copy(pair, mine, theirs)
        #expect(files(one).isEmpty)
        #expect(files(two).isEmpty)
        #expect(try await theirs.piece(of: blob.hash, in: pair.id, from: 0) == nil)
    }

    @Test func `content that an own record names in another space stays when a mate erases theirs`()
        async throws
    {
        let two = try homes.make()
        let (mine, theirs) = (
            try await replica(ann, try homes.make()), try await replica(ben, two)
        )
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        let record = try await write(blob, mine, in: pair)
        try await copy(pair, mine, theirs, fetching: blob)
        _ = try await theirs.put(content(7), kind: "image/jpeg", in: other.id, wallTime: now)
        _ = try await write(blob, theirs, in: other)
        try await erase(record, mine)
        try await copy(pair, mine, theirs)
        #expect(files(two) == [blob.hash])
        #expect(try await theirs.piece(of: blob.hash, in: pair.id, from: 0) == nil)
        #expect(try await theirs.piece(of: blob.hash, in: other.id, from: 0) != nil)
    }

    @Test func `a piece that arrives after its record was erased is not stored`() async throws {
        let two = try homes.make()
        let (mine, theirs) = (
            try await replica(ann, try homes.make()), try await replica(ben, two)
        )
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        let record = try await write(blob, mine, in: pair)
        try await copy(pair, mine, theirs)
        let piece = Limits.blobPieceBytes
        try await theirs.append(
            content(7, count: piece), at: 0, of: blob, in: pair.id, wallTime: now)
        try await erase(record, mine)
        try await copy(pair, mine, theirs)
        let rest = content(7, count: 100_000 - piece)
        try await theirs.append(rest, at: piece, of: blob, in: pair.id, wallTime: now)
        #expect(BlobFiles(beside: two.file()).partialBytes(of: blob.hash, in: pair.id) == 0)
        #expect(try await theirs.finish(blob, in: pair.id, wallTime: now) == .notNamed)
    }

    @Test func `wrong content is removed, and nothing shows it`() async throws {
        let two = try homes.make()
        let (mine, theirs) = (
            try await replica(ann, try homes.make()), try await replica(ben, two)
        )
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await write(blob, mine, in: pair)
        try await copy(pair, mine, theirs)
        try await theirs.append(content(8), at: 0, of: blob, in: pair.id, wallTime: now)
        #expect(
            try await theirs.arrivedBytes(of: blob, in: pair.id)
                == .missing(arrivedBytes: 100_000))
        #expect(try await theirs.finish(blob, in: pair.id, wallTime: now) == .wrongContent)
        #expect(files(two).isEmpty)
        #expect(
            try await theirs.arrivedBytes(of: blob, in: pair.id) == .missing(arrivedBytes: 0))
    }

    @Test func `fetched content over the quota is evicted, least recently used first`()
        async throws
    {
        let two = try homes.make()
        let quota = StorageQuota(fetchedBytesMax: 3 * (100_000 + Limits.blobFileBytes))
        let (mine, theirs) = (
            try await replica(ann, try homes.make()), try await replica(ben, two, quota: quota)
        )
        var blobs: [Blob] = []
        for byte in 1...4 as ClosedRange<UInt8> {
            let blob = try await mine.put(
                content(byte), kind: "image/jpeg", in: pair.id, wallTime: now)
            _ = try await write(blob, mine, in: pair, nonce: byte)
            blobs.append(blob)
        }
        try await copy(pair, mine, theirs)
        for blob in blobs.prefix(3) {
            #expect(try await fetch(blob, mine, theirs, in: pair) == .stored)
        }
        let later = now + .seconds(7200)
        #expect(try await theirs.content(of: blobs[0], in: pair.id, wallTime: later) != nil)
        #expect(files(two).count == 3)
        #expect(try await fetch(blobs[3], mine, theirs, in: pair) == .stored)
        #expect(try await theirs.content(of: blobs[0], in: pair.id, wallTime: later) != nil)
        #expect(try await theirs.content(of: blobs[1], in: pair.id, wallTime: later) == nil)
        #expect(files(two).count == 2)
        // The owner's own content is not counted.
        #expect(try await mine.content(of: blobs[1], in: pair.id, wallTime: later) != nil)
    }

    @Test func `a start removes files without a row and rows without a file`() async throws {
        let home = try homes.make()
        let mine = try await replica(ann, home)
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await write(blob, mine, in: pair)
        let files = BlobFiles(beside: home.file())
        try files.write(content(9), as: BlobHash(of: content(9)))
        files.remove(blob.hash)
        try await mine.reconcileContent(wallTime: now)
        #expect(self.files(home).isEmpty)
        #expect(try await mine.missingOwnContent(countMax: 9).map(\.blob) == [blob])
        #expect(
            try await mine.arrivedBytes(of: blob, in: pair.id) == .missing(arrivedBytes: 0))
    }

    @Test func `damaged content is not shown, and is fetched again`() async throws {
        let home = try homes.make()
        let mine = try await replica(ann, home)
        let blob = try await mine.put(
            content(7), kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await write(blob, mine, in: pair)
        try BlobFiles(beside: home.file()).write(content(8), as: blob.hash)
        #expect(try await mine.content(of: blob, in: pair.id, wallTime: now) == nil)
        #expect(files(home).isEmpty)
        #expect(try await mine.missingOwnContent(countMax: 9).map(\.blob) == [blob])
    }

    @Test func `a rebuild finds the same references, and a week without one evicts`()
        async throws
    {
        let home = try homes.make()
        let mine = try await replica(ann, home)
        let (named, draft) = (
            try await mine.put(content(7), kind: "image/jpeg", in: pair.id, wallTime: now),
            try await mine.put(content(8), kind: "image/png", in: pair.id, wallTime: now)
        )
        _ = try await write(named, mine, in: pair)
        try await mine.rebuild(pair.id)
        #expect(try await mine.piece(of: named.hash, in: pair.id, from: 0) != nil)
        let week = now + Limits.unnamedBlobAge
        try await mine.reconcileContent(wallTime: week - .milliseconds(1))
        #expect(Set(files(home)) == [named.hash, draft.hash])
        try await mine.reconcileContent(wallTime: week)
        #expect(files(home) == [named.hash])
    }

    @Test func `only blobs of the declared kinds and sizes are written`() async throws {
        let mine = try await replica(ann, try homes.make())
        let long = try await mine.put(
            content(7, count: 200_001), kind: "image/jpeg", in: pair.id, wallTime: now)
        let text = try await mine.put(
            content(7), kind: "text/plain", in: pair.id, wallTime: now)
        for blob in [long, text] {
            await #expect(throws: EditFault.self) { _ = try await write(blob, mine, in: pair) }
        }
        let most = try await mine.put(
            content(7, count: 200_000), kind: "image/png", in: pair.id, wallTime: now)
        _ = try await write(most, mine, in: pair)
        await #expect(throws: BlobFault.malformed(bytes: 0, kind: "image/png")) {
            _ = try await mine.put([], kind: "image/png", in: pair.id, wallTime: now)
        }
    }
}

extension RecordCollection {
    /// Records with a photo.
    static let shot = RecordCollection(
        "test.shot/1", table: "shot", spaces: [.pair, .group], isErasable: true,
        fields: [.init(1, "photo", .blob(kinds: ["image/jpeg", "image/png"], bytesMax: 200_000))])
}
