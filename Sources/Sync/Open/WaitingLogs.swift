internal import Records

/// The logs that no link is asked for before a time. Each device that brought some has a part of
/// the room.
struct WaitingLogs: Sendable {
    /// A time before which no link is asked for a log.
    struct Wait: Sendable {
        let until: Duration
        /// Whether the author's allowance is the reason.
        let isAllowance: Bool
        /// A log that is offered beyond this number waits only if the allowance is the reason.
        let high: UInt64
    }

    private struct Entry {
        let wait: Wait
        let bringer: DeviceID
    }

    private var entries: [LogName: Entry] = [:]
    private var countsByBringer: [DeviceID: Int] = [:]

    /// The number of logs that wait.
    var count: Int { entries.count }

    /// The logs whose authors are over their allowance, with the time at which that ends.
    var overAllowance: [LogName: Duration] {
        entries.filter(\.value.wait.isAllowance).mapValues(\.wait.until)
    }

    subscript(log: LogName) -> Wait? { entries[log]?.wait }

    /// Records a wait, if there is room for it.
    /// - Returns: whether it is remembered.
    mutating func record(_ wait: Wait, for log: LogName, broughtBy device: DeviceID) -> Bool {
        remove(log)
        guard count < OpenLimits.waitingLogsMax,
            countsByBringer[device] ?? 0 < OpenLimits.waitingLogsPerDeviceMax
        else { return false }
        entries[log] = Entry(wait: wait, bringer: device)
        countsByBringer[device, default: 0] += 1
        return true
    }

    /// Forgets the wait of a log.
    mutating func remove(_ log: LogName) {
        guard let bringer = entries.removeValue(forKey: log)?.bringer else { return }
        let count = (countsByBringer[bringer] ?? 0) - 1
        countsByBringer[bringer] = count > 0 ? count : nil
    }

    /// Forgets the waits that have ended.
    mutating func removeDue(now: Duration) {
        for (log, entry) in entries where entry.wait.until <= now { remove(log) }
    }
}
