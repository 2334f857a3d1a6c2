/// How the logs of a space hang together where devices forked theirs, and where the batches lie
/// that cuts name.
public struct LogTree: Hashable, Sendable {
    /// The last batch that a forked-off log shares with the log it goes on from.
    public struct Origin: Hashable, Sendable {
        public let log: LogName
        /// The number of the batch; 0 where not even the first is shared.
        public let number: UInt64

        /// Names a batch as the one before a fork.
        public init(log: LogName, number: UInt64) {
            self.log = log
            self.number = number
        }
    }

    /// Where each log that forked off another goes on from.
    public var origins: [LogName: Origin]
    /// The logs in which named batches lie; a batch that is not here has none.
    public var places: [LogHead: LogName]

    /// A tree; without arguments one in which nothing forked and no named batch is here.
    public init(origins: [LogName: Origin] = [:], places: [LogHead: LogName] = [:]) {
        self.origins = origins
        self.places = places
    }

    /// The log that a log forked off in the end; itself where it did not.
    public func root(of log: LogName) -> LogName {
        var log = log
        while let origin = origins[log] { log = origin.log }
        return log
    }

    /// How far a log lies within named batches: the highest number of its batches that is one of
    /// them or before one of them; 0 for none.
    ///
    /// Of a named batch that is not here only its number is known: what stands before that number
    /// counts as being before it, in whichever branch.
    public func reach(of log: LogName, within heads: some Sequence<LogHead>) -> UInt64 {
        heads.reduce(0) { max($0, reach(of: log, within: $1)) }
    }

    private func reach(of log: LogName, within head: LogHead) -> UInt64 {
        guard head.log.device == log.device else { return 0 }
        guard let place = places[head] else {
            return concerns(head, log) ? head.number - min(head.number, 1) : 0
        }
        var end = Origin(log: place, number: head.number)
        while end.log != log {
            guard let origin = origins[end.log] else { return 0 }
            end = origin
        }
        return end.number
    }

    /// Whether a named batch is of the same chain of logs, as far as it can be told.
    func concerns(_ head: LogHead, _ log: LogName) -> Bool {
        guard head.log.device == log.device else { return false }
        let name = places[head] ?? head.log
        return root(of: name) == root(of: log)
    }
}
