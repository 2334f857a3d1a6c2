internal import MatchingAPI
internal import PluginKit

/// The people who look too, as their cards say; a value that answers `matching people`.
struct SeekingPeople: Hashable, Sendable {
    /// A person who looks.
    struct Someone: Hashable, Sendable {
        var card: MatchCard
        var devices: Set<DeviceID>
    }

    /// The people, at most ``countMax``.
    private(set) var people: [PersonID: Someone] = [:]

    /// The number of people that are kept: links with strangers are fewer.
    static let countMax = 64

    /// Keeps a card in place of the person's earlier one.
    /// - Returns: whether anything changed.
    mutating func receive(_ card: MatchCard, from peer: Peer) -> Bool {
        let known = people[peer.person]
        guard known != nil || people.count < Self.countMax else { return false }
        let devices = (known?.devices ?? []).union([peer.device])
        people[peer.person] = Someone(card: card, devices: devices)
        return known?.card != card
    }

    /// Forgets a device that looks no longer or is linked no longer, and its person with the last.
    /// - Returns: whether a person is gone.
    mutating func remove(_ peer: Peer) -> Bool {
        guard people[peer.person]?.devices.remove(peer.device) != nil else { return false }
        guard people[peer.person]?.devices.isEmpty == true else { return false }
        people[peer.person] = nil
        return true
    }

    /// Forgets a person.
    /// - Returns: whether they were here.
    mutating func remove(_ person: PersonID) -> Bool {
        people.removeValue(forKey: person) != nil
    }

    /// Forgets everyone.
    mutating func removeAll() { people = [:] }

    /// A listed person, with what follows from my wishes and location.
    struct Listed: Hashable, Sendable {
        let person: PersonID
        let card: MatchCard
        /// The wishes that both have.
        let shared: Set<String>
        /// Whether a wish is shared, or one of the two wants anything.
        let shares: Bool
        let distanceMetres: Double?
    }

    /// Returns the people within 700 m or with an unknown location who pass the filters: those who
    /// share a wish first, then the nearest, and the others after those whose distance is known.
    /// - Parameter always: people who are listed at any distance and whatever the filters say,
    ///   because there is something between us to answer or to take back.
    func listed(
        wishes: [String], location: Point?, filters: MatchFilters, always: Set<PersonID> = []
    ) -> [Listed] {
        let mine = Set(wishes.map(WishList.folded))
        return people.compactMap { person, someone in
            let card = someone.card
            let isAlways = always.contains(person)
            guard isAlways || filters.admits(age: card.age, gender: card.gender) else {
                return nil
            }
            var distance: Double?
            if let location, let there = card.location?.point {
                distance = location.distanceMetres(to: there)
            }
            guard isAlways || distance ?? 0 <= MatchingCommands.distanceMetresMax else {
                return nil
            }
            let shared = Set(card.wishes.filter { mine.contains(WishList.folded($0)) })
            return Listed(
                person: person, card: card, shared: shared,
                shares: !shared.isEmpty || mine.isEmpty || card.wishes.isEmpty,
                distanceMetres: distance)
        }.sorted { one, other in
            let far = Double.infinity
            return (one.shares ? 0 : 1, one.distanceMetres ?? far, one.person)
                < (other.shares ? 0 : 1, other.distanceMetres ?? far, other.person)
        }
    }

    /// Returns the wishes of the people, the most frequent first, then in alphabetical order.
    func recommended(wishes: [String]) -> [RecommendedWish] {
        let mine = Set(wishes.map(WishList.folded))
        var counts: [String: (wish: String, count: Int)] = [:]
        for (_, someone) in people.sorted(by: { $0.key < $1.key }) {
            for wish in someone.card.wishes {
                counts[WishList.folded(wish), default: (wish, 0)].count += 1
            }
        }
        return counts.sorted { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) }
            .prefix(MatchingPeople.recommendedCountMax)
            .map {
                RecommendedWish(
                    wish: $0.value.wish, count: $0.value.count, isMine: mine.contains($0.key))
            }
    }
}
