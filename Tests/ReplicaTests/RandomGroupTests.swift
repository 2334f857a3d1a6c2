import Records
import Replica
import TestSupport
import Testing

/// Groups whose members act at random and rarely exchange batches.
struct RandomGroupTests {
    private let homes = Homes()

    @Test(arguments: UInt64(1)...24)
    func `replicas are equal in the end, for any actions of members while apart`(
        seed: UInt64
    ) async throws {
        var draw = SeededGenerator(seed: seed)
        let people = try (0..<4).map {
            try Someone(seed: seed &* 10 &+ UInt64($0), deviceCount: $0 == 1 ? 2 : 1)
        }
        let group = try await Group(of: people, in: homes)
        try await group.join([])
        for step in 0..<draw.number(20...40) {
            try await act(group, step, &draw)
        }
        try await Replica.settle(group.space, group.replicas, at: now + .milliseconds(1000))
        try await group.expectEqual(nil, "seed \(seed)")
        try await receiveLater(group, seed, &draw)
    }

    /// Makes one member act, or receive what another wrote.
    private func act(_ group: Group, _ step: Int, _ draw: inout SeededGenerator) async throws {
        let index = draw.number(0...group.replicas.count - 1)
        let wall = now + .milliseconds(step + draw.number(-20...20))
        let other = group.person(draw.number(0...3))
        let role = [Role.reader, .writer, .writer, .owner, .owner][draw.number(0...4)]
        do {
            switch draw.number(0...19) {
            case 0...3: try await group.write(index, "\(step)", at: wall)
            case 4...6: try await group.control(index, [.grant(other, role)], at: wall)
            case 7, 8: try await group.control(index, [.accept], at: wall)
            case 9, 10: try await group.control(index, [.cut(other)], at: wall)
            case 11: try await group.control(index, [.cut(other), .grant(other, role)], at: wall)
            case 12: if draw.chance(30) { try await group.control(index, [.leave], at: wall) }
            default:
                let to = draw.number(0...group.replicas.count - 1)
                if to != index { try await group.copy(index, to: to, at: wall) }
            }
        } catch is EditFault, is BatchFault {
            // Most random actions are not permitted at that moment.
        }
    }

    /// Replicas that receive everything later, in other orders and pieces, are equal, also after a
    /// rebuild and a restart.
    private func receiveLater(
        _ group: Group, _ seed: UInt64, _ draw: inout SeededGenerator
    ) async throws {
        let home = try homes.make()
        let late = try await home.replica(
            of: group.people[0].key, knowing: group.people, in: [group.space],
            collections: [.shared])
        for source in group.replicas.shuffled(using: &draw) {
            try await source.copy(
                group.space, to: late, at: now + .milliseconds(1000),
                bytesMax: draw.number(1...3000))
        }
        try await Replica.settle(group.space, [late, group[0]], at: now + .milliseconds(1000))
        let (dump, summaries) = (try await Dump(group[0], .shared), await group[0].spaces())
        #expect(try await Dump(late, .shared) == dump, "seed \(seed)")
        #expect(await late.spaces() == summaries, "seed \(seed)")
        try await late.rebuild(group.space.id)
        #expect(try await Dump(late, .shared) == dump, "seed \(seed)")
        let reopened = try home.replica(group.people[0].key, collections: [.shared])
        #expect(await reopened.spaces() == summaries, "seed \(seed)")
        #expect(await reopened.members(in: group.space.id) == group[0].members(in: group.space.id))
    }
}
