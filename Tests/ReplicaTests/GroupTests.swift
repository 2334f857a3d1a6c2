import Records
import Replica
import Testing

/// Groups: the rights of members, and their effect on every replica.
struct GroupTests {
    private let homes = Homes()

    private func group(_ count: Int, _ roles: [Role]) async throws -> Group {
        let people = try (0..<count).map { try Someone(seed: UInt64($0) + 40) }
        let group = try await Group(of: people, in: homes)
        try await group.join(roles)
        return group
    }

    @Test func `an invited person sees the space, accepts and writes`() async throws {
        let group = try await group(3, [])
        try await group.write(0, "hello")
        #expect(try await group.copy(0, to: 1).isEmpty)
        #expect(await group[1].members(in: group.space.id).map(\.person) == [group.person(0)])
        try await group.control(0, [.grant(group.person(1), .writer)])
        try await group.copy(0, to: 1)
        #expect(try await group.titles(1) == ["hello"])
        await #expect(throws: BatchFault.notAccepted) { try await group.write(1, "too soon") }
        try await group.control(1, [.accept])
        try await group.write(1, "mine")
        try await group.settle()
        #expect(try await group.titles(0) == ["hello", "mine"])
        try await group.expectEqual()
        #expect(await group[0].spaces()[0].void == 0)
    }

