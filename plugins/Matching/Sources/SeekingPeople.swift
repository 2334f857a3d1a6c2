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
    /// The last cards of people who look no longer and whom I had asked, at most ``goneMax``: the
    /// list still has to say what they answered.
    private(set) var gone: [PersonID: MatchCard] = [:]

    /// The number of people that are kept: links with strangers are fewer.
    static let countMax = 64
    /// The number of people who are kept after they stopped looking: as many as can be asked at
    /// once.
    static let goneMax = MatchLimits.requestsMax

    /// Keeps a card in place of the person's earlier one.
    /// - Returns: whether anything changed.
    mutating func receive(_ card: MatchCard, from peer: Peer) -> Bool {
        let known = people[peer.person]
        guard known != nil || people.count < Self.countMax else { return false }
        let devices = (known?.devices ?? []).union([peer.device])
        people[peer.person] = Someone(card: card, devices: devices)
        gone[peer.person] = nil
        return known?.card != card
    }

    /// Forgets a device that looks no longer or is linked no longer, and its person with the last.
    /// - Parameters:
    ///   - wasAsked: whether I asked the person, so that their card is kept among those who are
    ///     gone.
    ///   - open: the people to whom I have an open request. They stay, so that I can take it back.
    /// - Returns: whether a person is gone.
    mutating func remove(
        _ peer: Peer, wasAsked: Bool = false, open: Set<PersonID> = []
    ) -> Bool {
        guard people[peer.person]?.devices.remove(peer.device) != nil else { return false }
        guard let someone = people[peer.person], someone.devices.isEmpty else { return false }
        people[peer.person] = nil
        guard wasAsked else { return true }
        if gone.count >= Self.goneMax {
            guard let first = gone.keys.filter({ !open.contains($0) }).min() else { return true }
            gone[first] = nil
        }
        gone[peer.person] = someone.card
        return true
    }

    /// Forgets a person.
    /// - Returns: whether they were here.
    mutating func remove(_ person: PersonID) -> Bool {
        let wasGone = gone.removeValue(forKey: person) != nil
        return people.removeValue(forKey: person) != nil || wasGone
    }

    /// Forgets everyone.
    mutating func removeAll() {
        people = [:]
        gone = [:]
    }

    /// A listed person, with what follows from my wishes and location.
    struct Listed: Hashable, Sendable {
        let person: PersonID
        let card: MatchCard
        /// The wishes that both have.
        let shared: Set<String>
        /// Whether a wish is shared, or one of the two wants anything.
        let shares: Bool
        let distanceMetres: Double?
        /// Whether they look no longer.
        var isGone = false
    }

    /// Returns the people within 700 m or with an unknown location who pass the filters: those who
    /// share a wish first, then the nearest, and the others after those whose distance is known.
    /// The last are those who look no longer.
    /// - Parameters:
    ///   - always: people who are listed at any distance and whatever the filters say, because
    ///     there is something between us to answer or to take back.
    ///   - asked: people whom I asked and who may have answered: those of them who look no longer
    ///     are listed too.
    func listed(
        wishes: [String], location: Point?, filters: MatchFilters, always: Set<PersonID> = [],
        asked: Set<PersonID> = []
    ) -> [Listed] {
        let looking = listed(
            people.mapValues(\.card), wishes: wishes, location: location, filters: filters,
            always: always)
        let others = listed(
            gone.filter { asked.contains($0.key) }, wishes: wishes, location: location,
            filters: filters, always: asked)
        return looking
            + others.map { someone in
                var someone = someone
                someone.isGone = true
                return someone
            }
    }

    private func listed(
        _ cards: [PersonID: MatchCard], wishes: [String], location: Point?, filters: MatchFilters,
        always: Set<PersonID>
    ) -> [Listed] {
        let mine = Set(wishes.map(WishList.folded))
        return cards.compactMap { person, card in
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

    /// Returns the wishes of the people, the most frequent first, then in alphabetical order. A
    /// wish with a muted word is left out.
    func recommended(wishes: [String], muted: MutedWords = MutedWords()) -> [RecommendedWish] {
        let mine = Set(wishes.map(WishList.folded))
        var counts: [String: (wish: String, count: Int)] = [:]
        for (_, someone) in people.sorted(by: { $0.key < $1.key }) {
            for wish in someone.card.wishes where !muted.matches(wish) {
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
