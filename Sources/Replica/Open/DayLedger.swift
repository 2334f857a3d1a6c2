internal import Records

/// The use by one person's batches of the days' allowances in an open space.
///
/// A batch takes from the day of its stamp. If that day is used up, it takes from the next day with
/// room, up to today. So a newcomer reads an honest author's month at once, and an author of 40
/// posts a day is read half today and half tomorrow.
struct DayLedger {
    /// The use of one day.
    struct Use: Hashable {
        var bytes = 0
        /// The bytes of batches that only erase something or end a log.
        var reservedBytes = 0
        /// The records that began, by collection.
        var records: [CollectionID: Int] = [:]

        static func += (one: inout Use, other: Use) {
            one.bytes += other.bytes
            one.reservedBytes += other.reservedBytes
            one.records.merge(other.records, uniquingKeysWith: +)
        }
    }

    /// The cost of one batch, and the day on which it was written.
    struct Cost {
        let day: Int64
        let use: Use
        /// Whether the batch only erases something or ends a log, so that it may use the reserve.
        let isReserved: Bool
    }

    private(set) var days: [Int64: Use]
    /// The number of records that each collection admits a day.
    let recordsMax: [CollectionID: Int]
    /// The number of days after which a batch has expired, so that no further day helps.
    static let daysMax: Int64 = 31

    init(_ days: [Int64: Use], recordsMax: [CollectionID: Int]) {
        self.days = days
        self.recordsMax = recordsMax
    }

    /// Returns the UTC day of a time, counted from 1970.
    static func day(of time: Timestamp) -> Int64 { time.milliseconds / millisecondsPerDay }

    /// Returns the beginning of a day.
    static func beginning(of day: Int64) -> Timestamp {
        Timestamp(milliseconds: day * millisecondsPerDay)
    }

    private static let millisecondsPerDay: Int64 = 24 * 60 * 60 * 1000

    /// Charges consecutive batches, all or none.
    /// - Returns: nil if they were charged; otherwise the first day on which they could be.
    mutating func charge(_ costs: [Cost], today: Int64) -> Int64? {
        let last = today + DayLedger.daysMax
        var (after, needed) = (self, today)
        var searches: [Kind: Search] = [:]
        // The first day with room does not depend on how far the search may go.
        for cost in costs {
            guard let day = after.spend(cost, through: last, &searches) else { return last }
            if day > cost.day { needed = max(needed, day) }
        }
        guard needed == today else { return needed }
        self = after
        return nil
    }

    /// The costs for which a day without room for one has none for a larger one either.
    private struct Kind: Hashable {
        let records: [CollectionID: Int]
        let isReserved: Bool
    }

    /// Days that have no room for costs of one kind and of so many bytes or more: while batches are
    /// charged, days only fill.
    private struct Search {
        let days: Range<Int64>
        let bytes: Int
    }

    /// Charges one batch to its own day, whatever that day has left.
    mutating func spend(_ cost: Cost) { spend(cost, on: cost.day) }

    /// Whether a batch fits into the day of its stamp.
    func fits(_ cost: Cost) -> Bool { fits(cost, into: days[cost.day] ?? Use()) }

    /// Gives back what a removed batch took. Which day it was charged to is not known, so the days
    /// from its own on give, the first ones first.
    mutating func giveBack(_ cost: Cost) {
        guard let last = days.keys.max(), last >= cost.day else { return }
        var left = cost.use
        for day in cost.day...last {
            guard var use = days[day] else { continue }
            let bytes = min(use.bytes, left.bytes)
            use.bytes -= bytes
            left.bytes -= bytes
            if cost.isReserved {
                let reserved = min(use.reservedBytes, left.bytes)
                use.reservedBytes -= reserved
                left.bytes -= reserved
            }
            for (collection, count) in left.records {
                let given = min(use.records[collection] ?? 0, count)
                guard given > 0 else { continue }
                use.records[collection, default: 0] -= given
                left.records[collection] = count - given
            }
            days[day] = use
        }
    }

    /// Charges one batch to the first day with room from its own day on.
    /// - Returns: the day; nil if there is none.
    private mutating func spend(
        _ cost: Cost, through last: Int64, _ searches: inout [Kind: Search]
    ) -> Int64? {
        let kind = Kind(records: cost.use.records, isReserved: cost.isReserved)
        let search = searches[kind]
        var first = cost.day
        if let search, search.bytes <= cost.use.bytes, search.days.contains(first) {
            first = search.days.upperBound
        }
        let end = max(cost.day, last)
        guard first <= end,
            let day = (first...end).first(where: { fits(cost, into: days[$0] ?? Use()) })
        else { return nil }
        if search.map({ $0.bytes >= cost.use.bytes || $0.days.upperBound < day }) ?? true {
            searches[kind] = Search(days: cost.day..<day, bytes: cost.use.bytes)
        }
        spend(cost, on: day)
        return day
    }

    private mutating func spend(_ cost: Cost, on day: Int64) {
        var use = days[day] ?? Use()
        use += charged(cost, to: use)
        days[day] = use
    }

    private func fits(_ cost: Cost, into use: Use) -> Bool {
        let isFromReserve = isFromReserve(cost, of: use)
        guard use.bytes + (isFromReserve ? 0 : cost.use.bytes) <= Limits.openDayBytesMax,
            use.reservedBytes + (isFromReserve ? cost.use.bytes : 0)
                <= Limits.openDayReserveBytesMax
        else { return false }
        return cost.use.records.allSatisfy { collection, count in
            (use.records[collection] ?? 0) + count <= recordsMax[collection] ?? .max
        }
    }

    private func isFromReserve(_ cost: Cost, of use: Use) -> Bool {
        cost.isReserved && use.bytes + cost.use.bytes > Limits.openDayBytesMax
    }

    /// Returns what a batch takes of a day: of the reserve only if nothing else is left.
    private func charged(_ cost: Cost, to use: Use) -> Use {
        guard isFromReserve(cost, of: use) else { return cost.use }
        var charged = cost.use
        (charged.bytes, charged.reservedBytes) = (0, cost.use.bytes)
        return charged
    }
}
