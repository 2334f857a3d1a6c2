import GRDB
import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// Content that records of open spaces name: who may have it, when it goes, and what room it has.
struct OpenContentTests {
    private let homes = Homes()
    private let pictures = PictureTown()
    private let me: Someone
    private let ben: Someone
    private let cara: Someone

    init() throws {
        me = try Someone(seed: 621)
        ben = try Someone(seed: 622)
        cara = try Someone(seed: 623)
    }

    private let photo = PictureTown.blob(1, count: 100_000)
    private let thumbnail = PictureTown.blob(2)

    private func replica(
        _ home: Home, retaining retained: Set<PersonID> = [],
        quota: StorageQuota = StorageQuota(), besides spaces: [SpaceDescriptor] = []
    ) async throws -> Replica {
        try await pictures.replica(
            of: me.key, knowing: [me, ben], in: home, retaining: retained, quota: quota,
            besides: spaces)
    }

    /// Opens a replica with one picture of Ben's, whose content is here.
    private func filled(_ home: Home) async throws -> (Replica, Poster) {
        let replica = try await replica(home)
        var poster = Poster(ben, in: pictures.town)
        try poster.picture(1, photo: photo, thumbnail: thumbnail, at: now)
        try await replica.receive(poster.piece, from: cara, in: pictures.town)
        _ = try await replica.fetch(PictureTown.content(2), of: thumbnail, in: pictures)
        _ = try await replica.fetch(
            PictureTown.content(1, count: 100_000), of: photo, in: pictures)
        #expect(pictures.files(home) == [photo.hash, thumbnail.hash])
        return (replica, poster)
    }

    private func sought(_ blob: Blob) -> SoughtBlob {
        SoughtBlob(hash: blob.hash, bytesCount: blob.bytesCount)
    }

    @Test func `an erase, and an edit without the photo, take the content away`() async throws {
        let home = try homes.make()
        var (replica, poster) = try await filled(home)
        // An edit writes the record anew, and clears what is gone.
        let entity = poster.author.batches[0].body?.operations[0].entity
        let cleared = Operation(
            collection: RecordCollection.picture.id, entity: try #require(entity),
            action: .set(field: 1, .null))
        try poster.picture(
            1, thumbnail: thumbnail, besides: [cleared], at: now + .seconds(1))
        try await replica.receive(poster.piece(2...2), from: cara, in: pictures.town)
        #expect(pictures.files(home) == [thumbnail.hash])
        #expect(try await replica.piece(of: photo.hash, in: pictures.id, from: 0) == nil)
        try poster.write(
            poster.author.batches.map { .erase($0) }, at: now + .seconds(2))
        try await replica.receive(poster.piece(3...3), from: cara, in: pictures.town)
        #expect(pictures.files(home).isEmpty)
    }

    @Test func `an expiry takes the content away, also if the program ends before`() async throws {
        let home = try homes.make()
        let (replica, _) = try await filled(home)
        let kept = PictureTown.content(1, count: 100_000)
        let end = now + Limits.openStampAgeMax
        try await replica.prune(wallTime: end)
        #expect(pictures.files(home).count == 2)
        try await replica.prune(wallTime: end + .milliseconds(1))
        #expect(pictures.files(home).isEmpty)
        // As a kill between the commit and the removal leaves it.
        try BlobFiles(beside: home.file()).write(kept, as: photo.hash)
        try await replica.close()
        let again = try await self.replica(home)
        try await again.reconcileContent(wallTime: end)
        #expect(pictures.files(home).isEmpty)
    }

