internal import PluginKit

/// The locations that mates show me. A mate's devices may send different ones while they have not
/// met each other; the one that was set or cleared last counts.
///
/// Example: Ann sets her location on the phone at 9:00. Her laptop, on which she cleared an earlier
/// one at 8:00, comes into Ben's reach and says "gone since 8:00". Ben still sees the phone's.
struct ShownLocations: Sendable {
    private struct Shown: Sendable {
        let fix: Fix
        let device: DeviceID
    }

    private var shown: [PersonID: Shown] = [:]
    /// The time since which each mate shows no location, as the latest message says.
    private var ended: [PersonID: Timestamp] = [:]
    /// The linked devices that say since when there is none. Their messages without a time, which
    /// are for older receivers, have no effect.
    private var timed: Set<DeviceID> = []

    /// The location of each mate who shows one.
    var fixes: [PersonID: Fix] { shown.mapValues(\.fix) }

    /// Processes a message of a mate's device.
    mutating func receive(_ message: LocationMessage, from peer: Peer) {
        let person = peer.person
        switch message {
        case .gone where timed.contains(peer.device): break
        case .gone: shown[person] = nil
        case .goneSince(let time):
            timed.insert(peer.device)
            let isLater = shown[person].map { $0.device == peer.device || isBefore($0.fix, time) }
            guard isLater ?? true else { return }
            shown[person] = nil
            ended[person] = max(ended[person] ?? time, time)
        case .fix(let fix):
            if let known = shown[person], known.device != peer.device,
                let at = known.fix.at, isBefore(fix, at)
            {
                return
            }
            if shown[person] == nil, let end = ended[person], isBefore(fix, end) { return }
            shown[person] = Shown(fix: fix, device: peer.device)
        }
    }

    private func isBefore(_ fix: Fix, _ time: Timestamp) -> Bool {
        fix.at.map { $0 < time } ?? true
    }

    /// Forgets what a link with a device has shown of its version.
    mutating func forgetLink(with device: DeviceID) { timed.remove(device) }

    /// Forgets a person who is no mate any more.
    mutating func forget(_ person: PersonID) { (shown[person], ended[person]) = (nil, nil) }
}
