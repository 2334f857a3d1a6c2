internal import Records

/// The amounts that the logs of an open space take, by author and by the person who brought them.
/// It follows each change of a log, so that no batch costs a look at thousands of logs.
///
/// It does not depend on who is retained: ``OpenRoom`` decides that.
struct OpenTotals {
    /// A log in the share of the person who brought it.
    struct Log: Comparable {
        /// The stamp of its first batch.
        let begin: Stamp
        let name: LogName
        let author: PersonID

        static func < (one: Log, other: Log) -> Bool {
            (one.begin, one.name) < (other.begin, other.name)
        }
    }

    /// One person's logs.
    struct Author {
        /// The rows of these logs, also those without a batch.
        fileprivate(set) var rows: [LogName] = []
        /// The amounts that they take, by bringer.
        fileprivate(set) var byBringer: [PersonID: OpenRoom.Amount] = [:]
        /// The bytes of the person's record that each row is charged with; 0 if the record is here
        /// for another reason too.
        fileprivate(set) var recordBytes = 0

        /// The amount that these logs take together.
        var amount: OpenRoom.Amount { byBringer.values.reduce(OpenRoom.Amount(), +) }

        /// The part of an amount that is the person's record, once for each row.
        func recordBytes(of amount: OpenRoom.Amount) -> Int { amount.logs * recordBytes }
    }

    /// The logs that one person brought.
    struct Bringer {
        /// The amount that they take.
        fileprivate(set) var amount = OpenRoom.Amount()
        /// Those that continue no other row, the one that begins first at the beginning.
        fileprivate(set) var logs: [Log] = []
    }

    private(set) var authors: SharedMap<PersonID, Author> = [:]
    private(set) var bringers: SharedMap<PersonID, Bringer> = [:]
    /// The amount that all logs take, with the records of their authors.
    private(set) var total = OpenRoom.Amount()
    /// The part of that which is records.
    private(set) var recordBytes = 0

    /// Follows a change of a row.
    /// - Parameters:
    ///   - before: the row as it was; nil if it is new.
    ///   - after: the row as it is; nil if it is gone.
    mutating func update(
        _ name: LogName, _ before: SpaceState.LogEntry?, to after: SpaceState.LogEntry?
    ) {
        if before?.person != after?.person {
            if let before { remove(name, from: before.person) }
            if let after { authors[after.person, default: Author()].rows.append(name) }
        }
        let (old, new) = (before.flatMap(Part.init), after.flatMap(Part.init))
        if old != new {
            // The new part first, so that a bringer's only log does not remove the bringer.
            if let new { add(new, 1) }
            if let old { add(old, -1) }
            let (gone, come) = (old?.log(name), new?.log(name))
            if gone != come || old?.bringer != new?.bringer {
                if let old, let gone { remove(gone, from: old.bringer) }
                if let new, let come { insert(come, to: new.bringer) }
            }
        }
        guard let before, let author = authors[before.person], author.rows.isEmpty else { return }
        authors[before.person] = nil
    }

    /// Sets the bytes of a person's record that each of their logs is charged with.
    mutating func setRecordBytes(_ bytes: Int, of person: PersonID) {
        let author = authors[person] ?? Author()
        let growth = bytes - author.recordBytes
        guard growth != 0 else { return }
        for (bringer, amount) in author.byBringer {
            charge(amount.logs * growth, to: bringer, person)
        }
        authors[person, default: Author()].recordBytes = bytes
    }

    private mutating func charge(_ bytes: Int, to bringer: PersonID, _ person: PersonID) {
        authors[person]?.byBringer[bringer]?.bytes += bytes
        bringers[bringer]?.amount.bytes += bytes
        total.bytes += bytes
        recordBytes += bytes
    }

    /// The part of a row with batches in the totals.
    private struct Part: Equatable {
        let author: PersonID
        let bringer: PersonID
        /// The stamp of the first batch, if it continues no other row.
        let begin: Stamp?
        let bytes: Int
        let records: Int

        init?(_ entry: SpaceState.LogEntry) {
            guard !entry.isEmpty else { return nil }
            author = entry.person
            bringer = entry.bringer ?? entry.person
            begin = entry.origin == nil ? entry.lowStamp : nil
            (bytes, records) = (entry.storedBytes, entry.begunCount)
        }

        func log(_ name: LogName) -> Log? {
            begin.map { Log(begin: $0, name: name, author: author) }
        }
    }

    private mutating func add(_ part: Part, _ sign: Int) {
        let record = authors[part.author]?.recordBytes ?? 0
        let change = OpenRoom.Amount(
            bytes: sign * (part.bytes + record), records: sign * part.records, logs: sign)
        total += change
        recordBytes += sign * record
        bringers[part.bringer, default: Bringer()].amount += change
        if bringers[part.bringer]?.amount.logs == 0 { bringers[part.bringer] = nil }
        var author = authors.removeValue(forKey: part.author) ?? Author()
        author.byBringer[part.bringer, default: .init()] += change
        if author.byBringer[part.bringer]?.logs == 0 { author.byBringer[part.bringer] = nil }
        authors[part.author] = author
    }

    private mutating func remove(_ name: LogName, from person: PersonID) {
        authors[person]?.rows.removeAll { $0 == name }
    }

    private mutating func insert(_ log: Log, to bringer: PersonID) {
        var logs = bringers[bringer]?.logs ?? []
        bringers[bringer]?.logs = []
        logs.insert(log, at: OpenTotals.index(of: log, in: logs))
        bringers[bringer]?.logs = logs
    }

    private mutating func remove(_ log: Log, from bringer: PersonID) {
        guard var logs = bringers[bringer]?.logs else { return }
        bringers[bringer]?.logs = []
        let index = OpenTotals.index(of: log, in: logs)
        if index < logs.count, logs[index] == log { logs.remove(at: index) }
        bringers[bringer]?.logs = logs
    }

    /// Returns the index of the first log that does not begin before another one.
    private static func index(of log: Log, in logs: [Log]) -> Int {
        var (low, high) = (0, logs.count)
        while low < high {
            let middle = (low + high) / 2
            if logs[middle] < log { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
