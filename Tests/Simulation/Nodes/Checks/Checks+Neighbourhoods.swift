internal import FeaturesAPI
internal import PluginKit
internal import Records
internal import Replica
internal import TestSupport

// Neighbourhoods: what mates write there is equal at both, and nothing stays of one that was left.
extension Checks {
    /// A post, as a node shows it.
    private struct Post: Hashable {
        let entity: EntityID
        let text: String?
        let creator: PersonID
    }

    /// Checks what a person's first device holds of the neighbourhood.
    func neighbourhood(of person: SimulatedPerson, blocked: Set<PersonID>) async throws {
        let posts = try await posts(at: person)
        guard try await isJoined(by: person) else {
            let isOpen = await person.node.replica?.descriptor(of: Neighbour.space.id) != nil
            if !posts.isEmpty || isOpen {
                world.violated("\(person.node.name) holds a neighbourhood that it left")
            }
            return
        }
        world.count("neighbourhoods at rest")
        for post in posts where blocked.contains(post.creator) {
            world.violated("\(person.node.name) holds a post of a person it blocked")
        }
        // Own posts that were dated years ahead or back expire, or are held by others.
        guard !person.ledger.isVoid, !person.wasFarOff else { return }
        let texts = Set(posts.filter { $0.creator == person.id }.compactMap(\.text))
        let lost = person.neighbour.texts.subtracting(texts)
        for _ in texts { world.count("own neighbourhood posts at rest") }
        if !lost.isEmpty {
            world.violated("\(person.node.name) lost own posts: \(lost.sorted())")
        }
    }

    /// Checks that two mates who joined the neighbourhood see the same posts of each other. Posts
    /// of a lost device that was removed stay with those who had them by then.
    func posts(of one: SimulatedPerson, and other: SimulatedPerson) async throws {
        guard try await isJoined(by: one), try await isJoined(by: other) else { return }
        let both = [one, other].filter { !$0.neighbour.hasLeft && !$0.cameBack }
            .map(\.id)
        let mine = try await posts(at: one).filter { both.contains($0.creator) }
        let theirs = try await posts(at: other).filter { both.contains($0.creator) }
        for _ in mine { world.count("neighbourhood posts compared") }
        guard mine != theirs else { return }
        let odd = mine.symmetricDifference(theirs).compactMap(\.text).sorted()
        let (here, there) = (await logs(of: both, at: one), await logs(of: both, at: other))
        world.violated(
            "\(one.node.name) and \(other.node.name) see different posts of each other: \(odd), "
                + "of \(here) and of \(there)")
    }

    /// Returns the logs of people that a node offers, for the report of a violation.
    private func logs(of authors: [PersonID], at person: SimulatedPerson) async -> [String] {
        guard let replica = person.node.replica else { return [] }
        let use = await replica.use(of: Neighbour.space.id, wallTime: world.now)
        let waiting = (use?.overAllowance ?? []).map { "\($0.log.device.suffix) waits" }
        let devices = people.filter { authors.contains($0.id) }.flatMap(\.keys)
        let offered = replica.offer(of: Neighbour.space.id)?.logs ?? []
        return waiting
            + offered.filter { devices.contains($0.log.device) }.map {
                "\($0.log.device.suffix) \($0.low) to \($0.high)"
            }
    }

    private func isJoined(by person: SimulatedPerson) async throws -> Bool {
        let listed = try await person.node.call(NeighbourhoodCommands.list)
        return !listed.neighbourhoods.isEmpty
    }

    private func posts(at person: SimulatedPerson) async throws -> Set<Post> {
        let rows = try await person.node.rows(
            """
            SELECT b.entity AS entity, b.text AS text, b.creator AS creator FROM board_post b
            JOIN waggle_space s ON s.space = b.space WHERE s.id = ?
            """, [.bytes(Neighbour.space.id.bytes)])
        return Set(
            rows.compactMap { row in
                guard let entity = row.entity("entity"), let creator = row.person("creator") else {
                    return nil
                }
                return Post(entity: entity, text: row.text("text"), creator: creator)
            })
    }
}
