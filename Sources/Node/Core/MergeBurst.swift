/// Batches that were merged in a row: very many leave much free memory behind, once they are over.
struct MergeBurst {
    /// Batches that are worth giving memory back for.
    static let batchesMin = 4096

    private var batchesCount = 0
    private var isGrowing = false

    /// Notes that batches were merged.
    mutating func note(_ count: Int) {
        guard count > 0 else { return }
        batchesCount += count
        isGrowing = true
    }

    /// Whether a burst is over: asked once a second, the first time that nothing came meanwhile.
    mutating func hasEnded() -> Bool {
        if isGrowing {
            isGrowing = false
            return false
        }
        defer { batchesCount = 0 }
        return batchesCount >= MergeBurst.batchesMin
    }
}
