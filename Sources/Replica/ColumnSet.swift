/// Some columns of a table, by their places.
struct ColumnSet {
    private var first: UInt64 = 0
    /// Those from the 64th on, which few tables have.
    private var others: Set<Int> = []

    /// Adds a column.
    mutating func insert(_ column: Int) {
        if column < UInt64.bitWidth {
            first |= 1 << UInt64(column)
        } else {
            others.insert(column)
        }
    }

    /// Whether a column is among them.
    func contains(_ column: Int) -> Bool {
        column < UInt64.bitWidth ? first & 1 << UInt64(column) != 0 : others.contains(column)
    }
}
