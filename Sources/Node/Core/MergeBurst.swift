/// Batches that were merged in a row: a large burst leaves much free memory when it is over.
struct MergeBurst {
    /// The number of batches after which free memory is returned to the system.
    static let batchesMin = 4096

    private var batchesCount = 0
    private var isGrowing = false

    /// Records that batches were merged.
    mutating func record(batchesCount count: Int) {
        guard count > 0 else { return }
        batchesCount += count
        isGrowing = true
    }

    /// Whether a burst has ended: true once, on the first call without new batches; called every
    /// second.
    mutating func hasEnded() -> Bool {
        if isGrowing {
            isGrowing = false
            return false
        }
        defer { batchesCount = 0 }
        return batchesCount >= MergeBurst.batchesMin
    }
}
