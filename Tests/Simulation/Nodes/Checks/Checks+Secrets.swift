internal import PluginKit
internal import Records
internal import Replica
internal import TestSupport

// Data that was not meant for a person.
extension Checks {
    /// Checks that no device of a person holds data that was not meant for them.
    func secrets(heldBy holder: SimulatedPerson) async throws {
        for node in holder.nodes {
            guard let replica = node.replica else { continue }
            for space in await replica.spaces() where space.batches > 0 {
                let heads = await replica.heads(in: space.id)
                for owner in people where owner !== holder {
                    let keys = owner.keys
                    let theirs = heads.filter { keys.contains($0.log.device) }
                    guard !theirs.isEmpty else { continue }
                    try await check(theirs, of: space.descriptor, from: owner, at: node)
                }
            }
        }
    }

    private func check(
        _ heads: [LogState], of space: SpaceDescriptor, from owner: SimulatedPerson,
        at node: SimulatedNode
    ) async throws {
        let text = "\(node.name) holds \(space.kind) batches of \(owner.node.name)"
        switch space {
        case .own: world.violated(text)
        case .pair(let one, let other):
            if node.person != one, node.person != other { world.violated(text) }
        case .card:
            if !owner.ledger.accepted.contains(node.person) {
                world.violated(text + ", who never accepted them")
            }
        default: break
        }
        guard let limits = try await limits(of: owner, for: node.person, in: space) else { return }
        for head in heads where head.high > limits[head.log.device] ?? 0 {
            world.violated(
                text + " up to \(head.high), and nothing after \(limits[head.log.device] ?? 0) was "
                    + "for them")
        }
    }

    /// Returns how far another person's copy of a space may reach after a person stopped sharing it
    /// with them; nil if it is shared, or if that is unknown.
    ///
    /// Until another device of the person knows of the parting, it may send what it has. For
    /// example, Ann ends the mateship on her laptop while her phone is away. The phone, which has 7
    /// batches of her card, meets Ben: he may have 7. Once the phone knows, no more may be added.
    private func limits(
        of owner: SimulatedPerson, for other: PersonID, in space: SpaceDescriptor
    ) async throws -> [DeviceID: UInt64]? {
        guard var limits = owner.ledger.sealed[other]?[space.id] else { return nil }
        for second in owner.seconds where second.node.hasPerson {
            guard
                let reaches = try await reaches(
                    of: second, for: other, in: space, ledger: owner.ledger)
            else { return nil }
            limits.merge(reaches) { max($0, $1) }
        }
        return limits
    }

    /// Returns how far a second device's logs reached when it knew that its person had parted from
    /// another, or how far they reach now if it does not know; nil if it does not run.
    private func reaches(
        of second: SecondDevice, for other: PersonID, in space: SpaceDescriptor, ledger: Ledger
    ) async throws -> [DeviceID: UInt64]? {
        let place = second.node.place
        if let known = ledger.known(at: place, partedFrom: other, space.id) { return known }
        guard let replica = second.node.replica else { return nil }
        let knows = try await isParted(second.node, from: other, sharing: space.kind)
        let reaches = Dictionary(
            await replica.heads(in: space.id).map { ($0.log.device, $0.high) },
            uniquingKeysWith: max)
        // A removed device may be sent nothing, and still has what it has.
        if knows, second.removal == nil {
            ledger.learns(place, partedFrom: other, space.id, reaches)
        }
        return reaches
    }

    /// Whether a node knows that its person shares a kind of space with another no more.
    private func isParted(
        _ node: SimulatedNode, from other: PersonID, sharing kind: SpaceKind
    ) async throws -> Bool {
        let blocked = try await node.rows(
            "SELECT 1 FROM neighbours_blocked WHERE person = ?", [.bytes(other.bytes)])
        guard kind == .card, blocked.isEmpty else { return !blocked.isEmpty }
        return try await !node.rows(
            """
            SELECT 1 FROM neighbours_pairs WHERE person = ? AND is_over
            """, [.bytes(other.bytes)]
        ).isEmpty
    }
}
