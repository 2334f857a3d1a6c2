internal import Identity
internal import Records
internal import TestSupport

/// The people, their devices and their permissions: the true state, which is not taken from a node.
struct Society {
    let people: [Person]
    /// The person whose device is a liar, or nil.
    let liar: PersonID?
    /// The devices that join in the middle of a run, with the indexes of their people.
    let joining: [(person: Int, key: DeviceKey)]
    private let owners: [DeviceID: PersonID]
    /// The groups, with everyone who was ever granted a role in them.
    private(set) var groups: [SpaceDescriptor: Set<PersonID>] = [:]
    /// The devices whose database was restored, and which may have signed a number twice since.
    var restored: Set<DeviceID> = []
    /// The present pairs of mates, by their indexes.
    private(set) var mates: Set<[Int]> = []

    init(_ mix: Mix, using chance: inout SeededGenerator) throws {
        var people: [Person] = []
        for count in mix.deviceCounts {
            people.append(try Person(deviceCount: count, using: &chance))
        }
        self.people = people
        liar = mix.hasLiar ? people.last?.id : nil
        var owners: [DeviceID: PersonID] = [:]
        for person in people {
            for key in person.devices { owners[key.id] = person.id }
        }
        var joining: [(person: Int, key: DeviceKey)] = []
        for index in mix.joiningPeople {
            let key = DeviceKey(using: &chance)
            joining.append((index, key))
            owners[key.id] = people[index].id
        }
        self.joining = joining
        self.owners = owners
    }

    /// Returns the person of a device.
    func person(of device: DeviceID) -> PersonID? { owners[device] }

    /// Whether a device is honest.
    func isHonest(_ device: DeviceID) -> Bool { person(of: device).map { $0 != liar } ?? false }

    /// Whether a device may have signed two batches with one number.
    func isSuspect(_ device: DeviceID) -> Bool {
        !isHonest(device) || restored.contains(device)
    }

    /// Records that a person was granted a role in a group.
    mutating func grant(_ person: PersonID, in group: SpaceDescriptor) {
        groups[group, default: []].insert(person)
    }

    /// Returns the groups in which a person was ever granted a role, ordered by id.
    func groups(of person: PersonID) -> [SpaceDescriptor] {
        groups.filter { $0.value.contains(person) }.map(\.key).sorted { $0.id < $1.id }
    }

    /// Records that two people become mates.
    mutating func befriend(_ one: Int, _ other: Int) {
        mates.insert([min(one, other), max(one, other)])
    }

    /// Whether two people are mates.
    func areMates(_ one: Int, _ other: Int) -> Bool {
        mates.contains([min(one, other), max(one, other)])
    }

    /// Whether a person may hold a space.
    func mayHold(_ space: SpaceDescriptor, _ person: Int) -> Bool {
        let id = people[person].id
        switch space {
        case .own(let owner): return owner == id
        case .card(let owner):
            return owner == id
                || people.indices.contains { people[$0].id == owner && areMates($0, person) }
        case .pair(let one, let other): return one == id || other == id
        case .group: return groups[space]?.contains(id) ?? false
        case .open: return false
        }
    }
}
