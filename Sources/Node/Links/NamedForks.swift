internal import Records

/// The logs for which a peer has named a batch that differs from this device's, so that each is
/// logged once per link.
struct NamedForks: Sendable {
    /// The maximum number that is remembered; further ones are not logged.
    static let countMax = 64

    private var named: Set<LogInSpace> = []

    private struct LogInSpace: Hashable {
        let space: SpaceID
        let log: LogName
    }

    /// Records a log.
    /// - Returns: whether it was not recorded before and there is room.
    mutating func record(_ log: LogName, in space: SpaceID) -> Bool {
        guard named.count < NamedForks.countMax else { return false }
        return named.insert(LogInSpace(space: space, log: log)).inserted
    }
}
