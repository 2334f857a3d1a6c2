internal import CMalloc

/// The C library's allocator, told to give memory back.
package enum Allocator {
    /// Free bytes at the end of the heap that are given back to the system.
    private static let trimBytesMin: CInt = 1 << 20

    /// Keeps one heap for all threads instead of up to eight per core: what a burst of batches has
    /// freed on one thread serves the others then, and the rest goes back to the system.
    package static func keepSmall() {
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_TRIM_THRESHOLD, trimBytesMin)
    }

    /// Gives free memory back to the system wherever it lies in the heap, which takes some
    /// milliseconds.
    static func giveBack() { malloc_trim(0) }
}
