import Records
import Replica
import Testing

/// A device that two members of one group list as theirs.
struct SharedDeviceTests {
    private let homes = Homes()
    private let owner: Someone
    /// Two people who founded themselves on one device; the first has the lower id.
    private let both: [Someone]
    private let space: SpaceDescriptor

    init() throws {
        owner = try Someone(seed: 21)
        let one = try Someone(seed: 22)
        both = [one, try Someone(seed: 23, on: one.devices)].sorted { $0.person < $1.person }
        space = .group(owner: owner.person, nonce: .zero)
    }

    private func replica(knowing people: [Someone], at home: Home? = nil) async throws -> Replica {
        try await (home ?? homes.make()).replica(
            of: owner.key, knowing: people, in: [space], collections: [.shared])
    }

    private func grants(_ role: Role, _ people: [Someone]) throws -> Author {
        var author = Author(owner.key, in: space)
        try author.write(
            people.map { Operation(control: .grant($0.person, role)) }, at: now)
        return author
    }

    /// Returns a log of the device that accepts and creates a note.
    private func log(_ operations: [Operation] = []) throws -> Author {
        var author = Author(both[0].key, in: space)
        let note = author.create(1, .shared)
        try author.write(
            [Operation(control: .accept), note.operation] + operations, at: now + .milliseconds(1))
        return author
    }

    private func creators(_ replica: Replica) async throws -> [[UInt8]?] {
        try await replica.read("SELECT creator FROM shared", allowedTables: nil)
            .map { $0.bytes("creator") }
    }

    @Test func `its batches count for the same person, whosever record arrives first`()
        async throws
    {
        let (grants, log) = (try grants(.writer, both), try log())
        var dumps: [Dump] = []
        for people in [[owner] + both, [owner] + both.reversed()] {
            let replica = try await replica(knowing: people)
            try await replica.merge([grants, log])
            dumps.append(try await Dump(replica, .shared))
            #expect(try await creators(replica) == [both[0].person.bytes])
        }
        for first in [0, 1] {
            let home = try homes.make()
            let replica = try await replica(knowing: [owner, both[first]], at: home)
            try await replica.merge([grants, log])
            #expect(try await creators(replica) == [both[first].person.bytes])
            try await replica.learn(both[1 - first].record)
            #expect(try await creators(replica) == [both[0].person.bytes])
            dumps.append(try await Dump(replica, .shared))
            let members = await replica.members(in: space.id)
            #expect(members.filter { $0.state == .invited }.map(\.person) == [both[1].person])
            let summary = await replica.spaces()
            try await replica.close()
            let again = try home.replica(owner.key, collections: [.shared])
            #expect(await again.spaces() == summary)
            #expect(try await Dump(again, .shared) == dumps.last)
            try await again.rebuild(space.id)
            #expect(try await Dump(again, .shared) == dumps.last)
        }
        #expect(Set(dumps.map(\.lines)).count == 1)
    }

    @Test func `it cannot decide by its own grant for whom it counts`() async throws {
        // The person with the lower id has no role but by the grant that the device itself wrote.
        let grants = try grants(.owner, [both[1]])
        let log = try log([Operation(control: .grant(both[0].person, .writer))])
        for people in [[owner] + both, [owner] + both.reversed()] {
            let replica = try await replica(knowing: people)
            try await replica.merge([grants, log])
            #expect(try await creators(replica) == [both[1].person.bytes])
        }
    }

    @Test func `it writes as the person for whom its batches count`() async throws {
        let grants = try grants(.writer, both)
        for people in [[owner] + both, [owner] + both.reversed()] {
            let home = try homes.make()
            let replica = try await home.replica(
                of: both[0].key, knowing: people, in: [space], collections: [.shared])
            try await replica.merge([grants])
            try await replica.control([.accept], in: space.id, wallTime: now + .milliseconds(1))
            let members = await replica.members(in: space.id).filter { $0.state == .member }
            #expect(Set(members.map(\.person)) == [owner.person, both[0].person])
        }
    }
}
