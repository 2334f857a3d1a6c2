public import PluginKit
internal import ProximityDropAPI

/// The ranged mode: the other device is found by its distance.
extension DropSession {
    /// The devices that a ranged press has found in the band. One that has left the band since then
    /// counts with its last measurement in it, so the two sides need not be in it together.
    ///
    /// Example: Ann holds her device to Ben's at second 0 and puts it away. Ben's device measures
    /// hers at second 29. Ann's has sent offers since second 0, so the exchange begins at once.
    struct Found: Sendable {
        var measurements: [DeviceID: RangeMeasurement] = [:]
        /// The time of the first one.
        var since: Duration
    }

    /// Whether a ranged press looks for its target.
    public var isRanging: Bool {
        phase == .finding && press?.isRanged == true && press?.target == nil
    }

    /// Receives measurements of devices that may be dropped with: not those of mates.
    public mutating func receive(
        _ measurements: some Collection<RangeMeasurement>, now: Duration
    ) -> [Effect] {
        guard isRanging else { return [] }
        for measurement in measurements where DropBand.obstacle(measurement) == nil {
            var found = press?.found ?? Found(since: now)
            found.measurements[measurement.device] = measurement
            press?.found = found
        }
        return chooseRanged(now)
    }

    /// Chooses among the devices in the band once ``DropBand/collecting`` has passed.
    mutating func chooseRanged(_ now: Duration) -> [Effect] {
        guard isRanging, let found = press?.found, now - found.since >= DropBand.collecting else {
            return []
        }
        switch DropBand.choice(among: found.measurements.values) {
        case .nobody: return []
        case .one(let device):
            press?.target = device
            return find([], now) + [.changed]
        case .several(let devices):
            guard candidates != devices else { return [] }
            candidates = devices
            return [.changed]
        }
    }
}
