internal import Records

/// The targets that are dialled at one moment.
struct DiallingPlaces: Sendable {
    private var countInAll = 0
    private var counts: [DeviceID: Int] = [:]

    init(_ targets: some Sequence<DialPlan.Target>) {
        for target in targets { occupy(by: target) }
    }

    func hasRoom(for target: DialPlan.Target) -> Bool {
        guard !target.isManual else { return true }
        guard countInAll < DialPlan.diallingMax else { return false }
        return target.expecting.map {
            counts[$0] ?? 0 < DialPlan.diallingPerDeviceMax
        } ?? true
    }

    mutating func occupy(by target: DialPlan.Target) {
        guard !target.isManual else { return }
        countInAll += 1
        if let device = target.expecting { counts[device, default: 0] += 1 }
    }
}
