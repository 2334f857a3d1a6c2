internal import PluginKit
internal import Records

/// The last ends of the links with each device, in memory only. A device whose links ended three
/// times within a minute is in trouble, and the person is told the reason of the last end.
///
/// For example, Ben's links end after 0, 20 and 40 s: he is in trouble from then on, until 60 s
/// after the first of the three.
struct LinkEnds: Sendable {
    /// The number of ends that are trouble if they lie within ``span``.
    static let countMin = 3
    /// The time within which they must lie.
    static let span = Duration.seconds(60)
    /// The maximum number of devices that are remembered; a new one replaces the one whose link
    /// ended longest ago. A stranger's device is replaced before any other, since keys are easy to
    /// generate.
    static let devicesMax = 64

    fileprivate struct Ends: Sendable {
        let peer: Peer
        var targetKey: String?
        /// Whether something is or was shared with the person.
        var isKnown: Bool
        /// The times of the last ends, at most ``LinkEnds/countMin``.
        var times: [Duration]
        var trouble: ConnectionTrouble

        func isTrouble(at now: Duration) -> Bool {
            times.count == LinkEnds.countMin && now - times[0] <= LinkEnds.span
        }
    }

    private var byDevice: [DeviceID: Ends] = [:]
    /// The devices that were in trouble when ``hasChanged(now:)`` was last asked.
    private var reported: Set<DeviceID> = []

    /// Records that a link ended, and why.
    /// - Parameters:
    ///   - targetKey: the dial target that leads to the device, if it is known.
    ///   - isKnown: whether something is or was shared with the person.
    mutating func record(
        _ trouble: ConnectionTrouble, of peer: Peer, at targetKey: String?, isKnown: Bool,
        now: Duration
    ) {
        var ends =
            byDevice[peer.device]
            ?? Ends(peer: peer, targetKey: nil, isKnown: isKnown, times: [], trouble: trouble)
        ends.isKnown = isKnown
        ends.times = (ends.times + [now]).suffix(Self.countMin)
        ends.trouble = trouble
        ends.targetKey = targetKey ?? ends.targetKey
        byDevice[peer.device] = ends
        guard byDevice.count > Self.devicesMax,
            let replaced = byDevice.min(by: { $0.value.importance < $1.value.importance })
        else { return }
        byDevice[replaced.key] = nil
    }

    /// Returns the trouble with a device now.
    func trouble(with device: DeviceID, now: Duration) -> ConnectionTrouble? {
        byDevice[device].flatMap { $0.isTrouble(at: now) ? $0.trouble : nil }
    }

    /// Returns the trouble with the device to which a dial target led.
    func trouble(at targetKey: String, now: Duration) -> ConnectionTrouble? {
        byDevice.values.first { $0.targetKey == targetKey && $0.isTrouble(at: now) }?.trouble
    }

    /// Returns the reason why the last link to which a dial target led has ended, if one did within
    /// ``span``.
    func lastEnd(at targetKey: String, now: Duration) -> ConnectionTrouble? {
        byDevice.values.first { $0.targetKey == targetKey && now - $0.lastTime <= Self.span }?
            .trouble
    }

    /// Returns the devices in trouble now, with the dial targets that lead to them.
    func troubled(now: Duration) -> [(peer: Peer, targetKey: String?)] {
        byDevice.values.filter { $0.isTrouble(at: now) }.map { ($0.peer, $0.targetKey) }
    }

    /// Whether other devices are in trouble than at the last call. Forgets ends that are too old.
    mutating func hasChanged(now: Duration) -> Bool {
        byDevice = byDevice.filter { now - $0.value.lastTime <= Self.span }
        let troubled = Set(troubled(now: now).map(\.peer.device))
        defer { reported = troubled }
        return troubled != reported
    }
}

extension LinkEnds.Ends {
    fileprivate var lastTime: Duration { times.last ?? .zero }

    /// The order in which devices are replaced, the first one first.
    fileprivate var importance: (Int, Duration) { (isKnown ? 1 : 0, lastTime) }
}
