import Identity
import Records
import Testing

@testable import Replica

/// The cost of groups to which this replica's person was invited and which they have not joined.
struct InvitedGroupTests {
    private let homes = Homes()
    private let inviter: Someone
    private let me: Someone
    private let writers: [Someone]
    private let groups: [SpaceDescriptor]

    init() throws {
        let inviter = try Someone(seed: 701)
        self.inviter = inviter
        me = try Someone(seed: 702)
        writers = try (0..<3).map { try Someone(seed: 710 + $0) }
        groups = (1...2).map { number in
            .group(
                owner: inviter.person,
                nonce: Bytes16([UInt8](repeating: UInt8(number), count: 16)) ?? .zero)
        }
    }

    /// Opens a replica in the groups, whose owner granted roles to me and the writers.
    private func replica(_ quota: StorageQuota = StorageQuota()) async throws -> Replica {
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, inviter] + writers, in: [.own(me.person)] + groups,
            quota: quota)
        for group in groups {
            var grants = Author(inviter.key, in: group)
            try grants.write(
                ([me] + writers).map { Operation(control: .grant($0.person, .writer)) }, at: now)
            try await replica.merge([grants])
        }
        return replica
    }

    /// A batch of about 60 000 bytes by each writer in each group.
    private func runs() throws -> [(SpaceID, Run)] {
        try groups.flatMap { group in
            try writers.map { writer in
                var filler = Filler(writer.key, in: group)
                try filler.write()
                return filler.run(0)
            }
        }
    }

    /// Merges runs one after another.
    /// - Returns: the number that was stored.
    private func store(_ runs: [(SpaceID, Run)], in replica: Replica) async throws -> Int {
        var count = 0
        for run in runs {
            let faults = try await replica.merge([run], wallTime: now).faults
            #expect(faults.values.allSatisfy { $0 == .noRoom(run.1.log.device) })
            if faults.isEmpty { count += 1 }
        }
        return count
    }

    @Test func `all writers of all groups of one inviter have the room of one author`()
        async throws
    {
        let replica = try await replica(StorageQuota(authorBytesMax: 130_000))
        #expect(await replica.groupsNotJoined() == Set(groups.map(\.id)))
        await replica.charge([groups[0].id: inviter.person, groups[1].id: inviter.person])
        let runs = try runs()
        #expect(try await store(runs, in: replica) == 2)
        let together = try await replica.merge(runs, wallTime: now)
        #expect(together.faults.count == 4)

        try await replica.control([.accept], in: groups[0].id, wallTime: now)
        #expect(await replica.groupsNotJoined() == [groups[1].id])
        await replica.charge([groups[1].id: inviter.person])
        #expect(try await store(runs, in: replica) == 5)
    }

    @Test func `several runs of one step in two groups share the room too`() async throws {
        let replica = try await replica(StorageQuota(authorBytesMax: 130_000))
        await replica.charge([groups[0].id: inviter.person, groups[1].id: inviter.person])
        let runs = try runs()
        let outcome = try await replica.merge([runs[0], runs[3], runs[1], runs[4]], wallTime: now)
        #expect(Set(outcome.faults.keys) == [2, 3])
    }

    @Test func `one inviter's full room delays no group of another`() async throws {
        let replica = try await replica(StorageQuota(authorBytesMax: 70_000))
        await replica.charge([groups[0].id: inviter.person, groups[1].id: writers[0].person])
        #expect(try await store(try runs(), in: replica) == 2)
    }

    @Test func `who left after joining has joined, and who declined has not`() async throws {
        let replica = try await replica()
        let wall = now + .milliseconds(10)
        try await replica.control([.accept], in: groups[0].id, wallTime: wall)
        for group in groups {
            try await replica.control([.leave], in: group.id, wallTime: wall)
        }
        #expect(await replica.groupsNotJoined() == [groups[1].id])
    }

    @Test func `the work of every writer is charged to the inviter`() {
        let space = SpaceState(number: 1, descriptor: groups[0])
        let all = MergeWork.Need(movedCount: RebuildDebt.unitsMax)
        let little = MergeWork.Need(movedCount: 1)
        for inviters in [[:], [space.id: inviter.person]] {
            var work = MergeWork(pace: RebuildPace(), inviters: inviters, wallTime: now)
            let isFirstDone = work.charge(writers[0].person, all, of: space)
            var next = MergeWork(pace: work.pace, inviters: inviters, wallTime: now)
            let isSecondDone = next.charge(writers[1].person, little, of: space)
            #expect(isFirstDone)
            #expect(isSecondDone == inviters.isEmpty)
        }
    }

    @Test func `fewer people become known, and all of them once the group is joined`()
        async throws
    {
        let group = groups[0]
        let people = try (0..<Limits.invitedGroupPeopleMax + 6).map {
            try Someone(seed: 20_000 + UInt64($0))
        }
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me, inviter], in: [.own(me.person), group])
        var grants = Author(inviter.key, in: group)
        try grants.write(
            ([me] + people).map { Operation(control: .grant($0.person, .writer)) }, at: now)
        try await replica.merge([grants])
        await replica.charge([group.id: inviter.person])
        for someone in people {
            try await replica.learn([ClaimedPersonRecord(someone.record)])
            var filler = Filler(someone.key, in: group)
            try filler.write(bytes: 100)
            _ = try await replica.merge([filler.run(0)], wallTime: now)
        }
        #expect(await known(people, replica) == Limits.invitedGroupPeopleMax)
        try await replica.control([.accept], in: group.id, wallTime: now)
        await replica.charge([:])
        try await replica.learn(people.map { ClaimedPersonRecord($0.record) })
        #expect(await known(people, replica) == people.count)
    }

    private func known(_ people: [Someone], _ replica: Replica) async -> Int {
        var count = 0
        for someone in people where await replica.person(of: someone.device) != nil { count += 1 }
        return count
    }
}