    @Test func `a person without a grant cannot write and is refused`() async throws {
        let group = try await group(3, [.writer])
        await #expect(throws: BatchFault.notAMember(group.people[2].device)) {
            try await group.write(2, "mine")
        }
        var author = Author(group.people[2].key, in: group.space)
        try author.write([author.create(1, .shared).operation], at: now)
        let outcome = try await group[0].merge([author])
        #expect(outcome.faults == [0: .notAMember(group.people[2].device)])
    }

    @Test func `batches written before accepting count once the person accepts`() async throws {
        let group = try await group(2, [])
        try await group.control(0, [.grant(group.person(1), .writer)])
        var author = Author(group.people[1].key, in: group.space)
        let note = author.create(1, .shared)
        try author.write([note.operation], at: now + .milliseconds(1))
        try author.write([Operation(control: .accept)], at: now + .milliseconds(2))
        _ = try await group[0].merge(
            [(group.space.id, author.run(0..<1))], wallTime: now)
        #expect(try await Dump(group[0], .shared).lines.isEmpty)
        #expect(await group[0].spaces()[0].void == 1)
        let outcome = try await group[0].merge(
            [(group.space.id, author.run(1..<2))], wallTime: now)
        #expect(outcome.faults.isEmpty)
        #expect(try await Dump(group[0], .shared).lines.count == 1)
        #expect(await group[0].spaces()[0].void == 0)
    }

    @Test func `a reader's edit is refused, and a batch they write anyway is void`() async throws {
        let group = try await group(2, [])
        try await group.control(0, [.grant(group.person(1), .reader)])
        var author = Author(group.people[1].key, in: group.space)
        try author.write(
            [Operation(control: .accept), author.create(1, .shared).operation],
            at: now + .milliseconds(1))
        try await group[0].merge([author])
        #expect(try await Dump(group[0], .shared).lines.isEmpty)
        #expect(await group[0].spaces()[0].void == 1)
        try await group.settle()
        try await group.expectEqual()
        await #expect(throws: BatchFault.mayOnlyRead) { try await group.write(1, "mine") }
    }

    @Test func `the members are a view of the core`() async throws {
        let group = try await group(4, [.writer, .reader])
        try await group.control(0, [.grant(group.person(3), .owner)])
        try await group.control(0, [.cut(group.person(2))])
        let rows = try await group[0].read(
            "SELECT person, role, state FROM waggle_member", allowedTables: [])
        let words = rows.map { "\($0.text("role") ?? "") \($0.text("state") ?? "")" }
        #expect(
            words.sorted() == [
                "owner invited", "owner member", "reader removed", "writer member",
            ])
        let pair = SpaceDescriptor.between(group.person(0), group.person(1))
        try await group[0].open(pair)
        let writers = try await group[0].read(
            """
            SELECT role FROM waggle_member m JOIN waggle_space s ON s.space = m.space
            WHERE s.id = ?
            """, [.bytes(pair.id.bytes)], allowedTables: [])
        #expect(writers.map { $0.text("role") } == ["writer", "writer"])
    }

    @Test func `headers carry the number of membership changes their author knew`() async throws {
        let group = try await group(2, [.writer])
        try await group.write(0, "third")
        let log = LogName(device: group.people[0].device)
        let run = try await group[0].runs(in: group.space.id, log: log, after: 1, bytesMax: 4096)
        #expect(run?.epoch == 2)
        #expect(try await group.copy(0, to: 1).isEmpty)
        try await group.expectEqual()
    }

    // MARK: Removal

    @Test func `batches of a removed person count up to the cut on every replica, in any order`()
        async throws
    {
        let group = try await group(4, [.writer, .writer, .writer])
        try await group.write(1, "before")
        try await group.copy(1, to: 0)
        try await group.write(1, "later")
        try await group.copy(1, to: 2)
        #expect(try await group.titles(2) == ["before", "later"])
        try await group.control(0, [.cut(group.person(1))])
        try await group.copy(0, to: 3)
        let faults = try await group.copy(1, to: 3)
        #expect(faults == [.beyondCut(group.people[1].device)])
        try await group.copy(0, to: 2)
        try await group.expectEqual([0, 2, 3])
        #expect(try await group.titles(2) == ["before"])
        try await group.copy(0, to: 1)
        try await group.expectEqual()
        await #expect(throws: BatchFault.notAMember(group.people[1].device)) {
            try await group.write(1, "after")
        }
        #expect(await group[1].members(in: group.space.id).first { $0.state == .removed } != nil)
    }

    @Test func `batches beyond a cut are sent to no peer and stay without effect after a restart`()
        async throws
    {
        let people = try [50, 51].map { try Someone(seed: $0) }
        let home = try homes.make()
        let group = try await Group(of: people, in: homes)
        try await group.join([.writer])
        let replica = try await home.replica(
            of: people[0].key, knowing: people, in: [group.space], collections: [.shared])
        try await group.write(1, "one")
        try await group.copy(1, to: 0)
        try await group.write(1, "two")
        // The owner sends a run that ends at the later cut, so its signature proves that batch.
        try await group[0].copy(group.space, to: replica)
        try await group[1].copy(group.space, to: replica)
        #expect(await replica.heads(in: group.space.id).map(\.high).max() == 3)
        try await group.control(0, [.cut(people[1].person)])
        try await group[0].copy(group.space, to: replica)
        let summary = await replica.spaces()
        let reopened = try home.replica(people[0].key, collections: [.shared])
        #expect(await reopened.spaces() == summary)
        #expect(await reopened.spaces() == group[0].spaces())
        let log = LogName(device: people[1].device)
        let run = try await reopened.runs(
            in: group.space.id, log: log, after: 1, bytesMax: 65_536)
        #expect(run?.lastNumber == 2)
        let beyond = try await reopened.runs(
            in: group.space.id, log: log, after: 2, bytesMax: 65_536)
        #expect(beyond == nil)
    }

    @Test func `a run that crosses a cut counts up to it`() async throws {
        let group = try await group(4, [.writer, .writer, .writer])
        try await group.write(1, "one")
        try await group.copy(1, to: 0)
        try await group.control(0, [.cut(group.person(1))])
        try await group.write(1, "two")
        let (space, written) = (group.space.id, LogName(device: group.people[1].device))
        let before = await group[2].heads(in: space).first { $0.log == written }?.high ?? 0
        let run = try await group[1].runs(
            in: space, log: written, after: before, bytesMax: 65_536)
        #expect(run?.batches.count == 2)
        let owner = LogName(device: group.people[0].device)
        let known = await group[2].heads(in: space).first { $0.log == owner }?.high ?? 0
        let cut = try await group[0].runs(in: space, log: owner, after: known, bytesMax: 65_536)
        let runs = try [#require(cut), #require(run)].map { (space, $0) }
        let outcome = try await group[2].merge(runs, wallTime: now)
        #expect(outcome.faults.isEmpty)
        #expect(outcome.heads[1]?.number == before + 1)
        try await group.expectEqual([0, 2])
        #expect(try await group.titles(2) == ["one"])
        #expect(try await group.copy(2, to: 3).isEmpty, "what counts is proven by what follows")
        try await group.expectEqual([2, 3])
    }

    @Test func `if two owners remove a person while apart, the larger cut counts`() async throws {
        let group = try await group(4, [.owner, .writer, .writer])
        try await group.write(2, "one")
        try await group.copy(2, to: 0)
        try await group.write(2, "two")
        try await group.copy(2, to: 1)
        try await group.control(0, [.cut(group.person(2))])
        try await group.control(1, [.cut(group.person(2))])
        try await group.copy(0, to: 3)
        try await group.settle()
        try await group.expectEqual()
        #expect(try await group.titles(3) == ["one", "two"])
    }

    @Test func `a cut by an owner who was removed before is void, and the tail counts again`()
        async throws
    {
        let group = try await group(4, [.owner, .writer, .writer])
        try await group.write(2, "one")
        try await group.settle()
        try await group.write(2, "two")
        try await group.copy(2, to: 3)
        try await group.control(1, [.cut(group.person(2))])
        try await group.copy(1, to: 3)
        #expect(try await group.titles(3) == ["one"])
        try await group.control(0, [.cut(group.person(1))])
        try await group.copy(0, to: 3)
        #expect(try await group.titles(3) == ["one", "two"])
        try await group.settle()
        try await group.expectEqual()
        #expect(
            await group[0].members(in: group.space.id).first {
                $0.person == group.person(2)
            }?.state == .member)
    }

    @Test func `a person granted again writes a new log, and the old cut still counts`()
        async throws
    {
        let group = try await group(3, [.writer, .writer])
        try await group.write(1, "one")
        try await group.settle()
        try await group.control(0, [.cut(group.person(1))])
        try await group.write(1, "lost")
        let again = try await group.control(0, [.grant(group.person(1), .writer)])
        try await group.settle()
        #expect(
            await group[1].members(in: group.space.id).map(\.state) == [.member, .member, .member])
        try await group.write(1, "two")
        try await group.settle()
        try await group.expectEqual()
        #expect(try await group.titles(0) == ["one", "two"])
        let device = group.people[1].device
        let logs = await group[2].heads(in: group.space.id).filter { $0.log.device == device }
        #expect(logs.map(\.log.branch) == [.main, BranchName(raw: again.hash.raw)])
        #expect(logs.map(\.low) == [1, 1])
    }

    @Test func `demoting keeps earlier batches and ends writing`() async throws {
        let group = try await group(3, [.writer, .writer])
        try await group.write(1, "one")
        try await group.settle()
        let reader = group.person(1)
        await #expect(throws: EditFault.demotesWithoutCut(reader)) {
            try await group.control(0, [.grant(reader, .reader)])
        }
        try await group.control(0, [.cut(reader), .grant(reader, .reader)])
        try await group.settle()
        #expect(try await group.titles(2) == ["one"])
        await #expect(throws: BatchFault.mayOnlyRead) { try await group.write(1, "two") }
        #expect(await group[1].members(in: group.space.id).allSatisfy { $0.state == .member })
        try await group.expectEqual()
    }

    // MARK: Leaving

    @Test func `batches of a person who left still count, and accepting again brings them back`()
        async throws
    {
        let group = try await group(3, [.writer, .writer])
        try await group.write(1, "one")
        try await group.control(1, [.leave])
        await #expect(throws: BatchFault.notAMember(group.people[1].device)) {
            try await group.write(1, "two")
        }
        try await group.settle()
        try await group.expectEqual()
        #expect(try await group.titles(2) == ["one"])
        #expect(await group[0].spaces()[0].void == 0)
        try await group.control(0, [.grant(group.person(1), .writer)])
        try await group.settle()
        await #expect(throws: BatchFault.notAccepted) { try await group.write(1, "two") }
        try await group.control(1, [.accept])
        try await group.write(1, "two")
        try await group.settle()
        try await group.expectEqual()
        #expect(try await group.titles(0) == ["one", "two"])
    }

    @Test func `an invitation is declined by leaving`() async throws {
        let group = try await group(2, [])
        try await group.control(0, [.grant(group.person(1), .writer)])
        try await group.copy(0, to: 1)
        try await group.control(1, [.leave])
        try await group.copy(1, to: 0)
        try await group.expectEqual()
        #expect(await group[0].members(in: group.space.id).contains { $0.state == .left })
    }

    @Test func `leaving from a second device names the first one's batches`() async throws {
        let people = [try Someone(seed: 60), try Someone(seed: 61, deviceCount: 2)]
        let group = try await Group(of: people, in: homes)
        try await group.join([.writer])
        try await group.write(1, "one")
        try await group.settle()
        let commit = try await group.control(2, [.leave])
        #expect(commit.number == 2)
        try await group.settle()
        try await group.expectEqual()
        #expect(try await group.titles(0) == ["one"])
        await #expect(throws: BatchFault.notAMember(people[1].device)) {
            try await group.write(1, "two")
        }
    }

    @Test(arguments: [Duration.zero, .seconds(1), .seconds(-1)])
    func `leaving from two devices at once has the same result on every replica`(later: Duration)
        async throws
    {
        let people = [try Someone(seed: 60), try Someone(seed: 61, deviceCount: 2)]
        let group = try await Group(of: people, in: homes)
        try await group.join([.writer])
        try await group.write(1, "one")
        try await group.settle()
        try await group.control(1, [.leave], at: now + .milliseconds(10_000))
        // The other device names only the batches that it knows of the first one's log.
        try await group.control(2, [.leave], at: now + .milliseconds(10_000) + later)
        try await group.settle(at: now + .milliseconds(20_000))
        try await group.expectEqual()
        #expect(try await group.titles(0) == ["one"])
    }

    @Test func `an invited owner accepts and grants in one batch, in this order`() async throws {
        let group = try await group(3, [])
        try await group.control(0, [.grant(group.person(1), .owner)])
        try await group.copy(0, to: 1)
        let third = group.person(2)
        await #expect(throws: EditFault.notAnOwner) {
            try await group.control(1, [.grant(third, .writer), .accept])
        }
        await #expect(throws: EditFault.isMember(group.person(1))) {
            try await group.control(1, [.accept, .accept])
        }
        try await group.control(1, [.accept, .grant(third, .writer)])
        try await group.settle()
        for index in 0...1 {
            let members = await group[index].members(in: group.space.id)
            #expect(members.first { $0.person == third }?.state == .invited)
            #expect(members.first { $0.person == group.person(1) }?.state == .member)
        }
    }

    @Test func `an invited writer may not accept and grant`() async throws {
        let group = try await group(3, [])
        try await group.control(0, [.grant(group.person(1), .writer)])
        try await group.copy(0, to: 1)
        await #expect(throws: EditFault.notAnOwner) {
            try await group.control(1, [.accept, .grant(group.person(2), .reader)])
        }
    }

    // MARK: Refusals

    @Test func `an edit that would be void is refused with its reason`() async throws {
        let group = try await group(5, [.owner, .owner, .writer])
        func fault(_ index: Int, _ edits: [ControlEdit]) async -> EditFault? {
            do {
                try await group.control(index, edits)
            } catch {
                return error as? EditFault
            }
            return nil
        }
        let (owner, peer, writer, stranger) = (
            group.person(0), group.person(2), group.person(3), group.person(4)
        )
        #expect(await fault(3, [.grant(stranger, .reader)]) == .notAnOwner)
        #expect(await fault(3, [.cut(peer)]) == .notAnOwner)
        #expect(await fault(1, [.cut(owner)]) == .outranked(owner))
        #expect(await fault(1, [.cut(peer)]) == .outranked(peer))
        #expect(await fault(1, [.grant(peer, .reader)]) == .outranked(peer))
        #expect(await fault(0, [.cut(stranger)]) == .notAMember(stranger))
        #expect(await fault(0, [.cut(owner)]) == .outranked(owner))
        #expect(await fault(0, [.grant(writer, .writer)]) == .isMember(writer))
        #expect(await fault(1, [.grant(writer, .owner)]) == .outranked(writer))
        #expect(await fault(3, [.accept]) == .isMember(writer))
        #expect(await fault(0, []) == .nothingToWrite)
        let pair = SpaceDescriptor.between(owner, peer)
        try await group[0].open(pair)
        await #expect(throws: EditFault.notAGroup(.pair)) {
            try await group[0].control([.leave], in: pair.id, wallTime: now)
        }
        try await group.control(0, [.cut(writer)])
        try await group.settle()
        #expect(await fault(1, [.grant(writer, .writer)]) == .outranked(writer))
        for space in await group[0].spaces() { #expect(space.void == 0) }
    }
}
