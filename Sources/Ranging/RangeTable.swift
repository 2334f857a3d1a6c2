/// The newest measurement of each linked device.
///
/// ```swift
/// var table = RangeTable()
/// table.link(theirs)
/// try table.receive(RangeReport(device: theirs, distanceMetres: 0.12), now: uptime)
/// table.measurements(now: uptime)  // one, until it is 10 s old or the link is lost
/// ```
public struct RangeTable: Sendable {
    private var linked: Set<DeviceID> = []
    /// The last token of the provider of each linked device.
    private var tokens: [DeviceID: [UInt8]] = [:]
    private var newest: [DeviceID: RangeMeasurement] = [:]

    /// Creates an empty table.
    public init() {}

    /// Adds a device that was linked.
    public mutating func link(_ device: DeviceID) { linked.insert(device) }

    /// Removes a device whose link was lost, with its token and measurement.
    public mutating func unlink(_ device: DeviceID) {
        linked.remove(device)
        (tokens[device], newest[device]) = (nil, nil)
    }

    /// Records the token of a device's provider, in place of an earlier one.
    /// - Returns: false for a device that is not linked, and for a token of a length outside
    ///   ``RangingLimits/tokenBytes``; nothing changes then.
    public mutating func record(token: [UInt8], from device: DeviceID) -> Bool {
        guard admits(token, of: device) else { return false }
        tokens[device] = token
        return true
    }

    /// Whether a token may be exchanged with a device.
    public func admits(_ token: [UInt8], of device: DeviceID) -> Bool {
        linked.contains(device) && RangingLimits.tokenBytes.contains(token.count)
    }

    /// The changes that tell a provider who is linked now.
    public var changes: [RangingChange] {
        linked.sorted().flatMap { device in
            [.linked(device)] + (tokens[device].map { [.token($0, from: device)] } ?? [])
        }
    }

    /// Receives a report of the provider.
    /// - Returns: the measurement, which is now the newest of its device.
    /// - Throws: the first ``RangeFault`` found; the table stays as it was.
    @discardableResult
    public mutating func receive(
        _ report: RangeReport, now: Duration
    ) throws(RangeFault) -> RangeMeasurement {
        guard linked.contains(report.device) else { throw .notLinked }
        let measurement = try RangeMeasurement(report, now: now)
        if let known = newest[report.device], known.at > measurement.at { throw .outdated }
        newest[report.device] = measurement
        if newest.count > RangingLimits.devicesMax,
            let oldest = newest.min(by: { $0.value.at < $1.value.at })
        {
            newest[oldest.key] = nil
        }
        return measurement
    }

    /// Returns the measurements that are not older than ``RangingLimits/ageMax``, by device.
    public func measurements(now: Duration) -> [DeviceID: RangeMeasurement] {
        newest.filter { $0.value.age(at: now) <= RangingLimits.ageMax }
    }

    /// Forgets all measurements, which another provider made.
    public mutating func forgetMeasurements() { newest = [:] }
}
