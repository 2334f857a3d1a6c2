internal import GRDB
internal import Records

/// The days' allowances that each person's batches took in an open space.
struct AllowanceTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64

    private static let bytesKind: Int64 = -1
    private static let reservedBytesKind: Int64 = -2

    /// Returns what a person's batches took, by day.
    func days(of person: PersonID) throws -> [Int64: DayLedger.Use] {
        var days: [Int64: DayLedger.Use] = [:]
        try PreparedStatement(
            database, "SELECT day, kind, used FROM allowance WHERE space = ? AND person = ?"
        ).rows({
            $0.append(space)
            $0.append(person)
        }) { columns in
            let (day, used) = (columns.integer(0), Int(columns.integer(2)))
            switch columns.integer(1) {
            case AllowanceTable.bytesKind: days[day, default: .init()].bytes = used
            case AllowanceTable.reservedBytesKind: days[day, default: .init()].reservedBytes = used
            case let kind:
                let collection = CollectionID(rawValue: UInt32(truncatingIfNeeded: kind))
                days[day, default: .init()].records[collection] = used
            }
            return true
        }
        return days
    }

    /// Stores what differs from what was stored.
    func store(
        _ days: [Int64: DayLedger.Use], of person: PersonID,
        insteadOf before: [Int64: DayLedger.Use]
    ) throws {
        for (day, use) in days {
            let old = before[day] ?? DayLedger.Use()
            guard use != old else { continue }
            try store(use.bytes, old.bytes, AllowanceTable.bytesKind, day, person)
            try store(
                use.reservedBytes, old.reservedBytes, AllowanceTable.reservedBytesKind, day, person)
            for (collection, count) in use.records {
                try store(
                    count, old.records[collection] ?? 0, Int64(collection.rawValue), day, person)
            }
        }
    }

    private func store(
        _ used: Int, _ before: Int, _ kind: Int64, _ day: Int64, _ person: PersonID
    ) throws {
        guard used != before else { return }
        try PreparedStatement(database, "INSERT OR REPLACE INTO allowance VALUES (?, ?, ?, ?, ?)")
            .run {
                $0.append(space)
                $0.append(person)
                $0.append(day)
                $0.append(kind)
                $0.append(Int64(used))
            }
    }

    /// Forgets the days before one: all batches of these days have expired.
    func forget(before day: Int64) throws {
        try PreparedStatement(database, "DELETE FROM allowance WHERE space = ? AND day < ?").run {
            $0.append(space)
            $0.append(day)
        }
    }
}
