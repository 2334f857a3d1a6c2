internal import Records

/// Stored batches that are read and merged together when a space or a record is merged again. Its
/// limits bound the memory: a batch of 8 KiB may decode to 256 KiB of operations.
struct MergePortion {
    /// The number of batches that are merged together.
    static let batchesMax = 1024
    /// The approximate memory of decoded batches that are merged together, beyond which no further
    /// batch is added.
    static let bytesMax = 4 * 1024 * 1024

    private var batches: [PlacedBatch] = []
    private var bytes = 0

    /// Whether the batches should be merged before another one is read.
    var isFull: Bool {
        batches.count >= MergePortion.batchesMax || bytes >= MergePortion.bytesMax
    }

    /// Adds a batch.
    mutating func append(_ batch: PlacedBatch) {
        batches.append(batch)
        // The values are in the encoded body and once more in the operations.
        bytes +=
            2 * batch.body.encoded.count
            + batch.body.operations.count * MemoryLayout<Operation>.stride
    }

    /// Removes and returns the batches.
    mutating func removeAll() -> [PlacedBatch] {
        defer { (batches, bytes) = ([], 0) }
        return batches
    }
}
