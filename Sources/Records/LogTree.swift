/// The tree of logs that results if devices fork their logs, and the logs that contain the batches
/// listed in cuts.
///
/// For example, a device signed the batches 1, 2, 3, 4a, 5a and also 4b, 5b after 3. Its main log
/// is 1 … 5a; the log of branch 4b has the origin (main, 3). Within the head 5b, the log of branch
/// 4b reaches to 5 and the main log to 3.
public struct LogTree: Hashable, Sendable {
    /// The last batch that a forked log shares with the log it branched from.
    public struct Origin: Hashable, Sendable {
        /// The log it branched from.
        public let log: LogName
        /// The number of the shared batch; 0 if not even the first batch is shared.
        public let number: UInt64

        /// Creates an origin from the last shared batch.
        public init(log: LogName, number: UInt64) {
            self.log = log
            self.number = number
        }
    }

    /// The origin of each log that branched from another.
    public var origins: [LogName: Origin]
    /// The logs that contain the listed batches; batches that are not stored here are absent.
    public var places: [LogHead: LogName]

    /// Creates a tree. Without arguments nothing forked and no listed batch is stored here.
    public init(origins: [LogName: Origin] = [:], places: [LogHead: LogName] = [:]) {
        self.origins = origins
        self.places = places
    }

    /// Returns the log at the end of the chain of origins; the log itself if it has no origin.
    public func root(of log: LogName) -> LogName {
        var log = log
        while let origin = origins[log] { log = origin.log }
        return log
    }

    /// Returns the highest number of a log's batches that is one of the heads or an ancestor of
    /// one; 0 if there is none.
    ///
    /// For a head that is not stored here, only the number is known: all smaller numbers count as
    /// its ancestors, whatever their branch.
    public func reach(of log: LogName, within heads: some Sequence<LogHead>) -> UInt64 {
        heads.reduce(0) { max($0, reach(of: log, within: $1)) }
    }

    private func reach(of log: LogName, within head: LogHead) -> UInt64 {
        guard head.log.device == log.device else { return 0 }
        guard let containing = places[head] else {
            return concerns(head, log) ? head.number - min(head.number, 1) : 0
        }
        var end = Origin(log: containing, number: head.number)
        while end.log != log {
            guard let origin = origins[end.log] else { return 0 }
            end = origin
        }
        return end.number
    }

    /// Whether a head is known to belong to the same tree of logs.
    func concerns(_ head: LogHead, _ log: LogName) -> Bool {
        guard head.log.device == log.device else { return false }
        let name = places[head] ?? head.log
        return root(of: name) == root(of: log)
    }
}
