import Foundation
import Identity
import Records
import Testing

@testable import Replica

/// Content that never arrives whole, and photos that replace one another: the room that they take.
struct ArrivingContentTests {
    private let homes = Homes()
    private let ann: Someone
    private let ben: Someone
    private let pair: SpaceDescriptor

    init() throws {
        ann = try Someone(seed: 1)
        ben = try Someone(seed: 2)
        pair = .between(ann.person, ben.person)
    }

    // MARK: - Parts

    private func key(_ number: Int, in space: String = "a") -> ArrivingContent.Key {
        ArrivingContent.Key(
            space: SpaceDescriptor.open(name: space).id,
            hash: BlobHash(of: [UInt8(number >> 8), UInt8(number & 0xff)]))
    }

    private func part(_ bytes: Int = 60_000, at seconds: Int = 0) -> ArrivingContent.Part {
        ArrivingContent.Part(bytes: bytes, changed: now + .seconds(seconds))
    }

    private let cost = 60_000 + Limits.blobFileBytes

    @Test func `without room the oldest parts go, of the space that has most`() {
        var arriving = ArrivingContent([])
        for number in 1...8 { arriving.record(key(number), part(at: number)) }
        for number in 1...2 { arriving.record(key(number, in: "b"), part()) }
        #expect(arriving.bytes == 10 * cost)
        #expect(arriving.prune(keeping: nil, bytesMax: 10 * cost, now: now).isEmpty)
        // A piece for one that is here already counts once.
        arriving.record(key(1), part(at: 9))
        #expect(arriving.bytes == 10 * cost)
        arriving.record(key(9), part(at: 10))
        let gone = arriving.prune(keeping: key(9), bytesMax: 10 * cost, now: now)
        #expect(gone == [key(2), key(3)])
        #expect(arriving.bytes == 9 * cost && arriving.parts.count == 9)
    }

    @Test func `the part that a piece came for stays, however long it is`() {
        var arriving = ArrivingContent([(key(1), part()), (key(2, in: "b"), part(2_000_000))])
        let gone = arriving.prune(keeping: key(2, in: "b"), bytesMax: cost, now: now)
        #expect(gone == [key(1)])
        #expect(arriving.prune(keeping: nil, bytesMax: cost, now: now) == [key(2, in: "b")])
        #expect(arriving.bytes == 0)
    }

    @Test func `a part goes after a day without a piece`() {
        var arriving = ArrivingContent([(key(1), part()), (key(2), part(at: 1))])
        let day = now + Limits.arrivingAge
        #expect(arriving.prune(keeping: nil, bytesMax: .max, now: day - .seconds(1)).isEmpty)
        #expect(arriving.prune(keeping: nil, bytesMax: .max, now: day) == [key(1)])
        #expect(arriving.prune(keeping: key(2), bytesMax: .max, now: .max).isEmpty)
    }

    @Test func `at most 2048 parts are kept, however short they are`() {
        var arriving = ArrivingContent([])
        for number in 1...Limits.arrivingCountMax {
            arriving.record(key(number), part(1, at: number))
        }
        #expect(arriving.prune(keeping: nil, bytesMax: .max, now: now).isEmpty)
        let last = key(Limits.arrivingCountMax + 1)
        arriving.record(last, part(1, at: Limits.arrivingCountMax + 1))
        let gone = arriving.prune(keeping: last, bytesMax: .max, now: now)
        #expect(gone.first == key(1))
        #expect(arriving.parts.count == Limits.arrivingCountMax / 10 * 9)
        #expect(arriving.parts[last] != nil)
    }

    // MARK: - Replicas

    private func replica(
        _ someone: Someone, _ home: Home, quota: StorageQuota = StorageQuota(),
        in spaces: [SpaceDescriptor]? = nil, collections: [RecordCollection] = [.shot]
    ) async throws -> Replica {
        try await home.replica(
            of: someone.key, knowing: [ann, ben], in: spaces ?? [pair],
            collections: collections, quota: quota)
    }

