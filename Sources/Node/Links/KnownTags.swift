internal import PluginKit
internal import Records

/// The tags by which announcements are recognized in the current hour.
struct KnownTags: Sendable {
    /// A device and the key from which its tags are computed.
    typealias Device = (key: [UInt8], device: DeviceID)

    /// The number of the current hour; see ``TagSchedule/hour(wallTime:)``.
    private(set) var hour: Int64 = -1
    /// Tags that mates' devices may announce in this hour.
    private(set) var mates: [[UInt8]: DeviceID] = [:]
    /// Tags of blocked people's devices, which are not dialled.
    private(set) var blocked: [[UInt8]: DeviceID] = [:]

    /// Begins the hour of a time. The tags must be computed again then.
    /// - Returns: false if it is the hour that had begun already.
    @discardableResult
    mutating func beginHour(at wallTime: Timestamp) -> Bool {
        let now = TagSchedule.hour(wallTime: wallTime)
        defer { hour = now }
        return now != hour
    }

    /// Computes the tags of mates' devices.
    mutating func setMates(_ devices: [Device]) {
        mates = TagSchedule.table(devices, hour: hour)
    }

    /// Computes the tags of blocked people's devices.
    mutating func setBlocked(_ devices: [Device]) {
        blocked = TagSchedule.table(devices, hour: hour)
    }

    /// Returns the tag that a device announces in this hour.
    func own(key: [UInt8], device: DeviceID) -> [UInt8] {
        TagSchedule.tag(key: key, device: device, hour: hour)
    }
}
