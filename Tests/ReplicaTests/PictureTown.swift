import Identity
import Records
import TestSupport

@testable import Replica

extension RecordCollection {
    /// A picture of an open space, with a thumbnail that is fetched with the record.
    static let picture = RecordCollection(
        "test.picture/1", table: "picture", spaces: [.open], isErasable: true,
        fields: [
            Field(1, "photo", .blob(kinds: ["image/jpeg"], bytesMax: 1 << 20)),
            Field(
                2, "thumbnail", .blob(kinds: ["image/jpeg"], bytesMax: 8192), fetched: .withRecord),
        ])
}

/// An open space with pictures, and people who write there without a replica.
struct PictureTown {
    let town = OpenTown()
    var id: SpaceID { town.id }
    /// The first moment of a UTC day.
    let day = DayLedger.beginning(of: DayLedger.day(of: now))

    /// Opens a replica of a device that has joined the space.
    func replica(
        of key: DeviceKey, knowing people: [Someone], in home: Home,
        retaining retained: Set<PersonID> = [], quota: StorageQuota = StorageQuota(),
        besides spaces: [SpaceDescriptor] = []
    ) async throws -> Replica {
        let replica = try await home.replica(
            of: key, knowing: people, in: [town.space] + spaces, collections: [.picture, .shot],
            quota: quota)
        await replica.retain(retained)
        return replica
    }

    /// Returns content that differs by its number.
    static func content(_ number: Int, count: Int = 8192) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        for index in 0..<min(4, count) {
            bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index))
        }
        return bytes
    }

    /// Returns the blob of that content.
    static func blob(_ number: Int, count: Int = 8192) -> Blob {
        guard let blob = Blob(of: content(number, count: count), kind: "image/jpeg") else {
            preconditionFailure("the content is valid")
        }
        return blob
    }

    /// The files with content in a home.
    func files(_ home: Home) -> Set<BlobHash> { Set(BlobFiles(beside: home.file()).hashes()) }
}

extension Poster {
    /// Writes a picture, or writes one anew.
    @discardableResult
    mutating func picture(
        _ number: UInt64, photo: Blob? = nil, thumbnail: Blob? = nil,
        besides others: [Operation] = [], at time: Timestamp
    ) throws -> CheckedBatch {
        let (collection, nonce) = (RecordCollection.picture.id, Poster.nonce(number))
        let entity = Operation.entity(
            in: town.id, of: collection, by: someone.person, nonce: nonce)
        var actions: [Operation.Action] = [.create(nonce: nonce)]
        if let photo { actions.append(.set(field: 1, photo.value)) }
        if let thumbnail { actions.append(.set(field: 2, thumbnail.value)) }
        return try write(
            actions.map { Operation(collection: collection, entity: entity, action: $0) }
                + others, at: time)
    }
}

extension Poster {
    /// Writes pictures with these thumbnails in one batch.
    mutating func pictures(_ thumbnails: [Blob], at time: Timestamp) throws {
        let collection = RecordCollection.picture.id
        let operations = thumbnails.flatMap { thumbnail in
            let nonce = Bytes16(prefixOf: thumbnail.hash.raw)
            let entity = Operation.entity(
                in: town.id, of: collection, by: someone.person, nonce: nonce)
            let actions: [Operation.Action] = [
                .create(nonce: nonce), .set(field: 2, thumbnail.value),
            ]
            return actions.map {
                Operation(collection: collection, entity: entity, action: $0)
            }
        }
        try write(operations, at: time)
    }
}

extension Replica {
    /// Fetches content that is needed here.
    func fetch(_ content: [UInt8], of blob: Blob, in town: PictureTown) throws -> ContentEnd? {
        guard case .missing = try arrivedBytes(of: blob, in: town.id) else { return nil }
        for offset in stride(from: 0, to: content.count, by: Limits.blobPieceBytes) {
            let end = min(content.count, offset + Limits.blobPieceBytes)
            try append(
                Array(content[offset..<end]), at: offset, of: blob, in: town.id, wallTime: now)
        }
        return try finish(blob, in: town.id, wallTime: now)
    }

    /// Fetches all small content that is due; its numbers tell the content.
    func fetchDue(_ numbers: Range<Int>, count: Int = 8192, in town: PictureTown) throws {
        let due = Set(try dueSmallContent(countMax: 4096).map(\.blob))
        for number in numbers {
            let blob = PictureTown.blob(number, count: count)
            guard due.contains(blob) else { continue }
            _ = try fetch(PictureTown.content(number, count: count), of: blob, in: town)
        }
    }
}
