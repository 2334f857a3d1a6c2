internal import Links
internal import Logging
internal import PluginKit
internal import Records
internal import Sync

// Detection of a copy of this home, or of a peer's, that runs on another host at the same time.
// Only people who share something with this node are believed: a stranger could claim anything,
// under any number of keys.
extension Node {
    /// The time in which the new link must appear here after a peer replaced one.
    static let replacementWait: Duration = .seconds(3)

    /// Records that a peer has a newer link with this device's key. If that link does not turn out
    /// to be this node's, another host holds the key.
    func recordReplacedLink(of device: DeviceID) {
        guard let peer = links[device]?.peer, isKnown(peer.person) else { return }
        replacedElsewhere[device] = clock.uptime
    }

    /// Checks whether replaced links were replaced by this node itself.
    func lookForClones() async {
        for (device, since) in replacedElsewhere
        where clock.uptime - since >= Node.replacementWait {
            replacedElsewhere[device] = nil
            guard links[device] == nil else { continue }
            await tellOfOwnClone()
        }
    }

    /// Checks a link with this device's own key: it leads to this node, or to a copy of its home.
    /// - Returns: whether it leads to this node.
    func meetsItself(_ theirs: Hello) async -> Bool {
        if theirs.bootID == boot.id { return true }
        await tellOfOwnClone()
        return false
    }

    /// Handles a second link from an older boot of a linked device: the device runs twice.
    func recordClone(of peer: Peer) async {
        guard isKnown(peer.person) else { return }
        let device = peer.device
        await tell(
            .clone, about: device.description,
            "Device \(device.suffix) is in use on two hosts at once; what both write is kept.")
    }

    private func tellOfOwnClone() async {
        await tell(
            .clone, about: device.description,
            "A copy of this home is in use on another host: end one of the two. What both wrote "
                + "is kept; only one of them is linked at a time.")
    }
}
