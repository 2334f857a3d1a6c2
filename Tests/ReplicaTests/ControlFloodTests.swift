import Records
import Testing

@testable import Replica

/// Members who write megabytes of control operations: only those that can have an effect are kept
/// in memory.
struct ControlFloodTests {
    private let homes = Homes()
    private let owner: Someone
    private let mate: Someone
    private let others: [Someone]
    private let space: SpaceDescriptor

    init() throws {
        owner = try Someone(seed: 31)
        mate = try Someone(seed: 32, deviceCount: 2)
        others = try (33...36).map { try Someone(seed: $0) }
        space = .group(owner: owner.person, nonce: .zero)
    }

    private func replica(_ home: Home, in space: SpaceDescriptor? = nil) async throws -> Replica {
        try await home.replica(
            of: owner.key, knowing: [owner, mate] + others, in: [space ?? self.space],
            collections: [.shared])
    }

    private func granting(_ role: Role) throws -> Author {
        var author = Author(owner.key, in: space)
        try author.write([Operation(control: .grant(mate.person, role))], at: now)
        return author
    }

    private func facts(_ replica: Replica, _ space: SpaceDescriptor? = nil) -> Int {
        replica.states[(space ?? self.space).id]?.facts.count ?? -1
    }

    private func accepts(_ count: Int) -> [Operation] {
        Array(repeating: Operation(control: .accept), count: count)
    }

    @Test func `one accept of a log is kept, however many arrive, also after a start`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        var log = Author(mate.key, in: space)
        for number in 0..<20 {
            try log.write(accepts(4096), at: now + .milliseconds(number + 1))
        }
        try await replica.merge([try granting(.writer), log])
        #expect(facts(replica) == 2)
        #expect(await replica.members(in: space.id).allSatisfy { $0.state == .member })
        #expect(await replica.membership(of: space.id)?.epoch == 2)
        try await replica.close()
        let again = try home.replica(owner.key, collections: [.shared])
        #expect(facts(again) == 2)
        #expect(await again.membership(of: space.id)?.epoch == 2)
    }

    @Test func `an accept before a fork is enough for both sides`() async throws {
        var shared = Author(mate.key, in: space)
        try shared.write(accepts(1), at: now + .milliseconds(1))
        var (left, right) = (shared, shared)
        for number in 0..<3 {
            try left.write(accepts(2), at: now + .milliseconds(10 + number))
            try right.write(accepts(3), at: now + .milliseconds(20 + number))
        }
        for order in [[left, right], [right, left]] {
            let replica = try await replica(try homes.make())
            try await replica.merge([try granting(.writer)] + order)
            #expect(facts(replica) == 2)
            #expect(await replica.membership(of: space.id)?.epoch == 2)
        }
    }

    @Test func `grants of a writer are not kept, and count once the writer is made an owner`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        var grants = try granting(.writer)
        var log = Author(mate.key, in: space)
        try log.write(accepts(1), at: now + .milliseconds(1))
        for number in 0..<50 {
            try log.write(
                others.map { Operation(control: .grant($0.person, .reader)) },
                at: now + .milliseconds(2 + number))
        }
        try await replica.merge([grants, log])
        #expect(facts(replica) == 2)
        #expect(await replica.members(in: space.id).count == 2)
        let number = grants.batches.count
        try grants.write(
            [Operation(control: .grant(mate.person, .owner))], at: now + .milliseconds(100))
        _ = try await replica.merge(
            [(space.id, grants.run(number..<number + 1))], wallTime: now)
        #expect(await replica.members(in: space.id).count == 2 + others.count)
        #expect(facts(replica) == 3 + 50 * others.count)
        let summary = await replica.spaces()
        try await replica.close()
        let again = try home.replica(owner.key, collections: [.shared])
        #expect(await again.spaces() == summary)
        #expect(facts(again) == 3 + 50 * others.count)
    }

    @Test(arguments: [0, 1])
    func `as many grants of a batch count as the limit allows, and not one more`(over: Int)
        async throws
    {
        let replica = try await replica(try homes.make())
        var author = Author(owner.key, in: space)
        let first = Operation(control: .grant(mate.person, .writer))
        let last = Operation(control: .grant(others[0].person, .writer))
        let filling = Limits.controlOperationsMax - 1 + over
        try author.write(Array(repeating: first, count: filling) + [last], at: now)
        try await replica.merge([author])
        #expect(await replica.members(in: space.id).count == 3 - over)
        #expect(facts(replica) == Limits.controlOperationsMax)
    }

    @Test func `outside groups only cuts of oneself are kept, at most 64 of a log`() async throws {
        let pair = SpaceDescriptor.between(owner.person, mate.person)
        let home = try homes.make()
        let replica = try await replica(home, in: pair)
        var (one, two) = (Author(mate.devices[0], in: pair), Author(mate.devices[1], in: pair))
        for number in 0..<100 {
            try two.write([two.create(UInt8(number)).operation], at: now + .milliseconds(number))
        }
        for number in 0..<100 {
            let head = two.batches[number]
            try one.write(
                accepts(20) + [
                    Operation(control: .grant(mate.person, .owner)),
                    Operation(
                        control: .cut(
                            mate.person,
                            [
                                LogHead(
                                    log: two.log, number: head.header.number, hash: head.hash)
                            ])),
                ], at: now + .milliseconds(1000 + number))
        }
        try await replica.merge([two, one])
        #expect(facts(replica, pair) == Limits.ownCutsMax)
        #expect(
            await replica.heads(in: pair.id).map(\.high).sorted()
                == [UInt64(Limits.ownCutsMax), 100])
        let summary = await replica.spaces()
        try await replica.close()
        let again = try home.replica(owner.key, collections: [.shared])
        #expect(facts(again, pair) == Limits.ownCutsMax)
        #expect(await again.spaces() == summary)
    }
}
