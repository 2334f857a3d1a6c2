internal import Records

/// This side's offer of an open space: its logs and their digest.
struct OfferBook: Sendable {
    /// The digest of the whole offer.
    private(set) var digest: Bytes16
    /// The logs by their names.
    private(set) var logs: [LogName: OfferedLog]
    /// The names in ascending order, kept so that a page costs no sorting.
    private var names: [LogName]

    init(digest: Bytes16, logs: [OfferedLog]) {
        self.digest = digest
        self.logs = Dictionary(logs.map { ($0.log, $0) }, uniquingKeysWith: { first, _ in first })
        names = self.logs.keys.sorted()
    }

    subscript(log: LogName) -> OfferedLog? { logs[log] }

    /// Replaces logs, removes those that are gone, and sets the digest of the result.
    mutating func update(_ changed: [OfferedLog], gone: [LogName], digest: Bytes16) {
        self.digest = digest
        for offered in changed where logs.updateValue(offered, forKey: offered.log) == nil {
            names.insert(offered.log, at: index(after: offered.log))
        }
        for log in gone where logs.removeValue(forKey: log) != nil {
            names.remove(at: index(after: log) - 1)
        }
    }

    /// Returns the logs whose names come after one, or the first ones.
    func page(after log: LogName?) -> (logs: [OfferedLog], hasMore: Bool) {
        let rest = names[(log.map(index(after:)) ?? 0)...]
        let page = rest.prefix(Limits.vectorLogsMax)
        return (page.compactMap { logs[$0] }, rest.count > page.count)
    }

    /// The index of the first name after one.
    private func index(after log: LogName) -> Int {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if log < names[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
