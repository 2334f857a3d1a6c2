internal import Records

/// A queue of logs. Removing its first one does not move the others.
struct LogQueue: Sendable {
    private var logs: [LogName] = []
    private var start = 0

    var isEmpty: Bool { start == logs.count }
    var count: Int { logs.count - start }

    mutating func append(_ log: LogName) { logs.append(log) }

    mutating func popFirst() -> LogName? {
        guard start < logs.count else { return nil }
        let log = logs[start]
        start += 1
        if start > 64, start * 2 > logs.count {
            logs.removeFirst(start)
            start = 0
        }
        return log
    }

    mutating func popLast() -> LogName? { isEmpty ? nil : logs.removeLast() }

    /// Returns a queue of some of the logs, in their order.
    func filtered(_ isKept: (LogName) -> Bool) -> LogQueue {
        var queue = LogQueue()
        queue.logs = logs[start...].filter(isKept)
        return queue
    }
}
