internal import Records

/// The logs of which one link offers more than is here, each with the time from which on it may be
/// asked for. Those that may be asked for now are in two queues: the logs of people who are known
/// here come before all others, however many strangers are offered with them.
struct MissingLogs: Sendable {
    private struct Entry {
        var offer: OfferedLog
        /// Whether its author is known here.
        var isOfKnown: Bool
        var isQueued = false
        /// When the log may be asked for again; nil if it waits for nothing or for the end of
        /// another question.
        var due: Duration?
        /// Whether it waits also if more is offered, because the peer was silent or the author is
        /// over the allowance.
        var isFirm = false
        /// Whether it was left to another link, whose answer ends its wait.
        var isLeft = false

        /// Whether it waits for a time that nothing at another link shortens.
        var isPostponed: Bool { due != nil && !isLeft }
    }

    private var entries: [LogName: Entry] = [:]
    private var known = LogQueue()
    private var others = LogQueue()
    /// A time before which no log is due; nil if none has a time.
    private(set) var nextDue: Duration?

    var count: Int { entries.count }
    /// The number of logs that can still be remembered.
    var roomCount: Int { OpenLimits.missingLogsMax - entries.count }
    /// Whether a log may be in a queue.
    var hasQueued: Bool { !known.isEmpty || !others.isEmpty }
    var logs: [LogName] { Array(entries.keys) }

    subscript(log: LogName) -> OfferedLog? { entries[log]?.offer }

    /// Whether a log may be asked for now.
    func isQueued(_ log: LogName) -> Bool { entries[log]?.isQueued ?? false }

    /// Records an offer, and lets the log be asked for.
    /// - Parameter isOfKnown: whether its author is known here, so that it comes before the logs of
    ///   strangers.
    /// - Returns: false if there is no room for a further log.
    mutating func insert(_ offer: OfferedLog, ofKnown isOfKnown: Bool) -> Bool {
        guard entries[offer.log] != nil || roomCount > 0 else { return false }
        if entries[offer.log] == nil {
            entries[offer.log] = Entry(offer: offer, isOfKnown: isOfKnown)
        } else {
            entries[offer.log]?.offer = offer
            if entries[offer.log]?.isFirm == false { entries[offer.log]?.due = nil }
        }
        enqueue(offer.log)
        return true
    }

    mutating func remove(_ log: LogName) { entries[log] = nil }

    /// Lets a log be asked for, unless it waits for a time.
    mutating func enqueue(_ log: LogName) {
        guard let entry = entries[log], !entry.isQueued, !entry.isPostponed else { return }
        entries[log]?.due = nil
        entries[log]?.isLeft = false
        entries[log]?.isQueued = true
        if entry.isOfKnown { known.append(log) } else { others.append(log) }
        for isOfKnown in [true, false] { compact(ofKnown: isOfKnown) }
    }

    /// Drops what is in a long queue twice, or in vain.
    private mutating func compact(ofKnown isOfKnown: Bool) {
        let queue = isOfKnown ? known : others
        guard queue.count > 4 * OpenLimits.missingLogsMax else { return }
        var kept: Set<LogName> = []
        let compacted = queue.filtered {
            isQueued($0, ofKnown: isOfKnown) && kept.insert($0).inserted
        }
        if isOfKnown { known = compacted } else { others = compacted }
    }

    /// Whether a log waits in one of the queues. Queues may hold outdated entries: a log that moved
    /// to the other queue, or that was removed and offered again.
    private func isQueued(_ log: LogName, ofKnown isOfKnown: Bool) -> Bool {
        guard let entry = entries[log] else { return false }
        return entry.isQueued && entry.isOfKnown == isOfKnown
    }

    /// Takes the next log from the queues.
    mutating func next() -> OfferedLog? {
        while let log = known.popFirst() {
            if isQueued(log, ofKnown: true) { return ask(for: log) }
        }
        while let log = others.popFirst() {
            if isQueued(log, ofKnown: false) { return ask(for: log) }
        }
        return nil
    }

    private mutating func ask(for log: LogName) -> OfferedLog? {
        entries[log]?.isQueued = false
        return entries[log]?.offer
    }

    /// Lets the logs of these devices come first from now on, and no others.
    mutating func prefer(_ devices: Set<DeviceID>) {
        for log in entries.keys.sorted() {
            let isOfKnown = devices.contains(log.device)
            guard let entry = entries[log], entry.isOfKnown != isOfKnown else { continue }
            entries[log]?.isOfKnown = isOfKnown
            guard entry.isQueued else { continue }
            entries[log]?.isQueued = false
            enqueue(log)
        }
    }

    /// Forgets the last log in the queue of strangers, to make room for one that comes first.
    /// - Returns: the log; nil if none of them can be asked for now.
    mutating func forgetLast() -> LogName? {
        while let log = others.popLast() {
            guard isQueued(log, ofKnown: false) else { continue }
            entries[log] = nil
            return log
        }
        return nil
    }

    /// Does not ask for a log before a time.
    /// - Parameter isFirm: whether a new offer of the log changes nothing about that.
    mutating func postpone(_ log: LogName, until time: Duration, isFirm: Bool = false) {
        guard entries[log] != nil else { return }
        entries[log]?.due = time
        entries[log]?.isFirm = isFirm
        entries[log]?.isLeft = false
        entries[log]?.isQueued = false
        nextDue = min(nextDue ?? time, time)
    }

    /// Leaves a log to another link, and lets it be asked for when that one has answered, or at a
    /// time if it does not.
    mutating func leave(_ log: LogName, until time: Duration) {
        postpone(log, until: time)
        entries[log]?.isLeft = true
    }

    /// Queues the logs whose time has come.
    mutating func release(now: Duration) {
        guard let nextDue, nextDue <= now else { return }
        self.nextDue = nil
        for (log, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let due = entry.due else { continue }
            if due <= now {
                entries[log]?.due = nil
                entries[log]?.isFirm = false
                enqueue(log)
            } else {
                self.nextDue = min(self.nextDue ?? due, due)
            }
        }
    }

    /// Forgets the logs that wait for a time.
    /// - Returns: these logs, in order.
    mutating func forgetPostponed() -> [LogName] {
        guard nextDue != nil else { return [] }
        let forgotten = entries.filter(\.value.isPostponed).keys.sorted()
        for log in forgotten { entries[log] = nil }
        nextDue = entries.values.compactMap(\.due).min()
        return forgotten
    }

    /// Whether every log waits for a time.
    var isAllPostponed: Bool { entries.values.allSatisfy(\.isPostponed) }
}
