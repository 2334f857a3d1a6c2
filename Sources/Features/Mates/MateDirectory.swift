internal import PluginKit

/// The people I know: mates and the people whose answer I await, their names and profiles.
struct MateDirectory: Sendable {
    let context: PluginContext
    let cards: any CardKeeper
    let acquaintances: Acquaintances
    let ownNicknames: OwnNicknames

    /// A person to whom I have an edge.
    struct Mate {
        let person: PersonID
        let isMate: Bool
        let profile: Profile
        /// My own nickname for them.
        let ownNickname: String?
        /// The name that is shown.
        let shownNickname: String?

        init(person: PersonID, isMate: Bool, profile: Profile, ownNickname: String?) {
            self.person = person
            self.isMate = isMate
            self.profile = profile
            self.ownNickname = ownNickname
            shownNickname = ownNickname ?? profile.nickname
        }
    }

    /// Returns mates and the people whose answer I await, by the name that is shown and then key.
    func mates() async throws -> [Mate] {
        try await unsortedMates().sorted {
            ($0.shownNickname ?? "", $0.person) < ($1.shownNickname ?? "", $1.person)
        }
    }

    private func unsortedMates() async throws -> [Mate] {
        let rows = try await context.replica.rows(
            "SELECT person, pair_state FROM neighbours_relations WHERE pair_state <> 'ending'")
        let own = try await cards.cards()
        let given = try await acquaintances.cards()
        let nicknames = try await ownNicknames.all()
        return rows.compactMap { row in
            guard let person = row.person("person") else { return nil }
            let isMate = row.text("pair_state") == RelationKind.mate.name
            let card = own[person] ?? Profile()
            return Mate(
                person: person, isMate: isMate,
                profile: isMate && card.isComplete ? card : given[person] ?? card,
                ownNickname: nicknames[person])
        }
    }

    /// Returns the names of people I know. Two people with the same name both carry digits of their
    /// key, and so does everyone with whom I only agreed: anyone can give any name. Of these, a
    /// name that contains a muted word is left out.
    func names() async throws -> [PersonID: String] {
        let mates = try await unsortedMates()
        let nicknames = mates.compactMap(\.shownNickname)
        let uses = Dictionary(nicknames.map { ($0, 1) }, uniquingKeysWith: +)
        var names: [PersonID: String] = [:]
        for mate in mates {
            guard let nickname = mate.shownNickname else { continue }
            let isShared = (uses[nickname] ?? 0) > 1
            names[mate.person] = isShared ? mate.person.called(nickname) : nickname
        }
        let agreed = try await context.replica.rows(
            "SELECT person, name FROM \(Agreements.namesView)")
        guard !agreed.isEmpty else { return names }
        let muted = try await context.replica.mutedWords()
        for row in agreed {
            guard let person = row.person("person"), names[person] == nil,
                let name = row.text("name").flatMap(TextRule.nickname.clip).flatMap(muted.shown)
            else { continue }
            names[person] = person.called(name)
        }
        return names
    }

    /// Returns the time when the newest batch of each person's devices arrived here.
    func lastExchanges() async throws -> [PersonID: Timestamp] {
        let rows = try await context.replica.rows(
            """
            SELECT l.person AS person, (SELECT b.arrived FROM waggle_batch b
                WHERE b.batch >= l.log << 40 AND b.batch < (l.log + 1) << 40
                ORDER BY b.batch DESC LIMIT 1) AS arrived
            FROM waggle_log l WHERE l.person IN (SELECT person FROM neighbours_relations)
            """)
        var result: [PersonID: Timestamp] = [:]
        for row in rows {
            guard let person = row.person("person"),
                let arrived = row.integer("arrived").map({ Timestamp(milliseconds: $0) })
            else { continue }
            result[person] = max(result[person] ?? arrived, arrived)
        }
        return result
    }

    /// Returns the mate that a command names, or any person by the whole key. A name that is shown
    /// counts before the name that a renamed mate has chosen.
    ///
    /// For example, I call Mina "Minnie", and another mate is called Mina. Then "Mina" means the
    /// other one. Without the other one, both names mean the same person.
    /// - Throws: ``CommandFault/conflict(_:)`` if several mates are meant,
    ///   ``CommandFault/notFound(_:)`` if none is.
    /// - Parameter others: people who are no mates, whom the first digits of their keys mean.
    func person(_ wanted: NameOrKey, or others: Set<PersonID> = []) async throws -> PersonID {
        if let person = PersonID(wanted.string) { return person }
        let mates = Dictionary(
            try await unsortedMates().map { ($0.person, $0) }, uniquingKeysWith: { $1 })
        let isShown = mates.values.contains {
            $0.shownNickname.map(wanted.matches(name:)) ?? false
        }
        return try wanted.resolve(
            among: others.union(mates.keys),
            named: { isShown ? mates[$0]?.shownNickname : mates[$0]?.profile.nickname },
            what: "mate", listedBy: "mates list")
    }
}
