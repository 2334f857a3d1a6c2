/// Some columns of a table, by their indexes.
struct ColumnSet {
    private var first: UInt64 = 0
    /// The columns from the 64th on; few tables have that many.
    private var others: Set<Int> = []

    /// Adds a column.
    mutating func insert(_ column: Int) {
        if column < UInt64.bitWidth {
            first |= 1 << UInt64(column)
        } else {
            others.insert(column)
        }
    }

    /// Whether the set contains a column.
    func contains(_ column: Int) -> Bool {
        column < UInt64.bitWidth ? first & 1 << UInt64(column) != 0 : others.contains(column)
    }
}
