internal import Records

/// The content that devices put, stored outside of all replicas.
struct PhotoBook {
    /// Content, and where it was put.
    struct Photo {
        let content: [UInt8]
        let blob: Blob
        /// The spaces in which it was put, and the nodes that put it there.
        var spaces: [SpaceID: Set<Int>] = [:]
        var records: [Record] = []
        /// Whether it was put without a record that names it, so that it stays until it is evicted.
        var isUnnamed = false
        /// Whether the liar wrote a record that names it in a space where it is not.
        var isStolen = false
    }

    /// A record that names content, and the batch that erased it.
    struct Record {
        let space: SpaceID
        let entity: EntityID
        let log: LogName
        let number: UInt64
        let batch: BatchHash
        var erasedBy: BatchHash?
    }

    private(set) var photos: [BlobHash: Photo] = [:]

    /// Records that a node put content in a space.
    mutating func put(_ content: [UInt8], _ blob: Blob, in space: SpaceID, at node: Int) {
        photos[blob.hash, default: Photo(content: content, blob: blob)]
            .spaces[space, default: []].insert(node)
    }

    /// Records that no record names what was put.
    mutating func leaveUnnamed(_ hash: BlobHash) { photos[hash]?.isUnnamed = true }

    /// Records that the liar claims content in a space where it is not.
    mutating func steal(_ hash: BlobHash) { photos[hash]?.isStolen = true }

    /// Records the record that names content.
    mutating func name(_ hash: BlobHash, by record: Record) {
        photos[hash]?.records.append(record)
    }

    /// Records that all records in a log are erased, up to a number.
    /// - Returns: the number of records that were not erased before.
    mutating func erase(
        _ head: LogHead, in space: SpaceID, by batch: BatchHash
    ) -> Int {
        var count = 0
        for hash in photos.keys {
            for index in photos[hash]?.records.indices ?? 0..<0 {
                guard let record = photos[hash]?.records[index], record.space == space,
                    record.log == head.log, record.number <= head.number, record.erasedBy == nil
                else { continue }
                photos[hash]?.records[index].erasedBy = batch
                count += 1
            }
        }
        return count
    }

    /// All hashes, in order.
    var hashes: [BlobHash] { photos.keys.sorted() }
}
