internal import PluginKit

/// The people with a linked device. A person may have several.
struct LinkedPeople {
    private var people: [DeviceID: PersonID] = [:]

    /// Records that a device was linked or lost.
    mutating func record(_ peer: Peer, isUp: Bool) {
        people[peer.device] = isUp ? peer.person : nil
    }

    /// Each person once.
    var all: Set<PersonID> { Set(people.values) }
}
