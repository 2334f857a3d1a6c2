public import PluginKit

/// What is shown of mates.
extension Neighbours {
    /// Somebody with whom my edge stands.
    struct Mate {
        let person: PersonID
        let isMate: Bool
        let profile: Profile
    }

    /// Mates and those I wait for, by name and then key.
    func mates() async throws -> [Mate] {
        let rows = try await context.replica.rows(
            """
            SELECT r.person AS who, r.pair_state AS pair_state, p.* FROM neighbours_relations r
            LEFT JOIN neighbours_profile p ON p.creator = r.person
            WHERE r.pair_state <> 'ending'
            """)
        let kept = try await acquaintances()
        return rows.compactMap { row in
            guard let person = row.person("who") else { return nil }
            let isMate = row.text("pair_state") == "mate"
            let card = Profile(row)
            return Mate(
                person: person, isMate: isMate,
                profile: isMate && card.isComplete ? card : kept[person] ?? card)
        }.sorted { ($0.profile.nickname ?? "", $0.person) < ($1.profile.nickname ?? "", $1.person) }
    }

    /// The cards I was given, newest last.
    private func acquaintances() async throws -> [PersonID: Profile] {
        let rows = try await context.replica.rows(
            "SELECT * FROM neighbours_acquaintance ORDER BY met_ms")
        var cards: [PersonID: Profile] = [:]
        for row in rows {
            if let person = row.person("person") { cards[person] = Profile(row) }
        }
        return cards
    }

    /// What to call people I know; where two share a name, both carry the end of their key.
    public func names() async throws -> [PersonID: String] {
        let mates = try await mates()
        let nicknames = mates.compactMap(\.profile.nickname)
        let uses = Dictionary(nicknames.map { ($0, 1) }, uniquingKeysWith: +)
        var names: [PersonID: String] = [:]
        for mate in mates {
            guard let nickname = mate.profile.nickname else { continue }
            let isShared = (uses[nickname] ?? 0) > 1
            names[mate.person] = isShared ? "\(nickname) · \(mate.person.suffix)" : nickname
        }
        return names
    }

    /// Answers `mates list`.
    func listMates() async throws -> JSONValue {
        let exchanges = try await lastExchanges()
        let mates = try await mates().map { mate in
            JSONValue.record([
                "person": .string(mate.person.description), "suffix": .string(mate.person.suffix),
                "state": .string(mate.isMate ? "mate" : "waiting"), "profile": mate.profile.json,
                "present": .boolean(linked.values.contains(mate.person)),
                "lastExchangeMs": [exchanges[mate.person], lastSeenMs[mate.person]]
                    .compactMap { $0 }.max().map { .integer($0) },
                "place": mate.isMate ? matePlaces[mate.person].map(placeJSON) : nil,
            ])
        }
        return ["mates": .array(mates)]
    }

    /// When the newest batch of each person's devices arrived here.
    private func lastExchanges() async throws -> [PersonID: Int64] {
        let rows = try await context.replica.rows(
            """
            SELECT l.person AS person, (SELECT b.arrived FROM waggle_batch b
                WHERE b.batch >= l.log << 40 AND b.batch < (l.log + 1) << 40
                ORDER BY b.batch DESC LIMIT 1) AS arrived
            FROM waggle_log l WHERE l.person IN (SELECT person FROM neighbours_relations)
            """)
        var result: [PersonID: Int64] = [:]
        for row in rows {
            guard let person = row.person("person"), let arrived = row.integer("arrived") else {
                continue
            }
            result[person] = max(result[person] ?? arrived, arrived)
        }
        return result
    }

    /// The person a command names: by the whole key, or by the first digits of a mate's.
    /// - Throws: ``CommandFault`` usage, conflict where several keys begin so, or notFound.
    public func person(_ text: String, field: String) async throws -> PersonID {
        if let person = PersonID(text) { return person }
        guard text.count >= Self.suffixDigitsMin, text.allSatisfy(\.isHexDigit) else {
            throw CommandFault.usage(
                "A person is named by their key, 64 hexadecimal digits, or by its first "
                    + "\(Self.suffixDigitsMin) or more; see 'mates list'.", field: field)
        }
        let matching = try await mates().map(\.person)
            .filter { $0.description.hasPrefix(text.lowercased()) }
        guard let person = matching.first else {
            throw CommandFault.notFound("No mate's key begins with \(text); see 'mates list'.")
        }
        guard matching.count == 1 else {
            throw CommandFault.conflict("Several mates' keys begin with \(text); give more digits.")
        }
        return person
    }

    /// The fewest digits of a key that may stand for it.
    static let suffixDigitsMin = 6
}