    /// Puts contents into a space, writes records that name them, and copies these.
    private func write(
        _ bytes: [UInt8], _ from: Replica, in space: SpaceDescriptor, to: Replica? = nil,
        as collection: RecordCollection = .shot
    ) async throws -> [Blob] {
        var blobs: [Blob] = []
        for byte in bytes {
            let content = [UInt8](repeating: byte, count: 100_000)
            let blob = try await from.put(
                content, kind: "image/jpeg", in: space.id, wallTime: now)
            let nonce = Bytes16([UInt8](repeating: byte, count: 16)) ?? .zero
            let edit = Edit.create(
                collection: collection.name, nonce: nonce, fields: ["photo": blob.value])
            _ = try await from.author([edit], in: space.id, wallTime: now)
            blobs.append(blob)
        }
        guard let to else { return blobs }
        for head in await from.heads(in: space.id) {
            let run = try await from.runs(
                in: space.id, log: head.log, after: head.low - 1, bytesMax: 1 << 20)
            if let run { _ = try await to.merge([(space.id, run)], wallTime: now) }
        }
        return blobs
    }

    private func parts(_ home: Home) -> Int {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: home.file("blobs/partial"))
        return names?.count ?? 0
    }

    private let piece = [UInt8](repeating: 1, count: Limits.blobPieceBytes)

    @Test func `content that never ends takes limited room, also after a restart`() async throws {
        let room = Limits.blobPieceBytes + Limits.blobFileBytes
        let two = try homes.make()
        let mine = try await replica(ann, try homes.make())
        let theirs = try await replica(ben, two, quota: StorageQuota(arrivingBytesMax: 5 * room))
        let blobs = try await write(Array(1...12), mine, in: pair, to: theirs)
        for (number, blob) in blobs.enumerated() {
            let isStored = try await theirs.append(
                piece, at: 0, of: blob, in: pair.id, wallTime: now + .seconds(number))
            #expect(isStored)
            #expect(parts(two) <= 5)
            let use = try await theirs.contentUse()
            #expect(use.arrivingBytes == parts(two) * room && use.bytesCount == 0)
        }
        #expect(
            try await theirs.arrivedBytes(of: blobs[11], in: pair.id)
                == .missing(arrivedBytes: Limits.blobPieceBytes))
        // The rest of a part that was removed is not stored without its beginning.
        let rest = [UInt8](repeating: 1, count: 100_000 - Limits.blobPieceBytes)
        let isStored = try await theirs.append(
            rest, at: Limits.blobPieceBytes, of: blobs[0], in: pair.id, wallTime: now)
        #expect(!isStored)
        #expect(
            try await theirs.arrivedBytes(of: blobs[0], in: pair.id) == .missing(arrivedBytes: 0))
        try await theirs.close()
        let again = try await replica(
            ben, two, quota: StorageQuota(arrivingBytesMax: 2 * room))
        #expect(try await again.contentUse().arrivingBytes == parts(two) * room)
        try await again.reconcileContent(wallTime: now)
        #expect((1...2).contains(parts(two)))
    }

    @Test func `content that arrives whole, or is given up, takes no room of parts`() async throws {
        let room = Limits.blobPieceBytes + Limits.blobFileBytes
        let two = try homes.make()
        let mine = try await replica(ann, try homes.make())
        let theirs = try await replica(ben, two, quota: StorageQuota(arrivingBytesMax: 2 * room))
        let blobs = try await write([1, 2, 3, 4], mine, in: pair, to: theirs)
        func append(_ blob: Blob, at time: Timestamp) async throws {
            _ = try await theirs.append(piece, at: 0, of: blob, in: pair.id, wallTime: time)
        }
        try await append(blobs[0], at: now)
        await theirs.discard(blobs[0], in: pair.id)
        #expect(parts(two) == 0)
        // A wrong hash removes the part.
        try await append(blobs[1], at: now)
        #expect(try await theirs.finish(blobs[1], in: pair.id, wallTime: now) == .wrongContent)
        try await append(blobs[2], at: now)
        try await append(blobs[3], at: now)
        #expect(parts(two) == 2)
        // A day later, the older ones go when a piece comes.
        try await append(blobs[0], at: now + Limits.arrivingAge)
        #expect(parts(two) == 1)
    }

    // MARK: - Cards

    private func fetch(
        _ blob: Blob, _ from: Replica, _ to: Replica, in space: SpaceDescriptor
    ) async throws {
        var offset = 0
        while let piece = try await from.piece(of: blob.hash, in: space.id, from: offset) {
            try await to.append(piece, at: offset, of: blob, in: space.id, wallTime: now)
            offset += piece.count
        }
        #expect(try await to.finish(blob, in: space.id, wallTime: now) == .stored)
    }

    @Test func `of another person's card only the photo that came last is kept`() async throws {
        let (card, own) = (SpaceDescriptor.card(ann.person), SpaceDescriptor.card(ben.person))
        let collections = [RecordCollection.shot, .portrait]
        let (one, two) = (try homes.make(), try homes.make())
        let mine = try await replica(
            ann, one, in: [pair, card], collections: collections)
        let theirs = try await replica(
            ben, two, in: [pair, card, own], collections: collections)
        let sent = try await write([9], mine, in: pair, to: theirs)
        try await fetch(sent[0], mine, theirs, in: pair)
        let kept = try await write([10, 11], theirs, in: own, as: .portrait)
        let photos = try await write([1, 2, 9, 3], mine, in: card, to: theirs, as: .portrait)
        for photo in photos {
            try await fetch(photo, mine, theirs, in: card)
            #expect(
                try await theirs.content(of: photo, in: card.id, wallTime: now)?.count == 100_000)
        }
        // The ninth is in the pair too, and Ben's own ones are his.
        let expected = Set(([photos[3]] + sent + kept).map(\.hash))
        #expect(Set(BlobFiles(beside: two.file()).hashes()) == expected)
        #expect(try await theirs.content(of: photos[2], in: card.id, wallTime: now) == nil)
        #expect(
            try await theirs.arrivedBytes(of: photos[0], in: card.id)
                == .missing(arrivedBytes: 0))
        #expect(BlobFiles(beside: one.file()).hashes().count == 4)
    }

    // MARK: - Own content

    @Test func `missing own content is read in parts, each blob of a space once`() async throws {
        let home = try homes.make()
        let group = SpaceDescriptor.group(owner: ann.person, nonce: .zero)
        let mine = try await replica(ann, home, in: [pair, group])
        let blobs = try await write(Array(1...5), mine, in: pair)
        let others = try await write(Array(4...7), mine, in: group)
        // A second record names the first one.
        let edit = Edit.create(
            collection: RecordCollection.shot.name,
            nonce: Bytes16([UInt8](repeating: 99, count: 16)) ?? .zero,
            fields: ["photo": blobs[0].value])
        _ = try await mine.author([edit], in: pair.id, wallTime: now)
        for blob in blobs + others { BlobFiles(beside: home.file()).remove(blob.hash) }
        try await mine.reconcileContent(wallTime: now)
        var found: [ContentName] = []
        while true {
            let last = found.last.map { (space: $0.space, blob: $0.blob) }
            let part = try await mine.missingOwnContent(after: last, countMax: 2)
            found += part.map { ContentName(space: $0.space, blob: $0.blob) }
            guard part.count == 2 else { break }
        }
        let expected =
            blobs.map { ContentName(space: pair.id, blob: $0) }
            + others.map { ContentName(space: group.id, blob: $0) }
        #expect(found.count == expected.count && Set(found) == Set(expected))
        // A space that is not here any more begins anew.
        let gone = (space: SpaceDescriptor.open(name: "gone").id, blob: blobs[0])
        #expect(try await mine.missingOwnContent(after: gone, countMax: 99).count == 9)
    }
}

/// A blob in a space.
private struct ContentName: Hashable {
    let space: SpaceID
    let blob: Blob
}

extension RecordCollection {
    /// Records with a photo on a card.
    fileprivate static let portrait = RecordCollection(
        "test.portrait/1", table: "portrait", spaces: [.card], isErasable: true,
        fields: [.init(1, "photo", .blob(kinds: ["image/jpeg"], bytesMax: 200_000))])
}
