internal import Discovery
internal import InterestsAPI
internal import PluginKit
internal import Records
internal import TestSupport

// Interests: the match follows from the announcements in sight.
extension Checks {
    /// The time in which an announcement that is about to change has changed.
    private static let announcingMax: Duration = .seconds(10)
    /// The number of interests that a match has at least.
    private static let commonCountMin = 3
    /// An error of a clock by which tags are still recognised.
    private static let tagSkew: Duration = .seconds(60)

    /// A device that announces interests.
    private struct Announcer {
        let place: Place
        let tag: String
        let interests: Set<Int>
        let person: PersonID
        /// Whether its person removed it, so that it is a stranger's to everyone.
        let isRemoved: Bool
    }

    /// A device that shows a match, and the position that it names.
    private struct Shown {
        let match: InterestsStatus.Match
        let place: Place
    }

    /// Checks the match that each device shows against the announcements of all others.
    func matches() async throws {
        // A look may end at this moment, and its announcement a moment later.
        guard try await !matchFaults().isEmpty else { return }
        try await world.time.sleep(for: Self.announcingMax)
        for fault in try await matchFaults() { world.violated(fault) }
    }

    private func matchFaults() async throws -> [String] {
        let announcers = announcers()
        var faults: [String] = []
        var shown: [Place: Shown] = [:]
        for person in people {
            for device in person.present where device.node.isUp {
                let status = try await device.node.call(InterestsCommands.show)
                faults += announcementFaults(of: device.node, person, status)
                guard status.looking else { continue }
                world.count("looks at rest")
                let blocked = Set(
                    try await device.node.rows("SELECT person FROM neighbours_blocked")
                        .compactMap { $0.person("person") })
                let (fault, match) = compare(
                    status, at: device.node, of: person, blocked, announcers)
                if let fault { faults.append("\(device.node.name) \(fault)") }
                shown[device.node.place] = match
            }
        }
        return faults + faultsBothWays(shown)
    }

    private func announcers() -> [Announcer] {
        let devices = people.flatMap { person in
            [(person.node, person, false)]
                + person.seconds.map { ($0.node, person, $0.removal != nil) }
        }
        let byPlace = Dictionary(
            devices.map { ($0.0.place, (person: $0.1.id, isRemoved: $0.2)) },
            uniquingKeysWith: { $1 })
        return world.network.announcements.compactMap { place, announcement in
            guard let owner = byPlace[place],
                let interests = Self.interests(announcement.fields["in"])
            else { return nil }
            return Announcer(
                place: place, tag: announcement.tag.description, interests: interests,
                person: owner.person, isRemoved: owner.isRemoved)
        }
    }

    /// Reads announced interests as docs describe them: a bit for each, the lowest one first.
    private static func interests(_ bytes: [UInt8]?) -> Set<Int>? {
        guard let bytes, bytes.count == 11 else { return nil }
        return Set((0..<87).filter { bytes[$0 / 8] >> ($0 % 8) & 1 == 1 })
    }

    /// Checks that a device announces its person's interests exactly while the person looks.
    private func announcementFaults(
        of node: SimulatedNode, _ person: SimulatedPerson, _ status: InterestsStatus
    ) -> [String] {
        let announced = Self.interests(
            world.network.announcement(at: node.place)?.fields["in"])
        let chosen = Set(status.chosen.map(\.interest.interest))
        var faults: [String] = []
        if announced != (status.looking ? Set(chosen.map(\.index)) : nil) {
            faults.append(
                "\(node.name) announces \(announced?.sorted() ?? []) and looks: \(status.looking)")
        }
        if !person.ledger.isVoid, !person.seeker.possible.contains(chosen),
            node === person.node || !people.contains(where: \.wasFarOff)
        {
            faults.append("\(node.name) shows interests that were not chosen last")
        }
        return faults
    }

    /// Compares a match with the announcements.
    ///
    /// Blocked people do not count if they are recognised, and this person's own devices do not
    /// either. Somebody whose clock is off announces tags that may not be recognised.
    private func compare(
        _ status: InterestsStatus, at node: SimulatedNode, of person: SimulatedPerson,
        _ blocked: Set<PersonID>, _ announcers: [Announcer]
    ) -> (fault: String?, match: Shown?) {
        let mine = Set(status.chosen.map(\.interest.interest.index))
        let isExact = people.allSatisfy {
            max($0.node.skew.duration, .zero - $0.node.skew.duration) <= Self.tagSkew
        }
        let others = announcers.filter {
            $0.place != node.place && ($0.person != person.id || $0.isRemoved || !isExact)
        }
        let sure = others.filter { $0.person != person.id && !blocked.contains($0.person) }
        func best(_ some: [Announcer]) -> Int {
            let most = some.map { $0.interests.intersection(mine).count }.max() ?? 0
            return most < Self.commonCountMin ? 0 : most
        }
        let people = Set(sure.filter { !$0.isRemoved }.map(\.person)).count
        let removed = sure.count(where: \.isRemoved)
        let counted = status.lookingCount?.value ?? 0
        guard (people + removed...others.count).contains(counted) else {
            return (
                "counts \(counted) people who look, and \(people + removed) to \(others.count) do",
                nil
            )
        }
        guard let match = status.match else {
            return (best(sure) > 0 ? "shows no match, and \(best(sure)) are in common" : nil, nil)
        }
        world.count("matches at rest")
        guard
            (max(best(sure), Self.commonCountMin)...max(best(others), Self.commonCountMin))
                .contains(match.common.count)
        else {
            return (
                "shows a match of \(match.common.count), and the best has \(best(sure)) to "
                    + "\(best(others))", nil
            )
        }
        guard let other = others.first(where: { match.isOf($0.place, $0.tag, in: self.people) })
        else { return ("shows a match that nobody announces", nil) }
        let common = Set(match.common.map(\.interest.interest.index))
        guard common == other.interests.intersection(mine) else {
            return ("shows other common interests than \(other.place.name) announces", nil)
        }
        return (nil, Shown(match: match, place: other.place))
    }

    /// Checks that two devices that show each other have the same in common, and the same question.
    private func faultsBothWays(_ shown: [Place: Shown]) -> [String] {
        shown.keys.sorted { $0.number < $1.number }.compactMap { place in
            guard let mine = shown[place], let theirs = shown[mine.place], theirs.place == place
            else { return nil }
            world.count("matches of each other at rest")
            guard mine.match.common != theirs.match.common || mine.match.topic != theirs.match.topic
            else { return nil }
            return "\(place.name) and \(mine.place.name) are shown different things in common"
        }
    }
}

extension InterestsStatus.Match {
    /// Whether it names the device at a position, by its key or by its tag.
    fileprivate func isOf(_ place: Place, _ tag: String, in people: [SimulatedPerson]) -> Bool {
        guard let device else { return self.tag?.string == tag }
        let nodes = people.flatMap { [$0.node] + $0.seconds.map(\.node) }
        return nodes.first { $0.place == place }.map { Key($0.device) == device } ?? false
    }
}
