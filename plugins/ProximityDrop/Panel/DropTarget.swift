import Contract
import FeaturesAPI
import ProximityDropAPI

/// A possible target of a drop, with its name in a list.
struct DropTarget: Equatable, Sendable {
    /// The device; nil for any device that also presses Drop.
    var device: Key?
    /// The name.
    var label: String

    /// Any device that also presses Drop.
    static let anyone = DropTarget(device: nil, label: localized("Anyone who drops too"))

    private init(device: Key?, label: String) {
        self.device = device
        self.label = label
    }

    /// A person nearby.
    init(_ person: NearbyList.Person) {
        let name = person.name?.string ?? localized("Someone nearby (\(person.suffix))")
        self.init(
            device: person.device,
            label: person.dropOpen ? localized("\(name), ready") : name)
    }

    /// A device that pressed Drop at the same time and is not seen nearby.
    init(_ peer: DropStatus.Peer) {
        self.init(device: peer.device, label: localized("Someone nearby (\(peer.suffix))"))
    }
}
