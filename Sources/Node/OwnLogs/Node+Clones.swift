internal import Links
internal import Logging
internal import PluginKit
internal import Records
internal import Sync

// A copy of this home, or of a peer's, that runs on another host at the same time.
extension Node {
    /// How long a link that a peer replaced may take to show as one of this node's own.
    static let replacementWait: Duration = .seconds(3)

    /// A peer has a newer link with a device of this key. If no link of this node's turns out to
    /// be that one, somebody else holds the key.
    func noteReplacedLink(to device: DeviceID) { replacedElsewhere[device] = clock.uptime }

    /// Looks whether links that were replaced were so by this node itself.
    func lookForClones() async {
        for (device, since) in replacedElsewhere
        where clock.uptime - since >= Node.replacementWait {
            replacedElsewhere[device] = nil
            guard links[device] == nil else { continue }
            await tellOfOwnClone()
        }
    }

    /// A link with this device's own key: it leads to this node, or to a copy of its home.
    /// - Returns: whether it leads here.
    func meetsItself(_ theirs: Hello) async -> Bool {
        if theirs.bootID == boot.id { return true }
        await tellOfOwnClone()
        return false
    }

    /// A device is linked and an older boot of it comes as well: it runs twice.
    func noteClone(of device: DeviceID) async {
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
