internal import FeaturesAPI
internal import Identity
internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica
internal import TestSupport

/// The checks at any time and at rest.
struct Checks {
    let people: [SimulatedPerson]
    let world: World
    /// The collections of the nodes' plugins.
    let collections: [RecordCollection]
    /// Whether these people show each other photos, look for company and record walks.
    var usesAllPlugins = false

    /// The highest number of links to people who are not mates.
    private static let strangersMax = 8

    // MARK: - At any time

    /// Checks the promises that no fault may break, on every running node.
    func atAnyTime() async {
        for person in people where person.node.isUp {
            do {
                try await acknowledged(by: person)
                try await secrets(heldBy: person)
                try await links(of: person)
            } catch is NodeIsGone {
                continue
            } catch {
                world.violated("\(person.node.name) cannot be looked at: \(error)")
            }
        }
        if usesAllPlugins { await recordings() }
    }

    /// Checks that acknowledged actions of a person are stored.
    private func acknowledged(by person: SimulatedPerson) async throws {
        guard !person.ledger.isVoid else { return }
        let marks = person.ledger.marks
        let now = Dictionary(
            try await person.ownMarks().map { ($0.space, $0) }, uniquingKeysWith: { $1 })
        for mark in marks {
            let reached = now[mark.space]
            if reached == nil || reached.map({ $0.number < mark.number }) == true
                || reached?.number == mark.number && reached?.hash != mark.hash
            {
                world.violated("\(person.node.name) lost acknowledged batches of \(mark.space)")
            }
        }
        try await profile(of: person)
        try await walks(of: person)
    }

    private func profile(of person: SimulatedPerson) async throws {
        let before = person.ledger.profile
        let shown = JSONValue(encoding: try await person.node.call(ProfileCommands.show))
        let after = person.ledger.profile
        for (field, values) in before {
            let value = shown[field] ?? .null
            guard !values.contains(value), !(after[field] ?? []).contains(value) else { continue }
            world.violated("\(person.node.name) shows \(field) \(value), told were \(values)")
        }
    }

    private func walks(of person: SimulatedPerson) async throws {
        let (asked, answered) = (person.ledger.walks, person.ledger.answers)
        var answers: [String: String?] = [:]
        for row in try await person.node.rows("SELECT entity, answer FROM neighbours_walk") {
            guard let id = row.entity("entity") else { continue }
            answers[id.description] = row.text("answer")
        }
        for walk in asked where answers[walk] == nil {
            world.violated("\(person.node.name) lost the walk request \(walk)")
        }
        for (walk, told) in answered where answers[walk] != told.answer {
            // Changes of a removed device that only mates had by then do not count.
            if answers[walk] == nil, hasRemovedAsker(of: walk, told.asker) { continue }
            world.violated("\(person.node.name) answered \(walk) and the answer is gone")
        }
    }

    /// Whether a person removed the device on which they asked for a walk: a lost one by words, or
    /// a second one, perhaps while it was linked to others and not to the one that removed it.
    private func hasRemovedAsker(of walk: String, _ person: PersonID) -> Bool {
        people.contains { one in
            one.id == person
                && (!one.lostDevices.isEmpty
                    || one.seconds.contains { $0.removal != nil && $0.walks.contains(walk) })
        }
    }

    /// Checks that no node has links to everyone.
    private func links(of person: SimulatedPerson) async throws {
        let rows = try await person.node.rows("SELECT person FROM neighbours_relations")
        // Another device of the person is no stranger.
        let known = Set(rows.compactMap { $0.person("person")?.description })
            .union([person.id.description])
        let status = try await person.node.call(NodeCommands.status)
        var strangers = status.links.map(\.person.string).filter { !known.contains($0) }
        if strangers.count > Self.strangersMax, person.cameBack {
            strangers = try await strangers.asyncFilter { try await !isNamed(person, by: $0) }
        }
        if strangers.count > Self.strangersMax {
            let people = people.filter { strangers.contains($0.id.description) }
            world.violated(
                "\(person.node.name) has links to \(strangers.count) strangers, among them "
                    + "\(people.map(\.node.name))")
        }
    }

    /// Whether another person still has a relation with this one. A person who came back keeps the
    /// links with such people.
    private func isNamed(_ person: SimulatedPerson, by other: String) async throws -> Bool {
        guard let other = people.first(where: { $0.id.description == other }) else { return false }
        return try await !other.node.rows(
            "SELECT 1 FROM neighbours_relations WHERE person = ?", [.bytes(person.id.bytes)]
        ).isEmpty
    }

    // MARK: - At rest

    /// Checks the promises that must hold some time after the last fault.
    func atRest() async {
        do {
            let standings = try await standings()
            let here = people.filter { !$0.hasLeft }
            for person in here {
                try await refusal(by: person, of: standings[person.id]?.blocked ?? [])
                await removals(by: person)
                if usesAllPlugins {
                    try await recordedWalks(of: person)
                    try await neighbourhood(
                        of: person, blocked: standings[person.id]?.blocked ?? [])
                }
            }
            if usesAllPlugins {
                try await matches()
                for person in here { try await lookAtWays(of: person) }
            }
            let looked = world.time.now
            for (index, one) in here.enumerated() {
                for other in here[(index + 1)...] {
                    try await compare(one, other, standings)
                }
            }
            guard usesAllPlugins else { return }
            try await world.time.sleep(
                for: max(.zero, looked + Self.fetchTime - world.time.now))
            for person in here { try await ways(of: person) }
        } catch {
            world.violated("nodes at rest cannot be looked at: \(error)")
        }
    }

