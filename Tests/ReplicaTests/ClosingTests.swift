import GRDB
import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// Closing a group in which this person never wrote.
struct ClosingTests {
    private let homes = Homes()
    private let owner: Someone
    private let guest: Someone
    private let me: Someone
    private let group: SpaceDescriptor

    init() throws {
        owner = try Someone(seed: 701)
        guest = try Someone(seed: 702)
        me = try Someone(seed: 703)
        group = .group(owner: owner.person, nonce: .zero)
    }

    /// A log of the owner, who invites this person and a guest and writes a note.
    private func log() throws -> Author {
        var author = Author(owner.key, in: group)
        try author.write(
            [
                Operation(control: .grant(me.person, .writer)),
                Operation(control: .grant(guest.person, .writer)),
            ], at: now)
        try author.write([author.create(1, .shared).operation], at: now + .milliseconds(1))
        return author
    }

    private func replica(at home: Home) async throws -> Replica {
        let replica = try await home.replica(
            of: me.key, knowing: [me], in: [.own(me.person), group], collections: [.shared])
        try await replica.learn(owner.record)
        _ = try await replica.merge([(group.id, log().run)], wallTime: now)
        try await replica.learn(guest.record)
        return replica
    }

    /// The tables with a row of a closed space, and the number of known people.
    private func remains(_ replica: Replica, of space: Int64) async throws -> [String] {
        var tables: [String] = []
        let names = Schema.tablesBySpace + (await replica.catalog).all.flatMap(\.rowNames)
        for table in names {
            let rows = try await replica.read(
                "SELECT 1 FROM \"\(table)\" WHERE space = \(space)", allowedTables: nil)
            if !rows.isEmpty { tables.append(table) }
        }
        return tables
    }

    @Test func `a closed group leaves no row and no person behind, and can be opened again`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(at: home)
        let number = try #require(replica.states[group.id]?.number)
        #expect(try await !remains(replica, of: number).isEmpty)
        #expect(await replica.heads(in: group.id).count == 1)
        #expect(try await replica.close([group.id]) == [group.id])
        #expect(try await remains(replica, of: number).isEmpty)
        #expect(
            try await replica.read("SELECT * FROM batch", allowedTables: nil).isEmpty)
        #expect(await replica.descriptor(of: group.id) == nil)
        #expect(await replica.personRecord(owner.person) == nil)
        #expect(await replica.personRecord(guest.person) == nil)
        #expect(await replica.personRecord(me.person) != nil)
        try await replica.close()
        let again = try home.replica(me.key, collections: [.shared])
        #expect(await again.descriptor(of: group.id) == nil)
        try await again.open(group)
        try await again.learn(owner.record)
        let outcome = try await again.merge([(group.id, log().run)], wallTime: now)
        #expect(outcome.faults.isEmpty)
        #expect(await again.members(in: group.id).count == 3)
    }

    @Test func `a group in which this person wrote stays, and so does every other space`()
        async throws
    {
        let replica = try await replica(at: homes.make())
        try await replica.control([.accept], in: group.id, wallTime: now)
        #expect(try await replica.close([group.id, SpaceDescriptor.own(me.person).id]).isEmpty)
        #expect(await replica.heads(in: group.id).count == 2)
        #expect(await replica.descriptor(of: SpaceDescriptor.own(me.person).id) != nil)
        #expect(await replica.personRecord(guest.person) != nil)
    }
}
