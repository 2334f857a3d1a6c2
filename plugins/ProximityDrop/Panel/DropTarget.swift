import Contract
import FeaturesAPI
import ProximityDropAPI

/// A possible target of a drop, with its name in a list.
struct DropTarget: Equatable, Sendable {
    /// The person, by the key of their device or the tag that it announces; nil for anyone who also
    /// presses Drop.
    var person: NameOrKey?
    /// The name.
    var label: String

    /// Any device that also presses Drop.
    static let anyone = DropTarget(person: nil, label: localized("Anyone who drops too"))

    private init(person: NameOrKey?, label: String) {
        self.person = person
        self.label = label
    }

    /// A person nearby.
    init(_ person: NearbyList.Person) {
        let name = person.name?.string ?? localized("Someone nearby (\(person.suffix))")
        self.init(
            person: NameOrKey(person.device),
            label: person.dropOpen ? localized("\(name), ready") : name)
    }

    /// A person nearby whose device is not linked yet.
    init(_ person: NearbyList.Announced) {
        let name = person.name.string
        self.init(
            person: NameOrKey(person.tag),
            label: person.dropOpen ? localized("\(name), ready") : name)
    }

    /// A device that pressed Drop at the same time and is not seen nearby.
    init(_ peer: DropStatus.Peer) {
        self.init(
            person: NameOrKey(peer.device), label: localized("Someone nearby (\(peer.suffix))"))
    }
}
