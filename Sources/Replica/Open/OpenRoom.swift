internal import Records

/// The room of an open space, and whose batches make room for others.
///
/// Retained authors come first. What they leave is shared equally among the links that brought the
/// logs of unknown authors: each linked person has a share, each retained person has one, linked or
/// not, and all other people who brought something earlier have one together. While there is room,
/// anybody may take more than their share; when there is none, the share with most gives room until
/// everybody has theirs.
///
/// Example: over one link 1000 made-up authors fill the space. Then an honest neighbour brings one
/// author. Half of the space is the neighbour's share, so the beginnings of the 1000 logs make room
/// for each batch that the neighbour brings, up to that half. If the stranger behind the first link
/// comes back under 100 keys, one after the other, what these brought is one share, and the one
/// that is linked has another: a third stays for the neighbour.
///
/// A share within its part never gives room. Let *u* be the room that retained authors leave, and
/// *n* the number of shares. If a piece does not fit, all shares and the piece take more than *u*.
/// The piece is only stored if its own share then takes at most *u / n*. So the others take more
/// than *(n − 1) u / n*, and the one of them with most takes more than *u / n*.
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

    /// A part of the room for unknown authors.
    enum Share: Hashable, Comparable {
        /// That of a person who is linked or retained, for what they brought.
        case link(PersonID)
        /// That of all other people who brought something.
        case former

        static func < (one: Share, other: Share) -> Bool {
            switch (one, other) {
            case (.link(let one), .link(let other)): one < other
            case (.link, .former): true
            case (.former, _): false
            }
        }
    }

    /// The decision about a piece.
    enum Decision: Equatable {
        case fits
        /// The batches that a person brought must make room first.
        case takes(from: PersonID, isLogs: Bool)
        /// The link has its share.
        case noShare
        /// Retained authors use all of the space, or it is not known yet who is retained.
        case noRoom
    }

    private let totals: OpenTotals
    private let people: OpenPeople
    /// The amount that retained authors take.
    let retained: Amount
    /// The amount that unknown authors take.
    let unknown: Amount

    init(_ totals: OpenTotals, _ people: OpenPeople) {
        (self.totals, self.people) = (totals, people)
        var (retained, known) = (Amount(), Amount())
        if let named = people.retained {
            for person in named.union(people.own) {
                guard let author = totals.authors[person] else { continue }
                let amount = author.amount
                known += amount
                retained += amount
                retained.bytes -= author.recordBytes(of: amount)
            }
        } else {
            (known, retained) = (totals.total, totals.total)
            retained.bytes -= totals.recordBytes
        }
        retained.logs = 0
        self.retained = retained
        unknown = totals.total - known
    }

    /// Everything that is stored.
    var total: Amount { retained + unknown }

    /// The amounts that each person brought of unknown authors.
    var byBringer: [PersonID: Amount] {
        guard let retained = people.retained else { return [:] }
        var amounts: [PersonID: Amount] = [:]
        for (bringer, brought) in totals.bringers { amounts[bringer] = brought.amount }
        for person in retained.union(people.own) {
            for (bringer, amount) in totals.authors[person]?.byBringer ?? [:] {
                amounts[bringer, default: Amount()] -= amount
            }
        }
        return amounts.filter { $0.value.logs > 0 }
    }

    /// Returns the share in which what a person brought is.
    func share(of bringer: PersonID) -> Share {
        people.linked.contains(bringer) || people.isRetained(bringer) ? .link(bringer) : .former
    }

    /// Returns the amount in each share.
    private func shares(_ byBringer: [PersonID: Amount]) -> [Share: Amount] {
        byBringer.reduce(into: [:]) { $0[share(of: $1.key), default: Amount()] += $1.value }
    }

    /// Returns the part of each share, if there are so many.
    private func part(of count: Int) -> Amount { (Amount.max - retained) / max(1, count) }

    /// Decides whether there is room for a piece of a log.
    /// - Parameter bringer: the person in whose share its log is; nil for a retained author.
    func decide(_ need: Amount, by bringer: PersonID?) -> Decision {
        let lacking = (total + need).excess(over: .max)
        guard let thing = lacking.first else { return .fits }
        let byBringer = byBringer
        var shares = shares(byBringer)
        let own = bringer.map(share)
        if let own {
            let after = shares.removeValue(forKey: own) ?? Amount()
            let part = part(of: shares.count + 1)
            guard lacking.allSatisfy({ (after + need)[$0] <= part[$0] }) else { return .noShare }
        } else if !(retained + need).excess(over: .max).isEmpty {
            return .noRoom
        }
        let most = shares.filter { $0.value[thing] > 0 }
            .max { ($0.value[thing], $0.key) < ($1.value[thing], $1.key) }
        guard let most else { return bringer == nil ? .noRoom : .noShare }
        // In the share that many people have together, the one with most gives.
        let giver = byBringer.filter { share(of: $0.key) == most.key && $0.value[thing] > 0 }
            .max { ($0.value[thing], $0.key) < ($1.value[thing], $1.key) }
        return giver.map { .takes(from: $0.key, isLogs: thing == .logs) } ?? .noRoom
    }

    /// The linked and retained people who have their share of something while the space is full of
    /// it.
    var full: Set<PersonID> {
        // One further piece would not fit.
        let piece = Amount(bytes: Limits.batchBodyBytesMax, records: 1, logs: 1)
        let lacking = (total + piece).excess(over: .max)
        guard !lacking.isEmpty else { return [] }
        let shares = shares(byBringer)
        let part = part(of: shares.count)
        return shares.reduce(into: []) { full, share in
            guard case .link(let person) = share.key,
                lacking.contains(where: { (share.value + piece)[$0] > part[$0] })
            else { return }
            full.insert(person)
        }
    }

    /// Returns the log that a person brought and that begins first, of an unknown author.
    /// - Parameter device: the device whose logs make no room.
    func oldest(of bringer: PersonID, besides device: DeviceID) -> LogName? {
        totals.bringers[bringer]?.logs.first {
            $0.name.device != device && !people.isRetained($0.author)
        }?.name
    }
}
