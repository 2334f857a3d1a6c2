internal import Records

/// The room of an open space, and whose batches make room for others.
///
/// Retained authors come first. What they leave is shared equally among the people who brought the
/// logs of unknown authors. While there is room, anybody may take more than their share; when there
/// is none, the bringer with most gives room until everybody has their share.
///
/// Example: over one link 1000 made-up authors fill the space. Then an honest neighbour brings one
/// author. Half of the space is the neighbour's share, so the beginnings of the 1000 logs make room
/// for each batch that the neighbour brings, up to that half.
struct OpenRoom {
    /// The things that are bounded.
    enum Thing: CaseIterable {
        case bytes
        case records
        case logs
    }

    /// An amount of each of them.
    struct Amount: Hashable {
        var bytes = 0
        var records = 0
        /// The number of logs of unknown authors.
        var logs = 0

        static let max = Amount(
            bytes: Limits.openSpaceBytesMax, records: Limits.openSpaceRecordsMax,
            logs: Limits.openSpaceLogsMax)

        static func += (one: inout Amount, other: Amount) {
            one.bytes += other.bytes
            one.records += other.records
            one.logs += other.logs
        }

        static func -= (one: inout Amount, other: Amount) {
            one.bytes -= other.bytes
            one.records -= other.records
            one.logs -= other.logs
        }

        static func + (one: Amount, other: Amount) -> Amount {
            var sum = one
            sum += other
            return sum
        }

        static func - (one: Amount, other: Amount) -> Amount {
            var difference = one
            difference -= other
            return difference
        }

        subscript(thing: Thing) -> Int {
            switch thing {
            case .bytes: bytes
            case .records: records
            case .logs: logs
            }
        }

        /// The things of which there is more than in another amount.
        func excess(over other: Amount) -> [Thing] {
            Thing.allCases.filter { self[$0] > other[$0] }
        }

        static func / (whole: Amount, count: Int) -> Amount {
            Amount(
                bytes: Swift.max(0, whole.bytes) / count,
                records: Swift.max(0, whole.records) / count,
                logs: Swift.max(0, whole.logs) / count)
        }
    }

    /// The decision about a piece.
    enum Decision: Equatable {
        case fits
        /// The batches of a bringer must make room first.
        case takes(from: PersonID, isLogs: Bool)
        /// The bringer has its share.
        case noShare
        /// Retained authors use all of the space, or it is not known yet who is retained.
        case noRoom
    }

    private(set) var retained = Amount()
    private(set) var byBringer: [PersonID: Amount] = [:]
    private(set) var unknown = Amount()

    init(_ space: SpaceState, _ people: OpenPeople) {
        for entry in space.logs.values where !entry.isEmpty { add(entry, people) }
    }

    /// Counts a log as it is after batches of it were removed.
    /// - Parameter after: nil if the log is gone.
    mutating func replace(
        _ before: SpaceState.LogEntry, by after: SpaceState.LogEntry?, _ people: OpenPeople
    ) {
        guard let bringer = OpenRoom.bringer(of: before, people) else { return }
        let amount = OpenRoom.amount(of: before, people)
        unknown -= amount
        byBringer[bringer]? -= amount
        if byBringer[bringer] == Amount() { byBringer[bringer] = nil }
        if let after, !after.isEmpty { add(after, people) }
    }

    private mutating func add(_ entry: SpaceState.LogEntry, _ people: OpenPeople) {
        let amount = OpenRoom.amount(of: entry, people)
        guard let bringer = OpenRoom.bringer(of: entry, people) else {
            retained += amount
            return
        }
        byBringer[bringer, default: Amount()] += amount
        unknown += amount
    }

    /// Returns the person in whose share a log is; nil if its author is retained.
    static func bringer(of entry: SpaceState.LogEntry, _ people: OpenPeople) -> PersonID? {
        people.isRetained(entry.person) ? nil : entry.bringer ?? entry.person
    }

    /// Returns what a log takes.
    static func amount(of entry: SpaceState.LogEntry, _ people: OpenPeople) -> Amount {
        let isRetained = people.isRetained(entry.person)
        return Amount(
            bytes: entry.storedBytes + (isRetained ? 0 : people.recordBytes[entry.person] ?? 0),
            records: entry.begunCount, logs: isRetained ? 0 : 1)
    }

    /// Everything that is stored.
    var total: Amount { retained + unknown }

    /// The part of each bringer, if there is one more or not.
    func share(with bringer: PersonID? = nil) -> Amount {
        let isNew = bringer.map { byBringer[$0] == nil } ?? false
        return (Amount.max - retained) / max(1, byBringer.count + (isNew ? 1 : 0))
    }

    /// Decides whether there is room for a piece of a log.
    /// - Parameter bringer: the person in whose share its log is; nil for a retained author.
    func decide(_ need: Amount, by bringer: PersonID?) -> Decision {
        let lacking = (total + need).excess(over: .max)
        guard let thing = lacking.first else { return .fits }
        if let bringer {
            let after = (byBringer[bringer] ?? Amount()) + need
            let share = share(with: bringer)
            guard lacking.allSatisfy({ after[$0] <= share[$0] }) else {
                return .noShare
            }
        } else if !(retained + need).excess(over: .max).isEmpty {
            return .noRoom
        }
        let most = byBringer.filter { $0.key != bringer && $0.value[thing] > 0 }
            .max { ($0.value[thing], $0.key) < ($1.value[thing], $1.key) }
        return most.map { .takes(from: $0.key, isLogs: thing == .logs) }
            ?? (bringer == nil ? .noRoom : .noShare)
    }

    /// The bringers who have their share of something while the space is full of it.
    var full: Set<PersonID> {
        let (total, share) = (self.total, share())
        // One further piece would not fit.
        let piece = Amount(bytes: Limits.batchBodyBytesMax, records: 1, logs: 1)
        let lacking = (total + piece).excess(over: .max)
        guard !lacking.isEmpty else { return [] }
        return Set(
            byBringer.filter { _, amount in
                lacking.contains { (amount + piece)[$0] > share[$0] }
            }.keys)
    }
}
