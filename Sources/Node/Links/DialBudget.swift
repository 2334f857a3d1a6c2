internal import Links
internal import Records

/// Limits the dials that announcements and linked peers cause. Any host on the LAN can announce any
/// address, and can repeat the visible tag of a mate's device. Without limits, this node would run
/// out of descriptors and scan hosts and ports for an attacker. Addresses that a person entered are
/// not limited.
///
/// A dial is *proven* if the expected device was linked last at its address. Dials of strangers and
/// of addresses that only a tag names are unproven. They get at most half of a minute's dials, so
/// that forged announcements do not delay the dial of a mate who was linked before. For example,
/// 1024 announcements repeat Ben's tag, and 1024 others are of strangers: in one minute 120 dials
/// expect Ben and 120 others a stranger, and a dial of Ben's last address is still permitted.
///
/// A dial that a linked peer asks for is unproven too, and few of them are made in a minute: the
/// peer may be a stranger with many keys, and may let each connection wait.
struct DialBudget: Sendable {
    /// The maximum number of addresses dialled per minute for one expected device without
    /// proof, and of proven ones as many again.
    static let perDeviceAndMinuteMax = 120
    /// The maximum number of addresses dialled per minute for all devices together.
    static let perMinuteMax = 480
    /// The number of unproven addresses that may be dialled in a minute in all.
    static let unprovenPerMinuteMax = perMinuteMax / 2
    /// The number of dials per minute that linked peers may ask for, all together.
    static let dialBacksPerMinuteMax = 24
    /// The maximum number of disproved addresses that are remembered, for all devices together.
    static let disprovedMax = 8192

    private struct Claim: Hashable {
        let device: DeviceID
        let address: LinkAddress
    }

    /// The proven or the unproven dials of one device.
    private struct Share: Hashable {
        let device: DeviceID
        let isProven: Bool
    }

    private var minute: Int64 = 0
    private var countInAll = 0
    private var unprovenCount = 0
    private var dialBacksCount = 0
    private var counts: [Share: Int] = [:]
    private var disproved: Set<Claim> = []

    /// Whether an address may be dialled for an expected device, or for a stranger, in this minute.
    /// - Parameter isProven: whether the device was linked last at the address.
    func hasRoom(for device: DeviceID?, isProven: Bool, now: Duration) -> Bool {
        guard now.components.seconds / 60 == minute else { return true }
        guard countInAll < DialBudget.perMinuteMax,
            isProven || unprovenCount < DialBudget.unprovenPerMinuteMax
        else { return false }
        return device.map {
            counts[Share(device: $0, isProven: isProven)] ?? 0 < DialBudget.perDeviceAndMinuteMax
        } ?? true
    }

    /// Counts one dial.
    /// - Returns: false if the minute is used up; nothing may be dialled then.
    mutating func permitDial(for device: DeviceID?, isProven: Bool, now: Duration) -> Bool {
        guard hasRoom(for: device, isProven: isProven, now: now) else { return false }
        let thisMinute = now.components.seconds / 60
        if thisMinute != minute {
            (minute, countInAll, unprovenCount, counts) = (thisMinute, 0, 0, [:])
            dialBacksCount = 0
        }
        countInAll += 1
        if !isProven { unprovenCount += 1 }
        if let device { counts[Share(device: device, isProven: isProven), default: 0] += 1 }
        return true
    }

    /// Counts one dial that a linked peer asks for.
    /// - Returns: false if the minute is used up; nothing may be dialled then.
    mutating func permitDialBack(to device: DeviceID, now: Duration) -> Bool {
        let isNewMinute = now.components.seconds / 60 != minute
        guard isNewMinute || dialBacksCount < DialBudget.dialBacksPerMinuteMax,
            permitDial(for: device, isProven: false, now: now)
        else { return false }
        dialBacksCount += 1
        return true
    }

    /// Records that an address belongs to another device than the expected one.
    mutating func disprove(_ address: LinkAddress, for device: DeviceID) {
        guard disproved.count < DialBudget.disprovedMax else { return }
        disproved.insert(Claim(device: device, address: address))
    }

    /// Records that an address belongs to a device, even if it was disproved before.
    mutating func approve(_ address: LinkAddress, for device: DeviceID) {
        disproved.remove(Claim(device: device, address: address))
    }

    /// Whether an address turned out to belong to another device.
    func isDisproved(_ address: LinkAddress, for device: DeviceID) -> Bool {
        disproved.contains(Claim(device: device, address: address))
    }

    /// Forgets the disproved addresses: they change when the network does.
    mutating func forgetDisproved() { disproved = [] }
}
