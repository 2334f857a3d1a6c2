internal import CMalloc

/// The C library's allocator, which this type makes return memory to the system.
package enum Allocator {
    /// The free bytes at the end of the heap above which they are returned to the system.
    private static let trimBytesMin: CInt = 1 << 20

    /// Keeps one heap for all threads instead of up to eight per core: memory that a burst of
    /// batches frees on one thread is then reused by the others, and the rest returns to the
    /// system.
    package static func keepSmall() {
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_TRIM_THRESHOLD, trimBytesMin)
    }

    /// Returns all free memory in the heap to the system, which takes some milliseconds.
    static func giveBack() { malloc_trim(0) }
}
