/// Batches that were merged and messages that were handled in a row: a large burst leaves much free
/// memory when it is over, also if everything in it was refused.
struct MergeBurst {
    /// The number of batches after which free memory is returned to the system.
    static let batchesMin = 4096
    /// The memory of messages after which free memory is returned, in bytes.
    static let bytesMin = 8 * 1024 * 1024
    /// The memory of messages, handled together, that does not count, in bytes.
    static let bytesIgnored = 64 * 1024

    private var batchesCount = 0
    private var bytes = 0
    private var isGrowing = false

    /// Records that batches were merged.
    mutating func record(batchesCount count: Int) {
        guard count > 0 else { return }
        batchesCount += count
        isGrowing = true
    }

    /// Records that messages of this much memory were handled together.
    mutating func record(bytes handled: Int) {
        guard handled > MergeBurst.bytesIgnored else { return }
        bytes += handled
        isGrowing = true
    }

    /// Whether a burst has ended: true once, on the first call without anything new; called every
    /// second.
    mutating func hasEnded() -> Bool {
        if isGrowing {
            isGrowing = false
            return false
        }
        defer { (batchesCount, bytes) = (0, 0) }
        return batchesCount >= MergeBurst.batchesMin || bytes >= MergeBurst.bytesMin
    }
}
