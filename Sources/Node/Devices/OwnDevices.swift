internal import PluginKit
internal import Records

/// A node's facts about its person's other devices that are not stored.
struct OwnDevices: Sendable {
    /// When each device was last linked, since the node's start.
    private(set) var seen: [DeviceID: Timestamp] = [:]
    /// The logs of removed devices that are about to be ended.
    private var endingLogs: Set<LogInSpace> = []

    /// The number of logs that wait at a time.
    static let endingLogsMax = 1024

    private struct LogInSpace: Hashable {
        let space: SpaceID
        let log: LogName
    }

    /// Records that a device is linked, or was until now.
    mutating func recordSeen(_ device: DeviceID, at time: Timestamp) { seen[device] = time }

    /// Records that a log is about to be ended.
    /// - Returns: whether it was not yet, and there is room.
    mutating func beginEnding(_ log: LogName, in space: SpaceID) -> Bool {
        guard endingLogs.count < Self.endingLogsMax else { return false }
        return endingLogs.insert(LogInSpace(space: space, log: log)).inserted
    }

    /// Records that a log was ended, or needs no end.
    mutating func finishEnding(_ log: LogName, in space: SpaceID) {
        endingLogs.remove(LogInSpace(space: space, log: log))
    }
}