    /// Checks that blocked people have no link.
    private func refusal(by person: SimulatedPerson, of blocked: Set<PersonID>) async throws {
        let status = try await person.node.call(NodeCommands.status)
        for link in status.links where blocked.contains(PersonID(link.person)) {
            world.violated("\(person.node.name) has a link to a person it blocked")
        }
        for _ in blocked { world.count("blocks at rest") }
    }

    /// Checks that the devices that a person removed by recovery words are removed.
    private func removals(by person: SimulatedPerson) async {
        let removed = person.removedByWords
        guard !removed.isEmpty else { return }
        let record = await person.node.replica?.personRecord(person.id)
        world.count("removals by words at rest")
        if record?.removedDevices.isSuperset(of: removed) != true {
            world.violated("\(person.node.name) lists a lost device that it removed by words")
        }
    }

    private struct Standing {
        var states: [PersonID: String] = [:]
        var blocked: Set<PersonID> = []
    }

    private func standings() async throws -> [PersonID: Standing] {
        var standings: [PersonID: Standing] = [:]
        for person in people where !person.hasLeft {
            var standing = Standing()
            for row in try await person.node.rows(
                "SELECT person, pair_state FROM neighbours_relations")
            {
                guard let other = row.person("person") else { continue }
                standing.states[other] = row.text("pair_state")
            }
            for row in try await person.node.rows("SELECT person FROM neighbours_blocked") {
                if let other = row.person("person") { standing.blocked.insert(other) }
            }
            standings[person.id] = standing
        }
        return standings
    }

    private func compare(
        _ one: SimulatedPerson, _ other: SimulatedPerson, _ standings: [PersonID: Standing]
    ) async throws {
        guard let mine = standings[one.id], let theirs = standings[other.id],
            !mine.blocked.contains(other.id), !theirs.blocked.contains(one.id)
        else { return }
        // Records dated years ahead are held, so the two may differ for years.
        let isFar = one.wasFarOff || other.wasFarOff
        let states = (mine.states[other.id] ?? "none", theirs.states[one.id] ?? "none")
        // A mateship that is newer than a restored backup is known only to the other side.
        let isForgotten = one.ledger.isVoid || other.ledger.isVoid
        let names = "\(one.node.name) and \(other.node.name)"
        if !isFar, !isForgotten, (states.0 == "mate") != (states.1 == "mate") {
            world.violated("\(names) do not agree: \(states.0) and \(states.1)")
        }
        if !isFar, !isForgotten, states.0 == "ending" || states.1 == "ending" {
            world.violated("\(names) have an end that was not told: \(states)")
        }
        if !isFar { checkReturn(of: one, to: other, states) }
        if !isFar { checkReturn(of: other, to: one, (states.1, states.0)) }
        guard states == ("mate", "mate") else { return }
        world.count("mateships at rest")
        for space in [SpaceDescriptor.between(one.id, other.id), .card(one.id), .card(other.id)] {
            try await compare(space, at: one, other, rowsToo: !isFar)
        }
        await devices(of: one, knownTo: other)
        await devices(of: other, knownTo: one)
        if usesAllPlugins, !isFar {
            try await posts(of: one, and: other)
            try await photos(of: one, and: other)
            try await sharedWalks(of: one, with: other)
            try await sharedWalks(of: other, with: one)
        }
    }

    /// Checks that a person who came back by recovery words is the mate of everyone who says so.
    private func checkReturn(
        of person: SimulatedPerson, to mate: SimulatedPerson, _ states: (String, String)
    ) {
        guard person.cameBack, !mate.ledger.isVoid, states.1 == "mate" else { return }
        world.count("mateships looked for after a return")
        if states.0 != "mate" {
            world.violated(
                "\(person.node.name) came back and is no mate of \(mate.node.name): \(states.0)")
        }
    }

    /// Checks that a person's mate knows which devices the person added and removed.
    private func devices(of person: SimulatedPerson, knownTo mate: SimulatedPerson) async {
        let mine = await person.node.replica?.personRecord(person.id)
        let theirs = await mate.node.replica?.personRecord(person.id)
        for _ in theirs?.removedDevices ?? [] { world.count("removals known to mates") }
        guard mine?.entries != theirs?.entries else { return }
        world.violated("\(mate.node.name) does not know the devices of \(person.node.name)")
    }

    /// Checks that two replicas of a space hold the same batches and the same rows.
    private func compare(
        _ space: SpaceDescriptor, at one: SimulatedPerson, _ other: SimulatedPerson, rowsToo: Bool
    ) async throws {
        let names = "\(one.node.name) and \(other.node.name)"
        let mine = await one.node.replica?.digest(of: space.id)
        let theirs = await other.node.replica?.digest(of: space.id)
        guard mine == theirs, mine != nil else {
            return world.violated("\(names) hold different batches of a \(space.kind) space")
        }
        guard rowsToo else { return }
        for collection in collections where collection.spaces.contains(space.kind) {
            let left = try await rows(of: collection, in: space, at: one)
            let right = try await rows(of: collection, in: space, at: other)
            for _ in left { world.count("rows compared") }
            if left != right {
                world.violated("\(names) hold different rows in \(collection.table)")
            }
        }
    }

    /// Returns a collection's rows of a space, without values that are local to a replica.
    private func rows(
        of collection: RecordCollection, in space: SpaceDescriptor, at person: SimulatedPerson
    ) async throws -> Set<Row> {
        let fields = collection.fields.filter { $0.merge != .addWinsSet }.map(\.name)
        let columns = (["entity", "creator", "stamp", "number"] + fields).map { "t.\"\($0)\"" }
        let rows = try await person.node.rows(
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(collection.table) t
            JOIN waggle_space s ON s.space = t.space WHERE s.id = ?
            """, [.bytes(space.id.bytes)])
        return Set(rows)
    }
}
