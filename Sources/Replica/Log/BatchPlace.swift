/// The key of a batch in this database: its log's local number and its own number.
///
/// Local numbers differ between replicas and never decide a merge.
struct BatchPlace: Hashable {
    let log: Int64
    let number: UInt64

    /// The batch's row: the log's number, shifted left by 40 bits, and the batch's number.
    var rowID: Int64 { log << 40 | Int64(truncatingIfNeeded: number) }

    init(log: Int64, number: UInt64) {
        self.log = log
        self.number = number
    }

    init(rowID: Int64) {
        self.init(log: rowID >> 40, number: UInt64(rowID & (1 << 40 - 1)))
    }

    /// Returns the rows that a log can have.
    static func rows(ofLog log: Int64) -> ClosedRange<Int64> {
        log << 40...(log << 40 | (1 << 40 - 1))
    }
}