    @Test func `leaving takes all content away, also what has half arrived`() async throws {
        let home = try homes.make()
        var (replica, poster) = try await filled(home)
        let other = PictureTown.blob(3, count: 100_000)
        try poster.picture(2, photo: other, at: now + .seconds(1))
        try await replica.receive(poster.piece(2...2), from: cara, in: pictures.town)
        try await replica.append(
            [1, 2, 3], at: 0, of: other, in: pictures.id, wallTime: now)
        try await replica.leave([pictures.id])
        #expect(pictures.files(home).isEmpty)
        let files = BlobFiles(beside: home.file())
        #expect(files.partialBytes(of: other.hash, in: pictures.id) == 0)
        for table in ["small_content", "small_day", "withdrawn_content", "blob_access"] {
            let count = try await replica.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)")
            }
            #expect(count == 0, "\(table)")
        }
    }

    @Test func `blocking somebody takes their photos away`() async throws {
        let home = try homes.make()
        let (replica, _) = try await filled(home)
        await replica.retain([], blocked: [ben.person])
        try await replica.prune(wallTime: now)
        #expect(pictures.files(home).isEmpty)
    }

    @Test func `own photos stay while their record counts, and are not evicted`() async throws {
        let home = try homes.make()
        let room = 100_000 + Limits.blobFileBytes
        let replica = try await replica(home, quota: StorageQuota(fetchedBytesMax: 8 * room))
        let mine = try await replica.put(
            PictureTown.content(9, count: 100_000), kind: "image/jpeg", in: pictures.id,
            wallTime: now)
        let edit = Edit.create(
            collection: "test.picture/1", nonce: .zero, fields: ["photo": mine.value])
        _ = try await replica.author([edit], in: pictures.id, wallTime: now)
        var poster = Poster(ben, in: pictures.town)
        for number in 0..<3 {
            let blob = PictureTown.blob(number, count: 100_000)
            try poster.picture(
                UInt64(number), photo: blob, at: now + .seconds(number))
        }
        try await replica.receive(poster.piece, from: cara, in: pictures.town)
        for number in 0..<3 {
            let blob = PictureTown.blob(number, count: 100_000)
            _ = try await replica.fetch(
                PictureTown.content(number, count: 100_000), of: blob, in: pictures)
        }
        #expect(pictures.files(home).contains(mine.hash))
        #expect(pictures.files(home).count <= 2)
        #expect(try await replica.sought(sought(mine), in: pictures.id) == .isHere)
        try await replica.prune(wallTime: now + Limits.openStampAgeMax + .milliseconds(1))
        #expect(!pictures.files(home).contains(mine.hash))
    }

    @Test func `content of strangers makes room for that of mates, and never pushes out a pair's`()
        async throws
    {
        let home = try homes.make()
        let pair = SpaceDescriptor.between(me.person, ben.person)
        let room = 100_000 + Limits.blobFileBytes
        // Two pictures of open spaces, and sixteen of all.
        let quota = StorageQuota(fetchedBytesMax: 16 * room)
        let replica = try await replica(
            home, retaining: [ben.person], quota: quota, besides: [pair])
        let shown = PictureTown.blob(100, count: 100_000)
        var writer = Author(ben.key, in: pair)
        let entity = Operation.entity(
            in: pair.id, of: RecordCollection.shot.id, by: ben.device, nonce: .zero)
        try writer.write(
            [.create(nonce: .zero), .set(field: 1, shown.value)].map {
                Operation(collection: RecordCollection.shot.id, entity: entity, action: $0)
            }, at: now, salt: .zero)
        _ = try await replica.merge([(pair.id, writer.run(0..<1))], wallTime: now)
        try await replica.append(
            PictureTown.content(100, count: 100_000), at: 0, of: shown, in: pair.id, wallTime: now)
        #expect(try await replica.finish(shown, in: pair.id, wallTime: now) == .stored)
        var hashes: [[BlobHash]] = []
        for (index, someone) in [ben, cara].enumerated() {
            var poster = Poster(someone, in: pictures.town)
            let numbers = index * 10..<index * 10 + (index == 0 ? 1 : 4)
            for number in numbers {
                try poster.picture(
                    UInt64(number), photo: PictureTown.blob(number, count: 100_000), at: now)
            }
            try await replica.receive(poster.piece, from: cara, in: pictures.town)
            for number in numbers {
                let blob = PictureTown.blob(number, count: 100_000)
                _ = try await replica.fetch(
                    PictureTown.content(number, count: 100_000), of: blob, in: pictures)
            }
            hashes.append(numbers.map { PictureTown.blob($0, count: 100_000).hash })
        }
        let files = pictures.files(home)
        #expect(files.contains(shown.hash) && files.contains(hashes[0][0]))
        #expect(files.count <= 3)
    }

    @Test func `a peer learns nothing of content that no record of the space names`()
        async throws
    {
        let home = try homes.make()
        let pair = SpaceDescriptor.between(me.person, ben.person)
        let replica = try await replica(home, besides: [pair])
        let secret = try await replica.put(
            PictureTown.content(7, count: 500), kind: "image/jpeg", in: pair.id, wallTime: now)
        _ = try await replica.author(
            [
                .create(
                    collection: "test.shot/1", nonce: .zero, fields: ["photo": secret.value])
            ], in: pair.id, wallTime: now)
        #expect(try await replica.sought(sought(secret), in: pictures.id) == .unknown)
        // A stranger who knows the hash names it in a post of their own.
        var poster = Poster(cara, in: pictures.town)
        try poster.picture(1, photo: secret, at: now)
        try await replica.receive(poster.piece, from: cara, in: pictures.town)
        #expect(try await replica.sought(sought(secret), in: pictures.id) == .missing(secret))
        #expect(try await replica.piece(of: secret.hash, in: pictures.id, from: 0) == nil)
        #expect(try await replica.sought(sought(secret), in: pair.id) == .unknown)
    }

    @Test func `a wrong length in one record is no answer for another`() async throws {
        let home = try homes.make()
        let (replica, _) = try await filled(home)
        #expect(try await replica.sought(sought(photo), in: pictures.id) == .isHere)
        let wrong = SoughtBlob(hash: photo.hash, bytesCount: 99_999)
        #expect(try await replica.sought(wrong, in: pictures.id) == .unknown)
    }

    @Test func `a start drops what had half arrived for an open space`() async throws {
        let home = try homes.make()
        let (replica, poster) = try await filled(home)
        var more = poster
        let other = PictureTown.blob(3, count: 100_000)
        try more.picture(2, photo: other, at: now + .seconds(1))
        try await replica.receive(more.piece(2...2), from: cara, in: pictures.town)
        try await replica.append(
            [1, 2, 3], at: 0, of: other, in: pictures.id, wallTime: now)
        try await replica.reconcileContent(wallTime: now)
        #expect(
            try await replica.arrivedBytes(of: other, in: pictures.id)
                == .missing(arrivedBytes: 0))
        #expect(pictures.files(home).count == 2)
    }
}
